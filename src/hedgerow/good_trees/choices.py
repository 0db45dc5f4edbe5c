"""Question by question to a tree: the best tree for each choice of questions, for a page on which people choose."""

__all__ = ["Choice", "choices"]

from contextlib import suppress
from typing import Final, NamedTuple

import numpy as np

from hedgerow.engine.listing.lister import Block, RootLister, lister_of
from hedgerow.good_trees.collection import Alternatives, cutoff_within
from hedgerow.good_trees.picks import Alternative, GoodTree, alternative_of
from hedgerow.methods.units import WorkingUnits
from hedgerow.run import Deadline, StopRunError
from hedgerow.run.wishes import restricted
from hedgerow.tree.structure import NO_SPLIT

_ROUNDED: Final = 200


class Choice(NamedTuple):
    """The best tree that asks given questions, by their numbers (level by level, −1 for none), with its extra cost."""

    questions: tuple[int, ...]
    book: Alternative


def choices(
    found: Alternatives, within: float | None = None, most: int = 400, time_limit: float | None = 60.0
) -> list[Choice]:
    """Return the best trees by the questions that they ask, those with the lowest worst case first.

    Parameters
    ----------
    found
        What `hedgerow.alternatives` returned, with its trees listed.
    within
        The margin, relative to the best worst case; that of `found` if left out.
    most
        Most trees.
    time_limit
        Seconds; None for no limit. What was not listed when time is up is left out.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget, alternatives
    >>> from hedgerow.good_trees import choices
    >>> from hedgerow.problems import Selection
    >>> costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    >>> instance = Instance.create(Selection(2, 1), costs, uncertainty=LocalBudget(0.5), depth=1)
    >>> [(choice.questions, round(choice.book.extra_cost, 2)) for choice in choices(alternatives(instance), within=1.0)]
    [((0,), 0.0), ((-1,), 0.36)]
    """
    if not found.listed or found.best.options is None:
        return []
    instance, options = found.instance, found.best.options
    if options.wishes is not None:
        instance = restricted(instance, options.wishes)
    deadline, units = Deadline(time_limit), WorkingUnits.of(instance)
    scaled, in_units = units.scaled(instance), units.options(options)
    lister = lister_of(scaled, in_units, must_stop=deadline.passed, by_question=True)
    lister.must_stop = deadline.passed
    margin = found.within if within is None else within
    cutoff = cutoff_within(margin, found.best, found.instance, units.losses)
    best: dict[tuple[int, ...], tuple[float, Block, int]] = {}
    with suppress(StopRunError):
        for root in lister.roots.tolist():
            for block in lister.listed(root, cutoff):
                _keep_best(block, lister, best)
    offers: list[Choice] = []
    for asked, (value, block, entry) in sorted(best.items(), key=lambda each: each[1][0])[:most]:
        if deadline.passed():
            break
        tree = GoodTree(units.tree(lister.first_tree(block, entry)), value / units.losses)
        is_early = len(offers) < _ROUNDED
        book = alternative_of(tree, found.instance, found.best, round_thresholds=is_early, simplify=False)
        offers.append(Choice(asked, book))
    return offers


def _keep_best(block: Block, lister: RootLister, best: dict[tuple[int, ...], tuple[float, Block, int]]) -> None:
    """Take over the entries that are the best for their questions; those with an idle question are left out."""
    number = np.append(lister.splits.question, -1)
    sides = [
        np.array([number[members[0]] for members in side], dtype=np.int64)[block.pair[:, place]]
        for place, side in enumerate(block.members)
    ]
    one, two, three, four = block.choice.T
    idle = (sides[0] >= 0) & ((one == two) | (np.minimum(one, two) < 0))
    idle |= (sides[1] >= 0) & ((three == four) | (np.minimum(three, four) < 0))
    idle |= (block.root >= 0) & (sides[0] < 0) & (sides[1] < 0) & ((one == three) | (np.minimum(one, three) < 0))
    depth = lister.instance.depth
    for entry in np.flatnonzero(~idle):
        asked: tuple[int, ...] = (int(number[block.root]), int(sides[0][entry]), int(sides[1][entry]))
        if depth < 2:
            asked = asked[1:2] if depth else ()
        elif block.root == NO_SPLIT and asked[1] >= 0:
            continue  # the same tree as one whose first question it is
        value = float(block.value[entry])
        if asked not in best or value < best[asked][0]:
            best[asked] = (value, block, int(entry))
