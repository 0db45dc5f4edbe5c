"""The leaf problem by MIP: the best solutions for a structure (LSAP in the paper)."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.models.leaves import MODEL_GAP, Leaf, LeafWriter
from hedgerow.engine.unreached import fill_unreached, reachable
from hedgerow.mip import create_model
from hedgerow.run import Run, StopRunError
from hedgerow.run.result import relative_gap
from hedgerow.tolerances import OPTIMALITY_GAP, SOLVED_VALUE
from hedgerow.tree.structure import tree_of
from hedgerow.tree.tree import Tree

if TYPE_CHECKING:
    from hedgerow.engine.structures.space import SearchSpace


@dataclass(frozen=True)
class BestLeaves:
    """A structure with its best solutions, and what is known about them."""

    tree: Tree | None  # The tree; None if none was found (below the cutoff).
    value: float  # Its worst-case loss, by the adversary; +∞ without a tree.
    bound: float  # No solutions have a lower worst-case loss than this; at most the cutoff.
    proven: bool  # Whether the solutions are optimal, or there are none below the cutoff.


def solve_leaves(structure: IntArray, space: "SearchSpace", run: Run, cutoff: float = math.inf) -> BestLeaves:
    """Return the structure with the solutions that have the best worst case, if that is below the cutoff.

    That is one MIP under a local budget, and under a global one scenario generation over assignments of samples to
    leaves. A solver proves ties up to its own tolerance only: a relative one, and an absolute one where losses of both
    signs may add up to nothing, which a solver only knows by their size.
    """
    instance, writer = space.instance, space.leaf_writer
    tree = tree_of(structure, space.splits, np.zeros((structure.size + 1, len(instance.problem.variable_names))))
    reach = reachable(tree, instance)
    try:
        best, value, bound = _LeafModel(tree, space, reach, run).solve(run)
    except StopRunError:
        return BestLeaves(None, math.inf, -math.inf, False)
    bound, least = min(bound, value, cutoff), min(value, cutoff)
    noise = SOLVED_VALUE * writer.scale * float(np.abs(writer.lower).sum())
    proven = relative_gap(least, bound) <= OPTIMALITY_GAP or least - bound <= noise
    if best is None or value >= cutoff:
        return BestLeaves(None, math.inf, bound, proven)
    return BestLeaves(fill_unreached(best, np.any(reach, axis=0)), value, bound, proven)


class _LeafModel:
    def __init__(self, tree: Tree, space: "SearchSpace", reach: BoolArray, run: Run) -> None:
        self._tree, self._instance, self._reach = tree, space.instance, reach
        writer = space.leaf_writer
        self._scale, self._model = writer.scale, create_model(space.options.solver)
        self._leaves: dict[int, Leaf] = {
            int(leaf): writer.add(self._model, np.flatnonzero(reach[:, leaf]), run)
            for leaf in np.flatnonzero(reach.any(axis=0))
        }
        self._is_global = not space.instance.uncertainty.is_separable
        if self._is_global:
            self._worst = self._model.add_variables(1, lower=writer.lower.sum(), cost=1.0)  # u
            self._assignments: set[bytes] = set()
            self._add_assignment(tree.apply(space.instance.observations))
        else:
            self._add_worst_of_each(writer)

    def _add_worst_of_each(self, writer: LeafWriter) -> None:
        """Minimise Σ_j u_j with u_j ≥ loss of sample j at every leaf that it can be sent to (locFixTree)."""
        worst = self._model.add_variables(writer.lower.size, lower=writer.lower, cost=1.0)
        for sample, column in enumerate(worst):
            for leaf in np.flatnonzero(self._reach[sample]):
                self._model.add_row([column, self._leaves[int(leaf)].loss[sample]], [1.0, -1.0], 0.0, np.inf)

    def _add_assignment(self, leaf_of: IntArray) -> bool:
        """Add u ≥ Σ_j loss of sample j at its leaf (globFixTreeMp); return whether the assignment is new."""
        if leaf_of.tobytes() in self._assignments:
            return False
        self._assignments.add(leaf_of.tobytes())
        losses = [self._leaves[int(leaf)].loss[sample] for sample, leaf in enumerate(leaf_of)]
        self._model.add_row([*self._worst, *losses], [1.0] + [-1.0] * len(losses), 0.0, np.inf)
        return True

    def solve(self, run: Run) -> tuple[Tree | None, float, float]:
        """Return the best tree found, its worst-case loss, and the bound."""
        best, best_value, bound = None, math.inf, -math.inf
        while not run.must_stop():
            solved = self._model.solve(time_limit=run.deadline.remaining(), gap=MODEL_GAP, should_stop=run.must_stop)
            bound = max(bound, self._scale * solved.bound)
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
