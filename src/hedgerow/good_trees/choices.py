"""Question by question to a tree: the best tree for each choice of questions, for a page on which people choose."""

__all__ = ["Choice", "choices"]

from typing import Final, NamedTuple

from hedgerow.good_trees.collection import Alternatives
from hedgerow.good_trees.good_structures import listed_within
from hedgerow.good_trees.picks import Alternative, alternative_of
from hedgerow.run import Deadline

_ROUNDED: Final = 200
"""Most trees that get round thresholds."""


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
    if found.listing is None or found.best.options is None:
        return []
    deadline = Deadline(time_limit)
    margin = found.within if within is None else within
    listing, _ = listed_within(margin, found.best, found.instance, found.best.options, deadline, may_stop=True)
    offers: list[Choice] = []
    for tree in listing.by_questions(most, deadline.passed):
        if offers and deadline.passed():
            break
        is_early = len(offers) < _ROUNDED
        book = alternative_of(tree, found.instance, found.best, round_thresholds=is_early, simplify=False)
        offers.append(Choice(tree.questions, book))
    return offers
