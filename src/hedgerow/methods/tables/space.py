"""The space that a search walks through: candidate splits, readings, the pool's table, and trees out of structures."""

__all__ = ["Found", "SearchSpace", "attack_steps", "cutoff_below"]

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.instance import Instance
from hedgerow.methods.pool import SolutionPool
from hedgerow.methods.tables.large_leaves import large_leaf_problem
from hedgerow.methods.tables.reach import Reading, reading_of
from hedgerow.methods.tables.search import Table, best_of
from hedgerow.methods.unreached import fill_unreached
from hedgerow.run import Run, Settings
from hedgerow.splits import Splits
from hedgerow.structure import NO_SPLIT, existing_slots, structure_allowed, tree_of
from hedgerow.tolerances import VALUE
from hedgerow.tree import Tree
from hedgerow.uncertainty import GlobalBudget

_MOST_PER_CALL = 256
_WORK_PER_CALL = 1 << 16


@dataclass(frozen=True)
class Found:
    """A structure with its best solutions from the pool (−1 at slots that nobody reaches) and its worst-case loss."""

    structure: IntArray
    choice: IntArray
    value: float


class SearchSpace:
    """Structures over candidate splits whose slots take solutions from a pool.

    Parameters
    ----------
    instance
        What is solved.
    settings
        Limits on leaves.
    splits
        The candidate splits.
    pool
        The solutions.
    subset_costs
        For every subset of the samples what one solution for it costs, if that is known.

    Attributes
    ----------
    open_bound
        Structures whose adversary was too hard to be settled cost at least this; ∞ while there are none.
    """

    def __init__(
        self,
        instance: Instance,
        settings: Settings,
        splits: Splits,
        pool: SolutionPool,
        subset_costs: FloatArray | None = None,
    ) -> None:
        self.instance = instance
        self.settings = settings
        self.splits = splits
        self.pool = pool
        self.n_inner = 2**instance.depth - 1
        self.open_bound = np.inf
        self.reading: Reading = reading_of(instance, splits)
        costs = np.empty(0) if subset_costs is None else subset_costs
        self.table = Table(np.ascontiguousarray(pool.losses), costs[None].copy())

    @property
    def constrained(self) -> bool:
        """Whether some structures are not allowed, and smaller trees must be considered."""
        return self.settings.min_samples_leaf > 0 or self.settings.max_leaves is not None

    @cached_property
    def _per_call(self) -> int:
        """How many structures a kernel gets at once: few where each may take long, so that a limit is kept."""
        if not isinstance(self.instance.uncertainty, GlobalBudget):
            return _MOST_PER_CALL
        return max(1, min(_MOST_PER_CALL, _WORK_PER_CALL // max(1, self.table.loss.size)))

    @cached_property
    def candidates(self) -> IntArray:
        """All splits that a node may have."""
        everything = np.arange(len(self.splits), dtype=np.int64)
        return np.append(everything, NO_SPLIT) if self.constrained else everything

    def allowed(self, structures: IntArray) -> IntArray:
        """Return the structures that keep the limits on leaves."""
        if not self.constrained:
            return structures
        keep = [
            structure_allowed(structure, self.splits, self.instance.question_values, self.settings)
            for structure in structures
        ]
        kept: IntArray = structures[np.array(keep, dtype=bool)]
        return kept

    def draw(self, rng: np.random.Generator, count: int) -> IntArray:
        """Return random structures: at each node an item uniformly, then one of its thresholds uniformly.

        Where a limit on leaves forbids a structure, its nodes stop asking, from the last one upwards, until it is kept.
        """
        items, first = np.unique(self.splits.question, return_index=True)
        sizes = np.diff(np.append(first, len(self.splits)))
        item = rng.integers(items.size, size=(count, self.n_inner))
        share = rng.random((count, self.n_inner))
        structures: IntArray = first[item] + np.minimum((share * sizes[item]).astype(np.int64), sizes[item] - 1)
        return self._cut_back(structures) if self.constrained else structures

    def _cut_back(self, structures: IntArray) -> IntArray:
        for structure in structures:
            for node in range(self.n_inner - 1, -1, -1):
                if structure_allowed(structure, self.splits, self.instance.question_values, self.settings):
                    break
                structure[node] = NO_SPLIT
        return structures

    def best(self, structures: IntArray, cutoff: float = np.inf, run: Run | None = None) -> Found | None:
        """Return the best of the structures if its value is below the cut-off.

        Hard structures are settled thoroughly in the time of a run if one is given, else some are passed over.
        """
        choice = np.empty(self.n_inner + 1, dtype=np.int64)
        undecided = np.empty(len(structures), dtype=np.int64)
        structures = np.ascontiguousarray(structures)
        number, value, n_undecided = best_of(structures, self.reading, self.table, cutoff, choice, undecided)
        found = None if number < 0 else Found(structures[number], choice, value)
        for number in undecided[:n_undecided]:
            below = cutoff if found is None else found.value
            if run is not None and run.must_stop():
                self.open_bound = -np.inf
                break
            must_stop = None if run is None else run.must_stop
            leaves = large_leaf_problem(structures[number], self.reading, self.table, below, must_stop)
            if run is not None:
                # Whoever passes over a structure without a run claims nothing about it.
                self.open_bound = min(self.open_bound, leaves.bound)
            if leaves.choice is not None:
                found = Found(structures[number], leaves.choice, leaves.value)
        return found

    def take_best(self, structures: IntArray, run: Run, detail: str) -> None:
        """Evaluate the structures in their order and offer the run what is better than its best tree."""
        for start in range(0, len(structures), self._per_call):
            if run.must_stop():
                return
            found = self.best(structures[start : start + self._per_call], cutoff_below(run.value), run)
            if found is not None:
                run.offer(self.tree(found), found.value, detail)

    def improve(self, found: Found, run: Run) -> Found:
        """Return what comes of changing one split at a time until no single change makes it better."""
        waiting = self.n_inner
        node = 0
        while waiting > 0 and not run.must_stop():
            better = self._better_split(node, found, run)
            if better is not None:
                found, waiting = better, self.n_inner
            waiting -= 1
            node = (node + 1) % self.n_inner
        return found

    def _better_split(self, node: int, found: Found, run: Run) -> Found | None:
        trials = np.repeat(found.structure[None], self.candidates.size, axis=0)
        trials[:, node] = self.candidates
        trials = self.allowed(trials)
        better: Found | None = None
        cutoff = cutoff_below(found.value)
        for start in range(0, len(trials), self._per_call):
            if run.must_stop():
                break
            candidate = self.best(trials[start : start + self._per_call], cutoff)
            if candidate is not None:
                better, cutoff = candidate, cutoff_below(candidate.value)
        return better

    def tree(self, found: Found) -> Tree:
        """Return the tree with this structure and its solutions; slots that nobody reaches get their neighbours'."""
        reached = found.choice >= 0
        tree = tree_of(found.structure, self.splits, self.pool.solutions[np.where(reached, found.choice, 0)])
        return fill_unreached(tree, reached[existing_slots(found.structure)])


def cutoff_below(value: float) -> float:
    """Return the value that another one must stay below to count as better."""
    return value - VALUE * max(1.0, abs(value)) if np.isfinite(value) else value


def attack_steps(instance: Instance) -> int:
    """Return how many steps an attack on all samples may take.

    Under a common budget it moves one sample at a time, and looks at all of them to choose it; under budgets of their
    own it looks at each sample once.
    """
    return instance.n_samples ** (2 if isinstance(instance.uncertainty, GlobalBudget) else 1)
