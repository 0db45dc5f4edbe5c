"""All trees within a margin of the best one: counted first, made when asked for."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from hedgerow.data.checks import in_short, number_at_least
from hedgerow.data.display import Tabular, reader
from hedgerow.engine.listing.lister import suits_listing
from hedgerow.errors import InputError
from hedgerow.good_trees.good_structures import GoodTree, Listing, cutoff_within, listed_within
from hedgerow.good_trees.picks import Alternative, alternative_of, chosen
from hedgerow.instance import Instance
from hedgerow.methods.solve import solve_once
from hedgerow.methods.warm_up import prepare
from hedgerow.run import Deadline, Interrupt, Options, Result
from hedgerow.run.options import generator
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import amount, joined, percentage, sentence
from hedgerow.wording.verdicts import THRESHOLDS, uncertainty_in_words

_MOST_CANDIDATES: Final = 400
"""Most trees that picks are chosen from, the best first."""

_SHARE_FOR_BEST: Final = 0.5
_SHARE_FOR_LIST: Final = 0.8
"""Shares of the time limit: for the best tree, and of what is left then for the list; the rest is for picks."""

_LEAST_SECONDS: Final = 0.01


@dataclass(frozen=True, eq=False)
class Alternatives(Tabular):
    """Trees whose worst case is within a margin of the best one.

    Attributes
    ----------
    instance
        What the trees are for.
    best
        The result with the best tree; extra costs are relative to its objective.
    within
        The margin, relative to the objective.
    n_structures
        How many structures (one candidate split per inner node, each with its best plans) are within the margin.
    complete
        Whether these are proven to be all.
    message
        What is missing, in a sentence; empty if nothing is.
    listing
        The structures; None where they can't be listed, and only the best tree is known.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget, alternatives
    >>> from hedgerow.problems import Selection
    >>> costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    >>> instance = Instance.create(Selection(2, 1), costs, uncertainty=LocalBudget(0.5), depth=1)
    >>> found = alternatives(instance, within=0.3)
    >>> found.n_structures, found.complete
    (1, True)
    >>> [(pick.extra_cost, pick.n_questions) for pick in found.picks]
    [(0.0, 1)]
    """

    instance: Instance
    best: Result
    within: float
    n_structures: int
    complete: bool
    message: str
    listing: Listing | None
    _left: tuple[float, Interrupt]  # seconds that the call has left for picks, and what stops them

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"{name}: {words}" for name, words in self.terms.items())])

    def __repr__(self) -> str:
        return f"Alternatives(within={self.within:g}, n_structures={self.n_structures}, complete={self.complete})"

    def trees(self) -> Iterator[tuple[Tree, float]]:
        """Yield the tree of every structure with its worst case."""
        if self.listing is None:
            yield self.best.tree, self.best.objective
            return
        for tree, loss in self.listing.trees():
            yield tree, self.instance.sign * loss

    def report(self, path: str | Path, **options: Any) -> None:
        """Write the page to choose on to a file; options are those of `hedgerow.report.choosing.choosing_html`."""
        reader("report.choosing", "write_choosing")(self, path, **options)

    @cached_property
    def picks(self) -> tuple[Alternative, ...]:
        """A handful of rule books that differ: the best in each respect, those with the least extra cost first.

        They are chosen in the time that is left of the call's limit; the best tree is always among them.
        """
        deadline, interrupt = Deadline(self._left[0]), self._left[1]

        def must_stop() -> bool:
            return interrupt.requested or deadline.passed()

        candidates = () if self.listing is None else self.listing.distinct(_MOST_CANDIDATES, must_stop)
        if not candidates or candidates[0].loss > cutoff_within(0.0, self.best, self.instance):  # not listed in time
            candidates = (GoodTree(self.best.tree, self.instance.sign * self.best.objective), *candidates)
        return tuple(chosen(candidates, self.instance, self.best, must_stop))

    def choices(
        self, within: float | None = None, most: int = 400, time_limit: float | None = 60.0
    ) -> list[Alternative]:
        """Return the best tree for each choice of questions, those with the lowest worst case first.

        Parameters
        ----------
        within
            The margin, relative to the best worst case; that of the list if left out.
        most
            Most trees.
        time_limit
            Seconds; None for no limit. What was not listed when time is up is left out.
        """
        if self.listing is None or self.best.options is None:
            return []
        deadline = Deadline(time_limit)
        margin = self.within if within is None else within
        listing, _ = listed_within(margin, self.best, self.instance, self.best.options, deadline)
        books: list[Alternative] = []
        for tree in listing.distinct(most, deadline.passed, by_value=False):
            if books and deadline.passed():
                break
            books.append(alternative_of(tree, self.instance, self.best))
        return books

    @property
    def terms(self) -> dict[str, str]:
        """What the trees are compared under, in words: misreading, wishes, and the thresholds of a proof."""
        wishes = None if self.best.options is None else self.best.options.wishes
        best = amount(self.best.objective, self.instance.problem.unit)
        among = "" if wishes is None else "of all trees that keep the wishes, "
        where = f"{among}with {THRESHOLDS[self.best.thresholds]}"
        if self.best.status == "optimal":
            proof = f"{best} is proven to be the best worst case {where}."
        else:
            proof = f"{best} is the best worst case that was found {where}; no proof says that there is no better one."
        if self.best.thresholds != "continuous":
            proof += " Other thresholds may do better."
        instance = self.instance
        words = uncertainty_in_words(instance.uncertainty, instance.reading_unit, len(instance.context))
        terms = {"Misreading": sentence(words)}
        if wishes is not None:
            left_out = "Trees that don’t keep this are left out; some may be better."
            terms["Wishes"] = f"{sentence(joined(wishes.in_words()))} {left_out}"
        return {**terms, "Proof": proof}

    def to_frame(self) -> Any:
        """Return the picks as a DataFrame."""
        import pandas as pd

        names = ("extra_cost", "worst_case", "nominal", "n_questions", "n_asked", "stability")
        rows = [(*(getattr(pick, name) for name in names), ", ".join(pick.reasons)) for pick in self.picks]
        return pd.DataFrame(rows, columns=[*names, "reasons"])

    @property
    def summary(self) -> str:
        """What was found, in a sentence or two."""
        margin, several = percentage(self.within), self.n_structures != 1
        what = f"{self.n_structures:,} {('structure', 'structures')[several]}"
        if not self.complete:
            return f"{what} within {margin} of the best worst case {('was', 'were')[several]} found. {self.message}"
        proof = "proven to be all" if several else "proven to be the only one"
        return f"{what} {('is', 'are')[several]} within {margin} of the best worst case, {proof}."


def alternatives(
    source: Any,
    within: float = 0.01,
    *,
    options: Options | None = None,
    random_state: Any = None,
    interrupt: Interrupt | None = None,
    **changes: Any,
) -> Alternatives:
    """Return all trees whose worst case is within a margin of the best one.

    Complete and proven over candidate thresholds, for trees of depth up to 2 where solutions can be listed. Elsewhere
    it is the best tree alone, and where time or memory run out what was listed; `Alternatives.message` says so.

    Parameters
    ----------
    source
        An `Instance`, or a model fitted in this process.
    within
        The margin, relative to the best worst case.
    options
        Options of the search, such as `wishes`, or `time_limit` for the whole call; those of the model if left out.
    random_state
        A seed, where search decides which tree is best.
    interrupt
        Stops the search from another thread.
    **changes
        Single options by name.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget, alternatives
    >>> from hedgerow.problems import Selection
    >>> instance = Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]], uncertainty=LocalBudget(0.1), depth=1)
    >>> found = alternatives(instance)
    >>> found.best.objective, found.n_structures, found.complete
    (3.0, 2, True)
    """
    instance, options = _source_of(source, options)
    within = number_at_least(within, "within")
    options = options.replace(**changes)
    options = options.replace(thresholds=options.thresholds or "midpoints", method="auto", refine=False)
    if options.thresholds == "continuous":
        raise InputError("alternatives are listed over candidate thresholds; choose midpoints or grid.")
    interrupt = Interrupt() if interrupt is None else interrupt
    deadline = Deadline(options.time_limit)
    reason = suits_listing(instance, options) if instance.depth > 0 else ""
    listable = not reason and instance.depth > 0
    first = options.replace(method="exact") if listable else options
    limit = None if options.time_limit is None else deadline.remaining()
    prepare(instance, first, lists=listable)
    deadline = Deadline(limit)
    if limit is not None:
        first = first.replace(time_limit=max(_LEAST_SECONDS, limit * (_SHARE_FOR_BEST if listable else 1.0)))
    best = solve_once(instance, first, generator(random_state), None, interrupt)
    listing, count, message = None, 1, f"Only the best tree is known, since {reason}." if reason else ""
    if listable:
        left = Deadline(_SHARE_FOR_LIST * deadline.remaining())
        listing, message = listed_within(within, best, instance, options, left, interrupt)
        count = listing.n_structures
        if best.status != "optimal":
            message = f"The best tree is not proven, so that the margin may be too wide. {message}".strip()
    time_left = deadline.remaining(), interrupt
    return Alternatives(instance, best, within, count, not message, message, listing, time_left)


def _source_of(source: Any, options: Options | None) -> tuple[Instance, Options]:
    if isinstance(source, Instance):
        return source, options or Options()
    instance = getattr(source, "_instance", None)
    if not isinstance(instance, Instance):
        raise InputError(
            "alternatives needs a model that was fitted in this process, as in "
            f"alternatives(RobustTree(problem).fit(costs)), or an Instance; got {in_short(source)}."
        )
    own = Options.of(source)
    plain = own.replace(thresholds=None, threshold_margin=None) if own.thresholds == "continuous" else own
    return instance, options or plain
