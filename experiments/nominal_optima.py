"""Random nominal optima. The nominal tree is far from unique, and its worst case depends on the choice.

Without misreadings the two sides of a question are independent, so that optimal structures can be counted: the number
for a set of samples is the sum, over the questions that attain the set's optimum, of the number for the left side times
the number for the right side. With these counts, structures are drawn uniformly from all optimal ones.
"""

__all__ = ["NominalOptima"]

from functools import cached_property
from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.unreached import fill_unreached
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import nominal_slots, tree_of
from hedgerow.tree.tree import Tree

_MOST_SAMPLES = 16


class _Best(NamedTuple):
    """The least cost of a set of samples, and how many structures attain it, in all and by first question."""

    value: float
    n_structures: float
    by_split: FloatArray


class NominalOptima:
    """All nominal optima of full depth over midpoint thresholds, to draw from.

    A leaf that no sample reaches may hold any solution; here it holds its sibling's. The instance must have at most 16
    samples and a problem whose solutions can be listed; its uncertainty does not matter.
    """

    def __init__(self, instance: Instance) -> None:
        # Imported here, since compiled kernels take time to load.
        from hedgerow.engine.structures.subsets import subset_costs

        pool = complete_pool(instance)
        if pool is None or instance.n_samples > _MOST_SAMPLES:
            raise InputError(
                f"nominal optima can be counted for up to {_MOST_SAMPLES} samples and problems whose solutions can be "
                f"listed; got {instance.n_samples} samples of {type(instance.problem).__name__}."
            )
        self._instance, self._pool = instance, pool
        self._splits = candidate_splits(instance.question_values, questions=instance.questions)
        self._depth = instance.depth if len(self._splits) else 0
        self._cost = subset_costs(np.ascontiguousarray(pool.losses))
        goes_left = instance.observations[:, self._splits.question] <= self._splits.threshold
        self._left: IntArray = (goes_left.astype(np.int64).T << np.arange(instance.n_samples)).sum(axis=1)
        self._everyone = (1 << instance.n_samples) - 1
        self._known: dict[tuple[int, int], _Best] = {}

    @cached_property
    def value(self) -> float:
        """The nominal optimum, in the problem's own sign."""
        return self._instance.sign * self._best(self._everyone, self._depth).value

    @cached_property
    def count(self) -> int:
        """How many structures attain it."""
        return int(self._best(self._everyone, self._depth).n_structures)

    def draw(self, rng: np.random.Generator) -> Tree:
        """Return a nominal optimum, every optimal structure being equally likely."""
        depth = self._depth
        structure = np.empty(2**depth - 1, dtype=np.int64)
        samples = np.empty(2 ** (depth + 1) - 1, dtype=np.int64)
        samples[0] = self._everyone
        for node in range(structure.size):
            best = self._best(int(samples[node]), depth - int(node + 1).bit_length() + 1)
            structure[node] = rng.choice(len(self._splits), p=best.by_split / best.n_structures)
            left = self._left[structure[node]]
            samples[2 * node + 1], samples[2 * node + 2] = samples[node] & left, samples[node] & ~left
        slot = nominal_slots(structure, self._splits, self._instance.observations)
        sums = np.zeros((structure.size + 1, len(self._pool)))
        np.add.at(sums, slot, self._pool.losses)
        tree = tree_of(structure, self._splits, self._pool.solutions[sums.argmin(axis=1)])
        return fill_unreached(tree, np.bincount(slot, minlength=structure.size + 1) > 0)

    def _best(self, samples: int, depth: int) -> _Best:
        """Return the least cost of the samples with this many levels of questions."""
        if depth == 0:
            return _Best(float(self._cost[samples]), 1.0, np.empty(0))
        key = samples, depth
        if key not in self._known:
            # Questions that divide the samples in the same way cost the same.
            parts, part_of = np.unique(samples & self._left, return_inverse=True)
            sides = [(self._best(int(part), depth - 1), self._best(samples & ~int(part), depth - 1)) for part in parts]
            value = np.array([left.value + right.value for left, right in sides])
            count = np.array([left.n_structures * right.n_structures for left, right in sides])
            least = float(value.min())
            attains = value <= least + VALUE * max(1.0, abs(least))
            by_split = np.where(attains, count, 0.0)[part_of]
            self._known[key] = _Best(least, float(by_split.sum()), by_split)
        return self._known[key]
