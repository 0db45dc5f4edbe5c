"""The space that a search walks through: candidate splits, readings, the pool's table, and trees out of structures."""

__all__ = ["Found", "SearchSpace", "attack_steps", "cutoff_below"]

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.leaf_problem import Attacks, hard_leaf_problem, new_attacks
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.structures.attacks import SetCosts, set_costs_of
from hedgerow.engine.structures.reach import Reading, reading_of, structure_costs
from hedgerow.engine.structures.structure_values import best_of
from hedgerow.engine.unreached import fill_unreached
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, structure_allowed, tree_of
from hedgerow.tree.tree import Tree

_FEW_NODES = 7
"""With more, a single structure under a global budget may take a quarter of a second."""

_MOST_PER_CALL = 256
_WORK_PER_CALL = 1 << 18
_LOCAL_WORK_PER_CALL = 1 << 24


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
    subset_costs
        For every subset of the samples what one solution for it costs, if that is known.
    spans
        Whether a split stands for all thresholds between its neighbouring values.

    Attributes
    ----------
    open_bound
        Structures whose adversary was too hard to be settled cost at least this; ∞ while there are none.
    """

    def __init__(
        self,
        instance: Instance,
        options: Options,
        splits: Splits,
        pool: SolutionPool,
        subset_costs: FloatArray | None = None,
        *,
        spans: bool = False,
    ) -> None:
        self.instance = instance
        self.options = options
        self.splits = splits
        self.pool = pool
        self.n_inner = 2**instance.depth - 1
        self.open_bound = np.inf
        self.reading: Reading = reading_of(instance, splits, options.margin_on(instance), spans=spans)
        tables = None if subset_costs is None else subset_costs[None]
        self.table: SetCosts = set_costs_of(tables=tables, loss=np.ascontiguousarray(pool.losses))
        self._bounded = set_costs_of(loss=self.table.loss)
        self.forget_attacks()

    def forget_attacks(self) -> None:
        """Empty the pool of attacks, so that results don't depend on what was evaluated before."""
        self._attacks = self._no_attacks()

    def _no_attacks(self) -> Attacks:
        return new_attacks(self.n_inner + 1, self.table.loss)

    @property
    def constrained(self) -> bool:
        """Whether some structures are not allowed, and smaller trees must be considered."""
        return self.options.min_samples_leaf > 0 or self.options.max_leaves is not None

    @cached_property
    def _per_call(self) -> int:
        """How many structures a kernel gets at once: few where each may take long, so that a limit is kept."""
        is_global = not self.instance.uncertainty.is_separable
        if is_global and self.n_inner > _FEW_NODES:
            return 1
        each = (self.n_inner + 1) * max(1, self.table.loss.size)
        return max(1, min(_MOST_PER_CALL, int((_WORK_PER_CALL if is_global else _LOCAL_WORK_PER_CALL) // each)))

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
            structure_allowed(structure, self.splits, self.instance.question_values, self.options)
            for structure in structures
        ]
        kept: IntArray = structures[np.array(keep, dtype=bool)]
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
        return self._cut_back(structures) if self.constrained else structures

    def _cut_back(self, structures: IntArray) -> IntArray:
        for structure in structures:
            for node in range(self.n_inner - 1, -1, -1):
                if structure_allowed(structure, self.splits, self.instance.question_values, self.options):
                    break
                structure[node] = NO_SPLIT
        return structures

    def best(
        self,
        structures: IntArray,
        cutoff: float = np.inf,
        must_stop: Callable[[], bool] | None = None,
        *,
        thorough: bool = True,
        bounded: bool = False,
    ) -> Found | None:
        """Return the best of the structures if its value is below the cut-off.

        With `must_stop`, hard structures are settled until it says so, and `open_bound` covers what is left open.
        Without it, or if not `thorough`, some hard structures are passed over and nothing is claimed about them.
        Structures that greedy attacks did not exclude are `bounded`.
        """
        choice = np.empty(self.n_inner + 1, dtype=np.int64)
        undecided = np.empty(len(structures), dtype=np.int64)
        structures = np.ascontiguousarray(structures)
        number, value, n_undecided = best_of(
            structures,
            self.reading,
            self._bounded if bounded else self.table,
            cutoff,
            choice,
            undecided,
            self._attacks if bounded else self._no_attacks(),
        )
        found = None if number < 0 else Found(structures[number], choice, value)
        claims = must_stop is not None and thorough
        for number in undecided[:n_undecided]:
            below = cutoff if found is None else found.value
            if must_stop is not None and must_stop():
                self.open_bound = -np.inf if claims else self.open_bound
                break
            move_cost = np.empty((self.n_inner + 1, self.instance.n_samples))
            structure_costs(structures[number], self.reading, move_cost)
            patience = must_stop if thorough else None
            leaves = hard_leaf_problem(self.table.loss, move_cost, self.reading.limit, below, patience)
            if claims:
                self.open_bound = min(self.open_bound, leaves.bound)
            if leaves.choice is not None:
                found = Found(structures[number], leaves.choice, leaves.value)
        return found

    def best_in_time(self, structures: IntArray, run: Run, cutoff: float = np.inf) -> Found | None:
        """Return the best of the structures that the run has time for; hard ones may be passed over."""
        best: Found | None = None
        for start in range(0, len(structures), self._per_call):
            if run.must_stop():
                break
            found = self.best(structures[start : start + self._per_call], cutoff, run.must_stop, thorough=False)
            if found is not None:
                best, cutoff = found, cutoff_below(found.value)
        return best

    def take_best(self, structures: IntArray, run: Run, detail: str) -> None:
        """Evaluate the structures in their order and offer the run what is better than its best tree."""
        for start in range(0, len(structures), self._per_call):
            if run.must_stop():
                return
            some, below = structures[start : start + self._per_call], cutoff_below(run.value)
            found = self.best(some, below, run.must_stop, bounded=True)
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
        return self.best_in_time(trials, run, cutoff_below(found.value))

    def tree(self, found: Found) -> Tree:
        """Return the tree with this structure and its solutions; slots that no sample reaches get their neighbours'."""
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
    return instance.n_samples * instance.uncertainty.n_sharing(instance.n_samples)
