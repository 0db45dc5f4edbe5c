"""Structures below a cut-off, listed root by root, and the best of them for each choice of questions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import IntArray
from hedgerow.engine.listing.lister import DEEPEST, Block, RootLister, lister_of
from hedgerow.instance import Instance
from hedgerow.methods.units import WorkingUnits
from hedgerow.run import Deadline, Interrupt, Options, Result, StopRunError
from hedgerow.run.wishes import Wishes, keeps, restricted
from hedgerow.tolerances import VALUE
from hedgerow.tree.structure import NO_SPLIT
from hedgerow.tree.tree import Tree

_MOST_LOOKED_AT: Final = 20_000
"""Kinds of structures that the best trees by their questions are chosen from, the best first."""

_MOST_ENTRIES: Final = 2_000_000
"""Most kinds of structures that are kept in memory."""


class GoodTree(NamedTuple):
    """A tree with its loss."""

    tree: Tree
    loss: float


@dataclass(frozen=True, eq=False)
class Listing:
    """All structures over candidate thresholds below a cut-off, in blocks; `lister` is in `units`."""

    lister: RootLister
    blocks: tuple[Block, ...]
    units: WorkingUnits
    wishes: Wishes | None

    @property
    def n_structures(self) -> int:
        """How many structures there are."""
        return sum(int(block.counts.sum()) for block in self.blocks)

    def trees(self) -> Iterator[tuple[Tree, float]]:
        """Yield the tree of every structure with its loss."""
        for block in self.blocks:
            for entry, value in enumerate(block.value.tolist()):
                for structure in block.structures(entry):
                    tree = self.lister.tree(structure, block.choice[entry])
                    yield self.units.tree(tree), value / self.units.losses

    def distinct(self, most: int, must_stop: Callable[[], bool], *, by_value: bool = True) -> tuple[GoodTree, ...]:
        """Return a tree for each choice of questions that all change something: at most `most`, the best first.

        It is the best one or, `by_value`, one for each worst case. Not all trees are looked at where they are very
        many, or where it must stop.
        """
        trees: dict[tuple[float, ...], GoodTree] = {}
        for block, entry, value in self._best_first():
            if len(trees) >= most or (trees and must_stop()):
                break
            root, sides, choice = self._what_matters(block, entry)
            if root == NO_SPLIT and NO_SPLIT not in sides[0] and self.lister.instance.depth == DEEPEST:
                continue  # the same tree as one whose first question is the left one
            for left, right in product(*sides):
                structure = np.array([root, left, right])
                key = *map(self._question, structure.tolist()), float(f"{value:.9g}") if by_value else 0.0
                if key in trees:
                    continue
                tree = self.lister.tree(structure, choice)
                if keeps(tree, self.lister.instance, self.wishes):
                    trees[key] = GoodTree(self.units.tree(tree), value / self.units.losses)
        return tuple(sorted(trees.values(), key=_simplest_of_the_best))

    def _best_first(self) -> Iterator[tuple[Block, int, float]]:
        starts = np.cumsum([0, *(len(block.value) for block in self.blocks)])
        value = np.concatenate([block.value for block in self.blocks]) if self.blocks else np.empty(0)
        for place in np.argsort(value, kind="stable")[:_MOST_LOOKED_AT]:
            number = int(np.searchsorted(starts, place, side="right")) - 1
            yield self.blocks[number], int(place - starts[number]), float(value[place])

    def _question(self, split: int) -> int:
        return -1 if split == NO_SPLIT else int(self.lister.splits.question[split])

    def _what_matters(self, block: Block, entry: int) -> tuple[int, list[list[int]], IntArray]:
        """Return the root, the splits of its sides (one per question), and the plans of an entry.

        Questions that change nothing are left out.
        """
        root, choice, sides = block.root, block.choice[entry].copy(), []
        for side in (0, 1):
            plans = choice[2 * side : 2 * side + 2]
            if plans.min() >= 0 and plans[0] != plans[1]:
                splits = block.members[side][block.pair[entry, side]].tolist()
                sides.append(list({self._question(split): split for split in reversed(splits)}.values()))
            else:
                plans[:] = plans.max(), -1
                sides.append([NO_SPLIT])
        if sides == [[NO_SPLIT], [NO_SPLIT]] and (choice[0] == choice[2] or min(choice[0], choice[2]) < 0):
            root, choice[:1], choice[2] = NO_SPLIT, choice.max(), -1
        return root, sides, choice


def _simplest_of_the_best(good: GoodTree) -> tuple[float, int, int]:
    """Return what trees are sorted by: the worst case, and then how many questions and readings they need."""
    return float(f"{good.loss:.9g}"), int(good.tree.is_inner.sum()), int(good.tree.asked_items.size)


def cutoff_within(within: float, best: Result, instance: Instance, unit: float = 1.0) -> float:
    """Return the loss, in a unit, below which trees are within a margin of the best one.

    Rounding is relative to the best tree's costs. Where these are 0 the cut-off is the least number above 0.
    """
    loss = instance.sign * best.objective
    costs = worst_case(best.tree, instance, margin=best.threshold_margin).cost
    noise = VALUE * float(np.abs(costs).sum())
    return float(np.nextafter(unit * (loss + within * abs(loss) + noise), np.inf))


def listed_within(
    within: float,
    best: Result,
    instance: Instance,
    options: Options,
    deadline: Deadline,
    interrupt: Interrupt | None = None,
) -> tuple[Listing, str]:
    """Return all structures within a margin of the best tree, and what is missing, in a sentence."""
    interrupt = Interrupt() if interrupt is None else interrupt
    inner = instance if options.wishes is None else restricted(instance, options.wishes)
    units = WorkingUnits.of(inner)
    may_stop = options.wishes is not None and options.wishes.shape_trees

    def must_stop() -> bool:
        return interrupt.requested or deadline.passed()

    lister = lister_of(units.scaled(inner), units.options(options), must_stop=must_stop, may_stop=may_stop)
    cutoff, message = cutoff_within(within, best, instance, units.losses), ""
    blocks: list[Block] = []
    entries = 0
    for number, root in enumerate(lister.roots.tolist()):
        try:
            for block in lister.listed(root, cutoff):
                blocks.append(block)
                entries += len(block.value)
        except StopRunError:
            reason = "it was stopped" if interrupt.requested else "time was up"
            message = f"There may be more: {reason} after {number} of {lister.roots.size} first questions."
            break
        if entries > _MOST_ENTRIES:
            message = f"There may be more: no more than {_MOST_ENTRIES:,} kinds of structures are kept."
            break
    if lister.n_hard:
        message = f"{lister.n_hard} structures were too hard to evaluate. {message}".strip()
    return Listing(lister, tuple(blocks), units, options.wishes), message
