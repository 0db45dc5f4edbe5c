"""Structures below a cut-off, listed root by root, and the best of them for each choice of questions."""

__all__ = ["GoodTree", "Listing", "cutoff_within", "listed_within"]

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
from hedgerow.run.wishes import restricted
from hedgerow.run.workers import Work, Workers
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

    def distinct(self, most: int, must_stop: Callable[[], bool]) -> tuple[GoodTree, ...]:
        """Return one of the simplest trees for each worst case and advice as read: at most so many, the best first.

        Not all trees are looked at where they are very many, or where it must stop.
        """
        simplest: dict[tuple[float, bytes], tuple[tuple[int, int], GoodTree]] = {}
        for block, entry, value in self._best_first():
            if len(simplest) >= most or (simplest and must_stop()):
                break
            size, structure = self._simplest(block, entry)
            tree = self.units.tree(self.lister.tree(structure, block.choice[entry]))
            key = float(f"{value:.9g}"), tree.predict(self.lister.instance.observations / self.units.readings).tobytes()
            if key not in simplest or size < simplest[key][0]:
                simplest[key] = size, GoodTree(tree, value / self.units.losses)
        ordered = sorted(simplest.items(), key=lambda item: (item[0][0], item[1][0]))
        return tuple(tree for _, (_, tree) in ordered)

    def by_questions(self, most: int, must_stop: Callable[[], bool]) -> tuple[GoodTree, ...]:
        """Return the best tree for each choice of questions that all change something: at most so many, the best first.

        Not all trees are looked at where they are very many, or where it must stop.
        """
        trees: dict[tuple[int, ...], GoodTree] = {}
        for block, entry, value in self._best_first():
            if len(trees) >= most or (trees and must_stop()):
                break
            for left, right in product(*self._sides_that_matter(block, entry)):
                asked = self._asked(block.root, left, right)
                if asked is not None and asked not in trees and len(trees) < most:
                    tree = self.lister.tree(np.array([block.root, left, right]), block.choice[entry])
                    trees[asked] = GoodTree(self.units.tree(tree), value / self.units.losses)
        return tuple(trees.values())

    def _best_first(self) -> Iterator[tuple[Block, int, float]]:
        starts = np.cumsum([0, *(len(block.value) for block in self.blocks)])
        value = np.concatenate([block.value for block in self.blocks]) if self.blocks else np.empty(0)
        for place in np.argsort(value, kind="stable")[:_MOST_LOOKED_AT]:
            number = int(np.searchsorted(starts, place, side="right")) - 1
            yield self.blocks[number], int(place - starts[number]), float(value[place])

    def _question(self, split: int) -> int:
        return -1 if split == NO_SPLIT else int(self.lister.splits.question[split])

    def _asked(self, root: int, left: int, right: int) -> tuple[int, ...] | None:
        """Return what a structure asks: questions by their numbers, level by level, −1 for none.

        None if it is the same tree as one whose first question is the left one.
        """
        asked, depth = tuple(map(self._question, (root, left, right))), self.lister.instance.depth
        if depth < DEEPEST:
            return asked[1 : 1 + depth]
        return None if asked[0] < 0 <= asked[1] else asked

    def _by_question(self, block: Block, entry: int, side: int) -> dict[int, int]:
        """Return for each question that one side of an entry may ask the first split."""
        splits = block.members[side][block.pair[entry, side]].tolist()
        return {self._question(split): split for split in reversed(splits)}

    def _sides_that_matter(self, block: Block, entry: int) -> list[list[int]]:
        """Return for both sides of an entry the splits, one per question, that change something; empty if none does."""
        plans = [_plans(block, entry, side) for side in (0, 1)]
        asks = [len(each) > 1 for each in plans]
        if block.root != NO_SPLIT and not any(asks) and (plans[0] == plans[1] or not all(plans)):
            return [[], []]
        sides = (self._by_question(block, entry, side) for side in (0, 1))
        return [
            [split for split in side.values() if asks_here or split == NO_SPLIT]
            for side, asks_here in zip(sides, asks, strict=True)
        ]

    def _simplest(self, block: Block, entry: int) -> tuple[tuple[int, int], IntArray]:
        """Return a simple structure of an entry, and before it how many questions and readings it needs."""
        known = {self._question(block.root)} - {-1}
        n_questions, structure = len(known), [block.root]
        for side in (0, 1):
            may_ask, plans = self._by_question(block, entry, side), _plans(block, entry, side)
            asked = next((question for question in may_ask if question in known), next(iter(may_ask)))
            structure.append(may_ask[asked])
            if len(plans) > 1:
                known, n_questions = known | {asked}, n_questions + 1
        return (n_questions, len(known)), np.array(structure)


def _plans(block: Block, entry: int, side: int) -> set[int]:
    """Return the plans at one side of an entry, of which there is one where the side's question changes nothing."""
    return {plan for plan in block.choice[entry, 2 * side : 2 * side + 2].tolist() if plan >= 0}


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
    *,
    may_stop: bool = False,
) -> tuple[Listing, str]:
    """Return all structures within a margin of the best tree, and what is missing, in a sentence.

    With `may_stop` a node may also ask nothing, as it may where wishes are about trees.
    """
    interrupt = Interrupt() if interrupt is None else interrupt
    inner = instance if options.wishes is None else restricted(instance, options.wishes)
    units = WorkingUnits.of(inner)
    may_stop = may_stop or (options.wishes is not None and options.wishes.shape_trees)

    def must_stop() -> bool:
        return interrupt.requested or deadline.passed()

    lister = lister_of(units.scaled(inner), units.options(options), must_stop=must_stop, may_stop=may_stop)
    shared, roots = (lister, cutoff_within(within, best, instance, units.losses)), lister.roots.tolist()
    workers = Workers(_listing, shared, options.n_jobs, deadline, interrupt)
    blocks: list[Block] = []
    entries, hard, message = 0, 0, ""
    for number, (below_root, n_hard, reason) in enumerate(workers.results(roots)):
        blocks += below_root
        hard += n_hard
        entries += sum(len(block.value) for block in below_root)
        if reason:
            message = f"There may be more: {reason} after {number} of {len(roots)} first questions."
            break
        if entries > _MOST_ENTRIES:
            message = f"There may be more: no more than {_MOST_ENTRIES:,} kinds of structures are kept."
            break
    if hard:
        message = f"{hard} structures were too hard to evaluate. {message}".strip()
    return Listing(lister, tuple(blocks), units), message


def _listing(shared: tuple[RootLister, float]) -> Work[int, tuple[list[Block], int, str]]:
    """Return what lists the structures below a root: blocks, how many were too hard, and why it was left out."""
    lister, cutoff = shared

    def listed(task: int, deadline: Deadline, interrupt: Interrupt) -> tuple[list[Block], int, str]:
        lister.must_stop = lambda: interrupt.requested or deadline.passed()
        before, blocks, reason = lister.n_hard, list[Block](), ""
        try:
            for block in lister.listed(task, cutoff):
                blocks.append(block)
        except StopRunError:
            reason = "it was stopped" if interrupt.requested else "time was up"
        return blocks, lister.n_hard - before, reason

    return listed
