"""The leaf problem by MIP: the best solutions for a tree whose questions are fixed (LSAP in the paper)."""

__all__ = ["LeafSolution", "solve_leaves"]

import math
from dataclasses import dataclass

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.models.leaves import MODEL_GAP, Leaf, LeafWriter
from hedgerow.engine.unreached import fill_unreached, reachable
from hedgerow.instance import Instance
from hedgerow.mip import create_model
from hedgerow.run import Options, Run, StopRunError
from hedgerow.run.result import relative_gap
from hedgerow.tolerances import OPTIMALITY_GAP, SOLVED_VALUE
from hedgerow.tree.tree import Tree


@dataclass(frozen=True)
class LeafSolution:
    """The best solutions found for the leaves of a tree, and what is known about them.

    Attributes
    ----------
    solutions
        One per leaf; None if none were found (below the cutoff).
    value
        The worst-case loss of the tree that holds them, by the adversary; +∞ without solutions.
    bound
        No solutions have a lower worst-case loss than this; at most the cutoff.
    proven
        Whether the solutions are optimal, or there are none below the cutoff.
    """

    solutions: FloatArray | None
    value: float
    bound: float
    proven: bool


def solve_leaves(
    tree: Tree,
    instance: Instance,
    options: Options,
    run: Run,
    cutoff: float = math.inf,
    writer: LeafWriter | None = None,
) -> LeafSolution:
    """Return the leaf solutions with the best worst case for the tree's questions.

    A leaf whose samples can be sent nowhere else is the problem's own: the best single solution for them. What remains
    is one MIP under a local budget, and under a global one scenario generation over assignments of samples to leaves.

    Parameters
    ----------
    tree
        Whose questions are kept; what its leaves hold is ignored.
    instance, options, run
        What is solved, by which solver, in whose time.
    cutoff
        Only solutions with a loss below it matter.
    writer
        One that was made for this instance before; saves time where many trees are tried.
    """
    reach = reachable(tree, instance)
    solutions = np.zeros((tree.n_leaves, len(instance.problem.variable_names)))
    base = 0.0
    tangled = (reach & (reach.sum(axis=1) > 1)[:, None]).any(axis=0)
    for leaf in np.flatnonzero(reach.any(axis=0) & ~tangled):
        rows = reach[:, leaf]
        best = instance.problem.best_solution(
            instance.costs[rows], instance.weights[rows], time_limit=run.deadline.remaining()
        )
        solutions[leaf] = best.solution
        base += instance.sign * best.bound
    skeleton = tree.replace(solutions=solutions)
    if not tangled.any():
        value = instance.sign * worst_case(skeleton, instance).bound
        return _judged(skeleton, value, base, cutoff, reach)
    writer = LeafWriter(instance) if writer is None else writer
    try:
        core = _Core(skeleton, instance, options, writer, reach, tangled, run)
    except StopRunError:
        return LeafSolution(None, math.inf, -math.inf, False)
    # Losses of both signs may add up to nothing, which a solver only knows by their size.
    noise = SOLVED_VALUE * writer.scale * float(np.abs(writer.lower).sum())
    return _judged(*core.solve(run, base, cutoff), cutoff, reach, noise)


def _judged(
    tree: Tree | None, value: float, bound: float, cutoff: float, reach: BoolArray, noise: float = 0.0
) -> LeafSolution:
    """Return the tree's solutions if it is good enough, and whether that is proven.

    A solver proves ties up to its own tolerance only: a relative one, and the absolute `noise`.
    """
    bound, least = min(bound, value, cutoff), min(value, cutoff)
    proven = relative_gap(least, bound) <= OPTIMALITY_GAP or least - bound <= noise
    if tree is None or value >= cutoff:
        return LeafSolution(None, math.inf, bound, proven)
    reached: BoolArray = np.any(reach, axis=0)
    return LeafSolution(fill_unreached(tree, reached).solutions, value, bound, proven)


class _Core:
    """The leaves that share samples, in one model."""

    def __init__(
        self,
        tree: Tree,
        instance: Instance,
        options: Options,
        writer: LeafWriter,
        reach: BoolArray,
        tangled: BoolArray,
        run: Run,
    ) -> None:
        self._tree, self._instance, self._reach = tree, instance, reach
        self._scale = writer.scale
        self._model = create_model(options.solver)
        self._leaves: dict[int, Leaf] = {
            int(leaf): writer.add(self._model, np.flatnonzero(reach[:, leaf]), run) for leaf in np.flatnonzero(tangled)
        }
        self._samples = np.flatnonzero((reach & tangled).any(axis=1))
        self._is_global = not instance.uncertainty.is_separable
        if self._is_global:
            self._worst = self._model.add_variables(1, lower=writer.lower[self._samples].sum(), cost=1.0)  # u
            self._assignments: set[bytes] = set()
            self._add_assignment(tree.apply(instance.observations))
        else:
            self._add_worst_of_each(writer)

    def _add_worst_of_each(self, writer: LeafWriter) -> None:
        """Minimise Σ_j u_j with u_j ≥ loss of sample j at every leaf that it can be sent to (locFixTree)."""
        worst = self._model.add_variables(self._samples.size, lower=writer.lower[self._samples], cost=1.0)
        for column, sample in zip(worst, self._samples, strict=True):
            for leaf in np.flatnonzero(self._reach[sample]):
                self._model.add_row([column, self._leaves[int(leaf)].loss[sample]], [1.0, -1.0], 0.0, np.inf)

    def _add_assignment(self, leaf_of: IntArray) -> bool:
        """Add u ≥ Σ_j loss of sample j at its leaf (globFixTreeMp); return whether the assignment is new."""
        leaf_of = leaf_of[self._samples]
        if leaf_of.tobytes() in self._assignments:
            return False
        self._assignments.add(leaf_of.tobytes())
        losses = [self._leaves[int(leaf)].loss[sample] for leaf, sample in zip(leaf_of, self._samples, strict=True)]
        self._model.add_row([*self._worst, *losses], [1.0] + [-1.0] * len(losses), 0.0, np.inf)
        return True

    def solve(self, run: Run, base: float, cutoff: float) -> tuple[Tree | None, float, float]:
        """Return the best tree found, its worst-case loss, and the bound; `base` is what all other leaves cost."""
        best, best_value, bound = None, math.inf, -math.inf
        while not run.must_stop():
            solved = self._model.solve(
                time_limit=run.deadline.remaining(),
                cutoff=(min(cutoff, best_value) - base) / self._scale,
                gap=MODEL_GAP,
                should_stop=run.must_stop,
            )
            bound = max(bound, base + self._scale * solved.bound)
            if solved.values is None:
                break
            tree = self._with_solutions(solved.values)
            attack = worst_case(tree, self._instance)
            value = self._instance.sign * attack.bound
            if value < best_value:
                best, best_value = tree, value
            if not self._is_global or bound >= best_value or not self._add_assignment(attack.leaf):
                break
        return best, best_value, bound

    def _with_solutions(self, values: FloatArray) -> Tree:
        solutions = self._tree.solutions.copy()
        for leaf, columns in self._leaves.items():
            solutions[leaf] = values[columns.solution]
        return self._tree.replace(solutions=solutions)
