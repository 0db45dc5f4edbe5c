"""The space that a search walks through: candidate splits, readings, the pool's table, and trees out of structures."""

__all__ = ["Found", "SearchSpace", "attack_steps", "cutoff_below"]

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.leaf_problem import Attacks, best_leaves, hard_leaf_problem, new_attacks
from hedgerow.engine.models.leaves import LeafWriter
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.structures.attacks import Frontier, nominal_bound
from hedgerow.engine.structures.reach import Reading, reading_of, structure_costs
from hedgerow.engine.unreached import tree_with
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, structure_allowed
from hedgerow.tree.tree import Tree


@dataclass(frozen=True)
class Found:
    """A structure with its best solutions from the pool (−1 at unreached slots) and its worst-case loss."""

    structure: IntArray
    choice: IntArray
    value: float


class SearchSpace:
    """Structures over candidate splits whose slots take solutions from a pool.

    Parameters
    ----------
    instance
        What is solved.
    options
        Limits on leaves.
    splits
        The candidate splits.
    pool
        The solutions.
    spans
        Whether a split stands for all thresholds between its neighbouring values.

    Attributes
    ----------
    loss
        Per sample and solution the loss.
    reading
        Splits, readings and the budget as kernels want them.
    open_bound
        Structures whose adversary was too hard to be settled cost at least this; ∞ while there are none.
    """

    def __init__(
        self, instance: Instance, options: Options, splits: Splits, pool: SolutionPool, *, spans: bool = False
    ) -> None:
        self.instance = instance
        self.options = options
        self.splits = splits
        self.pool = pool
        self.n_inner = 2**instance.depth - 1
        self.open_bound = np.inf
        self.reading: Reading = reading_of(instance, splits, options.margin_on(instance), spans=spans)
        self.loss = np.ascontiguousarray(pool.losses)
        self.forget_attacks()

    def forget_attacks(self) -> None:
        """Empty the pool of attacks, so that results don't depend on what was evaluated before."""
        self._attacks = new_attacks(self.n_inner + 1, self.loss)

    @property
    def constrained(self) -> bool:
        """Whether some structures are not allowed, and smaller trees must be considered."""
        return self.options.min_samples_leaf > 0 or self.options.max_leaves is not None

    @cached_property
    def _per_call(self) -> int:
        """How many structures a kernel gets at once: few where each may take long, so that a limit is kept."""
        is_global = not self.instance.uncertainty.is_separable
        if is_global and self.n_inner > ENGINE.few_nodes:
            return 1
        each: int = (self.n_inner + 1) * max(1, self.loss.size)
        work = ENGINE.work_per_call if is_global else ENGINE.local_work_per_call
        return max(1, min(ENGINE.structures_per_call, work // each))

    @cached_property
    def candidates(self) -> IntArray:
        """All splits that a node may have."""
        everything = np.arange(len(self.splits), dtype=np.int64)
        return np.append(everything, NO_SPLIT) if self.constrained else everything

    @cached_property
    def leaf_writer(self) -> LeafWriter:
        """What writes leaves into models."""
        return LeafWriter(self.instance)

    def _is_allowed(self, structure: IntArray) -> bool:
        return structure_allowed(structure, self.splits, self.instance.question_values, self.options)

    def allowed(self, structures: IntArray) -> IntArray:
        """Return the structures that keep the limits on leaves."""
        if not self.constrained:
            return structures
        kept: IntArray = structures[np.array([self._is_allowed(structure) for structure in structures], dtype=bool)]
        return kept

    def draw(self, rng: np.random.Generator, count: int) -> IntArray:
        """Return random structures: at each node an item uniformly, then one of its thresholds uniformly.

        Where a limit on leaves forbids a structure, its nodes stop asking, from the last one upwards, until it is kept.
        """
        items, first = self.splits.asked, self.splits.first
        sizes = np.diff(np.append(first, len(self.splits)))
        item = rng.integers(items.size, size=(count, self.n_inner))
        share = rng.random((count, self.n_inner))
        structures: IntArray = first[item] + np.minimum((share * sizes[item]).astype(np.int64), sizes[item] - 1)
        for structure in structures if self.constrained else ():
            for node in range(self.n_inner - 1, -1, -1):
                if self._is_allowed(structure):
                    break
                structure[node] = NO_SPLIT
        return structures

    def best(
        self, structures: IntArray, cutoff: float = np.inf, must_stop: Callable[[], bool] | None = None
    ) -> Found | None:
        """Return the best of the structures if its value is below the cut-off.

        With `must_stop`, hard structures are settled until it says so, and `open_bound` covers what is left open.
        Without it, nothing is claimed about hard structures.
        """
        choice = np.empty(self.n_inner + 1, dtype=np.int64)
        undecided = np.empty(len(structures), dtype=np.int64)
        structures = np.ascontiguousarray(structures)
        place = structures, self.reading, self.loss, cutoff
        number, value, n_undecided = best_of(*place, choice, undecided, self._attacks)
        found = None if number < 0 else Found(structures[number], choice, value)
        for number in undecided[:n_undecided]:
            if must_stop is not None and must_stop():
                self.open_bound = -np.inf
                break
            move_cost = np.empty((self.n_inner + 1, self.instance.n_samples))
            structure_costs(structures[number], self.reading, move_cost)
            below = cutoff if found is None else found.value
            leaves = hard_leaf_problem(self.loss, move_cost, self.reading.limit, below, must_stop)
            if must_stop is not None:
                self.open_bound = min(self.open_bound, leaves.bound)
            if leaves.choice is not None:
                found = Found(structures[number], leaves.choice, leaves.value)
        return found

    def in_parts(self, structures: IntArray) -> Iterator[IntArray]:
        """Yield as many structures as are evaluated between two looks at the clock."""
        for start in range(0, len(structures), self._per_call):
            yield structures[start : start + self._per_call]

    def offer_best(self, structures: IntArray, run: Run) -> None:
        """Evaluate the structures in their order and offer the run what is better than its best tree."""
        for some in self.in_parts(structures):
            if run.must_stop():
                return
            found = self.best(some, cutoff_below(run.value), run.must_stop)
            if found is not None:
                run.offer(self.tree(found), found.value, "better structure")

    def tree(self, found: Found) -> Tree:
        """Return the tree with this structure and its solutions; slots that no sample reaches get their neighbours'."""
        return tree_with(found.structure, self.splits, self.pool.solutions, found.choice)


@kernel
def best_of(
    structures: IntArray,
    reading: Reading,
    loss: FloatArray,
    cutoff: float,
    best_choice: IntArray,
    undecided: IntArray,
    attacks: Attacks,
) -> tuple[int, float, int]:
    """Return which of the structures is best and its value if that is below the cut-off, else −1 and the cut-off.

    Slots that no sample can be sent to keep −1 in its choice. The last number says how many structures were too hard;
    `undecided` lists them. Attacks that are found join the pool and are tried on the structures that follow.
    """
    n_slots, n_samples, local = structures.shape[1] + 1, loss.shape[0], reading.budgets.size > 0
    move_cost, at = np.empty((n_slots, n_samples)), np.empty(n_samples, np.int64)
    choice, slots = np.empty(n_slots, np.int64), np.arange(n_slots)
    frontier = Frontier(slots, np.zeros(n_slots, np.int64), move_cost)
    best, n_undecided = -1, 0
    for number in range(structures.shape[0]):
        structure_costs(structures[number], reading, move_cost)
        if nominal_bound(frontier, loss, at) >= cutoff:
            continue
        choice[:] = -1
        value = best_leaves(loss, move_cost, reading.limit, local, cutoff, choice, attacks)
        if np.isnan(value):
            undecided[n_undecided] = number
            n_undecided += 1
        elif value < cutoff:
            best, cutoff = number, value
            copy_into(choice, best_choice)
    return best, cutoff, n_undecided


def cutoff_below(value: float) -> float:
    """Return the value that another one must stay below to count as better."""
    return value - VALUE * max(1.0, abs(value)) if np.isfinite(value) else value


def attack_steps(instance: Instance) -> int:
    """Return how many steps an attack on all samples may take.

    Under a common budget it moves one sample at a time, and looks at all of them to choose it; under budgets of their
    own it looks at each sample once.
    """
    return instance.n_samples * instance.uncertainty.n_sharing(instance.n_samples)
