"""What wishes demand of trees, in numbers: which splits a node may have, and how many items a tree may read."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hedgerow.data.arrays import BoolArray, IntArray
from hedgerow.instance import Instance
from hedgerow.run import Options
from hedgerow.run.wishes import Wishes, question_number
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, slots_below


@dataclass(frozen=True, eq=False)
class Demands:
    """What wishes demand of trees over candidate splits."""

    instance: Instance
    splits: Splits
    allowed: BoolArray  # per inner node, level by level, which splits it may have; the last column is for none
    max_items: int | None  # most different items; None for no limit

    @cached_property
    def reads(self) -> BoolArray:
        """Per split which items it reads; the last row is that of `NO_SPLIT`. On long histories it is large."""
        by_question = np.zeros((len(self.instance.questions) + 1, self.instance.n_features), dtype=bool)
        for number, question in enumerate(self.instance.questions):
            by_question[number, list(question.items)] = True
        by_split: BoolArray = by_question[np.append(self.splits.question, -1)]
        return by_split

    def candidates(self, node: int) -> IntArray:
        """Return the splits that a node may have, with `NO_SPLIT` where it may ask nothing."""
        found = np.flatnonzero(self.allowed[node])
        found[found == len(self.splits)] = NO_SPLIT
        return found

    def may_have(self, structure: IntArray, node: int) -> BoolArray:
        """Return which splits a node may have, all else as it is."""
        allowed: BoolArray = self.allowed[node, :-1]
        if self.max_items is None:
            return allowed
        others = self._asked(structure, node)
        extra = (self.reads[:-1] & ~others).sum(axis=1)
        return np.asarray(allowed & (others.sum() + extra <= self.max_items))

    def keeps(self, structure: IntArray) -> bool:
        """Return whether the questions of a structure are what they may be."""
        nodes = _existing(structure)
        if not self.allowed[nodes, structure[nodes]].all():
            return False
        return self.max_items is None or int(self._asked(structure).sum()) <= self.max_items

    def _asked(self, structure: IntArray, but: int = -1) -> BoolArray:
        """Return which items a structure reads, apart from one node."""
        nodes = [node for node in _existing(structure) if node != but]
        return np.asarray(self.reads[structure[nodes]].any(axis=0), dtype=np.bool_)


def _existing(structure: IntArray) -> list[int]:
    """Return the nodes that don't lie to the right of one that asks nothing."""
    exists = existing_slots(structure)
    return [node for node in range(structure.size) if exists[slots_below(node, structure.size)[0]]]


def demands_of(instance: Instance, options: Options, *, may_stop: bool = True, splits: Splits | None = None) -> Demands:
    """Return what the wishes among the options demand; with `may_stop` a node may also ask nothing."""
    wishes = options.wishes or Wishes()
    if splits is None:
        splits = instance.splits(options.thresholds)
    allowed = np.ones((2**instance.depth - 1, len(splits) + 1), dtype=bool)
    allowed[:, -1] = may_stop or options.max_leaves is not None or options.min_samples_leaf > 0
    if wishes.ask_first is not None:
        allowed[:1, :-1] = splits.question == question_number(instance, wishes.ask_first)
        allowed[:1, -1] = False
    return Demands(instance, splits, allowed, wishes.max_items)
