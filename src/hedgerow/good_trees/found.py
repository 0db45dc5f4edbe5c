"""All trees within a margin of the best one: counted first, listed when asked for."""

__all__ = ["Alternatives", "alternatives"]

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, integer_between, number_at_least
from hedgerow.engine.listing.roots import Block, RootLister
from hedgerow.engine.listing.wished import ground_of, suits_listing
from hedgerow.errors import InputError
from hedgerow.good_trees.listings import Listing, Met, OfStructures
from hedgerow.good_trees.picks import Alternative, Candidate, chosen
from hedgerow.instance import Instance
from hedgerow.methods.solve import solve_once
from hedgerow.methods.warm_up import prepare
from hedgerow.run import Deadline, Interrupt, Options, Result
from hedgerow.run.options import generator
from hedgerow.run.wishes import asking_price, restricted
from hedgerow.run.workers import Work, Workers
from hedgerow.tolerances import VALUE
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import percentage

_MOST_CANDIDATES: Final = 400
"""Most kinds of behaviour that picks are chosen from, the best first."""

_RUNS_OF_SEARCH: Final = 4


@dataclass(frozen=True, eq=False)
class Alternatives:
    """Trees whose worst case is within a margin of the best one.

    Attributes
    ----------
    instance
        What the trees are for.
    best
        The result with the best tree; prices are relative to its objective.
    within
        The margin, relative to the objective.
    n_structures
        How many structures (one candidate split per inner node, each with its best plans) are within the margin.
    complete
        Whether these are proven to be all.
    message
        What is missing, in a sentence; empty if nothing is.
    like
        A tree to compare the advice with, if one was given.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget, alternatives
    >>> from hedgerow.problems import Selection
    >>> costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    >>> instance = Instance.create(Selection(2, 1), costs, uncertainty=LocalBudget(0.5), depth=1)
    >>> found = alternatives(instance, within=0.3)
    >>> found.n_structures, found.n_behaviours, found.complete
    (1, 1, True)
    >>> [(pick.price, pick.n_questions) for pick in found.picks]
    [(0.0, 1)]
    """

    instance: Instance
    best: Result
    within: float
    n_structures: int
    complete: bool
    message: str
    like: Tree | None
    _listing: Listing

    def __repr__(self) -> str:
        return (
            f"Alternatives(within={self.within:g}, n_structures={self.n_structures}, "
            f"n_behaviours={self.n_behaviours}, complete={self.complete})"
        )

    @property
    def listed(self) -> bool:
        """Whether trees were listed one by one, rather than met by search."""
        return not isinstance(self._listing, Met)

    @property
    def n_behaviours(self) -> int:
        """How many different ways to behave the trees have: advice as read, and worst cost of each sample.

        Under a global budget it is the advice as read and the worst case as a whole.
        """
        return len(self._listing.losses)

    @property
    def values(self) -> FloatArray:
        """Per behaviour its worst case in the problem's own sign, the best first."""
        return self.instance.sign * self._listing.losses

    def trees(self) -> Iterator[tuple[Tree, float]]:
        """Yield the tree of every structure with its worst case."""
        return ((tree, self.instance.sign * loss) for tree, loss in self._listing.trees())

    @cached_property
    def behaviours(self) -> tuple[Candidate, ...]:
        """One of the simplest trees of each behaviour, the best first; at most 400 behaviours."""
        return tuple(map(self._listing.candidate, range(min(self.n_behaviours, _MOST_CANDIDATES))))

    @cached_property
    def picks(self) -> tuple[Alternative, ...]:
        """A handful of rule books that differ: the best in each respect, with prices relative to the best one."""
        return tuple(chosen(self.behaviours, self.instance, self.best, self.like))

    def summary(self) -> str:
        """Return what was found in a sentence or two."""
        margin = percentage(self.within)
        if not self.complete:
            several = self.n_structures != 1
            what = ("structure", "structures")[several]
            found = f"{what} within {margin} of the best worst case {('was', 'were')[several]} found"
            return f"{self.n_structures:,} {found}. {self.message}"
        if self.n_structures == 1:
            return f"1 structure is within {margin} of the best worst case, proven to be the only one."
        return (
            f"{self.n_structures:,} structures are within {margin} of the best worst case, proven to be all; "
            f"they behave in {self.n_behaviours:,} different way{'s' if self.n_behaviours > 1 else ''}."
        )


def alternatives(
    source: Any,
    within: float = 0.01,
    *,
    options: Options | None = None,
    like: Any = None,
    max_entries: int = 2_000_000,
    random_state: Any = None,
    monitor: Callable[[int, int, int], object] | None = None,
    interrupt: Interrupt | None = None,
    **changes: Any,
) -> Alternatives:
    """Return all trees whose worst case is within a margin of the best one.

    Complete and proven over candidate thresholds, for trees of depth up to 2 where solutions can be listed. Elsewhere,
    and where time or memory run out, it is what was met, and `Alternatives.message` says so.

    Parameters
    ----------
    source
        An `Instance`, or a model fitted in this process.
    within
        The margin, relative to the best worst case.
    options
        Options of the search, such as `time_limit` or `wishes`; those of the model if left out.
    like
        A tree, rule book or model: picks say how often they advise the same.
    max_entries
        Most kinds of structures that are kept in memory.
    random_state
        A seed, where search decides.
    monitor
        Called now and then with the number of first questions done, of all of them, and of structures so far.
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
    within, max_entries = number_at_least(within, "within"), integer_between(max_entries, "max_entries", 1)
    instance, options = _asked(source, options)
    options = options.replace(**changes)
    options = options.replace(thresholds=options.thresholds or "midpoints", method="auto", refine=False)
    if options.thresholds == "continuous":
        raise InputError("alternatives are listed over candidate thresholds; choose midpoints or grid.")
    like = None if like is None else getattr(like, "tree_", getattr(like, "tree", like))
    interrupt = Interrupt() if interrupt is None else interrupt
    listable = not suits_listing(instance) and instance.depth > 0
    prepare(instance, options.replace(method="exact") if listable else options)
    deadline, rng = Deadline(options.time_limit), generator(random_state)
    limit = options.time_limit
    share = None if limit is None else limit / (2.0 if listable else 1.0 + _RUNS_OF_SEARCH)
    first = options.replace(method="exact" if listable else options.method, time_limit=share)
    best, _ = solve_once(instance, first, None, rng, None, interrupt)
    cutoff = cutoff_within(within, best, instance)
    inner, wishes = (instance, None) if options.wishes is None else restricted(instance, options.wishes)
    if not listable or inner.depth == 0:
        return _met(instance, options, best, cutoff, within, like, (deadline, rng, interrupt))
    ground = ground_of(inner, options.replace(wishes=wishes), may_stop=wishes is not None and wishes.shape_trees)
    running = options.n_jobs, deadline, interrupt
    workers = Workers(_lister_of, (ground.lister, cutoff), *running)
    blocks, counted, n_hard, message = _listed(ground.lister.candidates[0].tolist(), workers, max_entries, monitor)
    listing = OfStructures(ground, tuple(blocks))
    if n_hard:
        message = f"{n_hard} structures were too hard to evaluate. {message}".strip()
    if best.status != "optimal":
        message = f"The best tree is not proven, so that the margin may be too wide. {message}".strip()
    return Alternatives(instance, best, within, counted, not message, message, like, listing)


def cutoff_within(within: float, best: Result, instance: Instance) -> float:
    """Return the loss below which trees are within a margin of the best one; rounding is relative to its costs."""
    loss = instance.sign * best.objective
    costs = worst_case(best.tree, instance, margin=best.threshold_margin).cost
    noise = VALUE * (float(np.abs(costs).sum()) + best.asking_price)
    return float(np.nextafter(loss + within * abs(loss) + noise, np.inf))


def _asked(source: Any, options: Options | None) -> tuple[Instance, Options]:
    if isinstance(source, Instance):
        return source, options or Options()
    instance = getattr(source, "_instance", None)
    if not isinstance(instance, Instance):
        raise InputError(
            f"alternatives needs an Instance, or a model that was fitted in this process; got {in_short(source)}."
        )
    kept = Options.of(source)
    plain = kept.replace(thresholds=None, threshold_margin=None) if kept.thresholds == "continuous" else kept
    return instance, options or plain


def _lister_of(shared: tuple[RootLister, float]) -> Work[int, tuple[list[Block], int, str]]:
    """Return what lists the structures below a root: blocks, how many were too hard, and why it was left out."""
    lister, cutoff = shared

    def listed(task: int, deadline: Deadline, interrupt: Interrupt) -> tuple[list[Block], int, str]:
        if deadline.passed() or interrupt.requested:
            return [], 0, "time was up" if deadline.passed() else "it was stopped"
        before, blocks = lister.n_hard, list[Block]()
        for block in lister.listed(task, cutoff):
            if deadline.passed() or interrupt.requested:
                return blocks, lister.n_hard - before, "time was up" if deadline.passed() else "it was stopped"
            blocks.append(block)
        return blocks, lister.n_hard - before, ""

    return listed


def _listed(
    roots: list[int],
    workers: Workers[Any, int, tuple[list[Block], int, str]],
    max_entries: int,
    monitor: Callable[[int, int, int], object] | None,
) -> tuple[list[Block], int, int, str]:
    """Return all structures below the cut-off, how many there are, how many were too hard, and what is missing."""
    blocks: list[Block] = []
    counted, entries, hard = 0, 0, 0
    for number, (found, n_hard, reason) in enumerate(workers.results(roots)):
        blocks += found
        hard += n_hard
        counted += sum(int(block.counts.sum()) for block in found)
        entries += sum(len(block.value) for block in found)
        if reason:
            missing = f"There may be more: {reason} after {number} of {len(roots)} first questions."
            return blocks, counted, hard, missing
        if entries > max_entries:
            missing = f"There may be more: no more than {max_entries:,} kinds of structures are kept."
            return blocks, counted, hard, missing
        if monitor is not None:
            monitor(number + 1, len(roots), counted)
    return blocks, counted, hard, ""


def _met(
    instance: Instance,
    options: Options,
    best: Result,
    cutoff: float,
    within: float,
    like: Tree | None,
    running: tuple[Deadline, np.random.Generator, Interrupt],
) -> Alternatives:
    """Return the best trees that a few runs of search find."""
    deadline, rng, interrupt = running
    trees = {best.tree: instance.sign * best.objective}
    for number in range(_RUNS_OF_SEARCH if instance.depth else 0):
        if deadline.passed() or interrupt.requested:
            break
        seconds = None if options.time_limit is None else deadline.share(_RUNS_OF_SEARCH - number)
        limit = 3 if options.iteration_limit is None else options.iteration_limit
        search = options.replace(method="local_search", time_limit=seconds, iteration_limit=limit)
        result, _ = solve_once(instance, search, None, rng, None, interrupt)
        attack = worst_case(result.tree, instance)
        trees[result.tree] = instance.sign * attack.bound + asking_price(result.tree, instance, options.wishes)
    least = min(trees.values())
    if least < instance.sign * best.objective:
        best = dataclasses.replace(best, tree=min(trees, key=lambda tree: trees[tree]), objective=instance.sign * least)
        cutoff = least + within * abs(least)
    kept = sorted((Candidate(tree, loss) for tree, loss in trees.items() if loss <= cutoff), key=lambda each: each.loss)
    missing = "These are the best trees that search has met; there may be others."
    complete = instance.depth == 0
    return Alternatives(
        instance, best, within, len(kept), complete, "" if complete else missing, like, Met(tuple(kept))
    )
