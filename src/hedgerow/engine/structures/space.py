"""The space that a search walks through: candidate splits, readings, the pool's table, and trees out of structures."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.leaf_problem import Attacks, best_leaves, new_attacks
from hedgerow.engine.models.leaves import LeafWriter
from hedgerow.engine.pool import SolutionPool
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
        self._attacks = new_attacks(self.n_inner + 1, self.loss)

    @property
    def constrained(self) -> bool:
        """Whether some structures are not allowed, and smaller trees must be considered."""
        return self.options.min_samples_leaf > 0 or self.options.max_leaves is not None

    @cached_property
    def _per_call(self) -> int:
        """How many structures a kernel gets at once: few where each may take long, so that a limit is kept."""
        is_local, n_slots = self.instance.uncertainty.is_separable, self.n_inner + 1
        each: int = max(1, self.loss.size) * n_slots ** (1 if is_local else 3)
        return max(1, min(ENGINE.structures_per_call, ENGINE.work_per_call // each))

    @cached_property
    def candidates(self) -> IntArray:
        """All splits that a node may have."""
        everything = np.arange(len(self.splits), dtype=np.int64)
        return np.append(everything, NO_SPLIT) if self.constrained else everything

    @cached_property
    def goes_right(self) -> BoolArray:
        """Per sample and split whether the sample's value is above the threshold."""
        return np.asarray(self.instance.question_values[:, self.splits.question] > self.splits.threshold)

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

    def best(self, structures: IntArray, cutoff: float = np.inf) -> Found | None:
        """Return the best of the structures if its value is below the cut-off; `open_bound` covers those too hard."""
        choice = np.empty(self.n_inner + 1, dtype=np.int64)
        place = np.ascontiguousarray(structures), self.reading, self.loss, cutoff
        number, value, open_bound = best_of(*place, choice, self._attacks)
        self.open_bound = min(self.open_bound, open_bound)
        return None if number < 0 else Found(structures[number], choice, value)

    def in_parts(self, structures: IntArray) -> Iterator[IntArray]:
        """Yield as many structures as are evaluated between two looks at the clock."""
        for start in range(0, len(structures), self._per_call):
            yield structures[start : start + self._per_call]

    def offer_best(self, structures: IntArray, run: Run) -> None:
        """Evaluate the structures in their order and offer the run what is better than its best tree."""
        for some in self.in_parts(structures):
            if run.must_stop():
                return
            found = self.best(some, cutoff_below(run.value))
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
    attacks: Attacks,
) -> tuple[int, float, float]:
    """Return which of the structures is best and its value if that is below the cut-off, else −1 and the cut-off.

    Slots that no sample can be sent to keep −1 in its choice. Structures that were too hard cost at least the last
    number. Attacks that are found join the pool and are tried on the structures that follow.
    """
    n_slots, n_samples, local = structures.shape[1] + 1, loss.shape[0], reading.budgets.size > 0
    move_cost, choice = np.empty((n_slots, n_samples)), np.empty(n_slots, np.int64)
    best, open_bound = -1, np.inf
    for number in range(structures.shape[0]):
        structure_costs(structures[number], reading, move_cost)
        choice[:] = -1
        value, is_value = best_leaves(loss, move_cost, reading.limit, local, cutoff, choice, attacks)
        if value < cutoff and is_value:
            best, cutoff = number, value
            copy_into(choice, best_choice)
        elif value < cutoff:
            open_bound = min(open_bound, value)
    return best, cutoff, open_bound


def cutoff_below(value: float) -> float:
    """Return the value that another one must stay below to count as better."""
    return value - VALUE * max(1.0, abs(value)) if np.isfinite(value) else value
