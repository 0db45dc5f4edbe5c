"""All trees within a margin of the best one: counted first, listed when asked for."""

__all__ = ["Alternatives", "alternatives", "cutoff_within", "source_of"]

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import in_short, integer_between, number_at_least
from hedgerow.data.display import Tabular
from hedgerow.engine.listing.lister import Block, RootLister, lister_of, suits_listing
from hedgerow.errors import InputError
from hedgerow.good_trees.picks import Alternative, GoodTree, chosen
from hedgerow.instance import Instance
from hedgerow.methods.solve import solve_once
from hedgerow.methods.units import WorkingUnits
from hedgerow.methods.warm_up import prepare
from hedgerow.run import Deadline, Interrupt, Options, Result, StopRunError
from hedgerow.run.options import generator
from hedgerow.run.wishes import asking_price, restricted
from hedgerow.run.workers import Work, Workers
from hedgerow.tolerances import VALUE
from hedgerow.tree.structure import NO_SPLIT
from hedgerow.tree.tree import Tree
from hedgerow.wording.budgets import uncertainty_in_words
from hedgerow.wording.numbers import amount, joined, percentage, sentence
from hedgerow.wording.proofs import THRESHOLDS

_MOST_CANDIDATES: Final = 400
"""Most kinds of behaviour that picks are chosen from, the best first."""

_ENTRIES_LOOKED_AT: Final = 500
_RUNS_OF_SEARCH: Final = 4

_SHARE_FOR_BEST: Final = 0.5
_SHARE_FOR_LIST: Final = 0.8
"""Shares of the time limit: for the best tree, and of what is left then for the list; the rest is for picks."""


@dataclass(frozen=True, eq=False)
class _TreesOfSearch:
    """Trees that search has met, sorted by their losses; each is a behaviour of its own."""

    candidates: tuple[GoodTree, ...]

    @property
    def losses(self) -> FloatArray:
        """Per tree its loss."""
        return np.array([each.loss for each in self.candidates])

    def trees(self) -> Iterator[tuple[Tree, float]]:
        """Yield every tree with its loss."""
        return ((each.tree, each.loss) for each in self.candidates)

    def candidate(self, number: int) -> GoodTree:
        """Return one of the trees."""
        return self.candidates[number]


@dataclass(frozen=True, eq=False)
class _TreesOfStructures:
    """All structures over candidate thresholds, in blocks; `lister` is in `units`."""

    lister: RootLister
    blocks: tuple[Block, ...]
    units: WorkingUnits

    @cached_property
    def _groups(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Per entry of all blocks its group and number of structures; per group its loss, in increasing order."""
        if not self.blocks:
            none = np.empty(0, dtype=np.int64)
            return none, none, np.empty(0)
        mark = np.concatenate([block.mark for block in self.blocks])
        value = np.concatenate([block.value for block in self.blocks])
        counts = np.concatenate([block.counts for block in self.blocks])
        key = np.column_stack([mark, np.zeros(len(mark), dtype=np.int64)])
        if not self.lister.instance.uncertainty.is_separable:
            order = np.argsort(value, kind="stable")
            steps = np.diff(value[order], prepend=value[order[0]]) > VALUE * float(np.abs(value).max())
            key[order, 2] = np.cumsum(steps)
        _, first, group = np.unique(key, axis=0, return_index=True, return_inverse=True)
        by_loss = np.argsort(value[first], kind="stable")
        place = np.empty_like(by_loss)
        place[by_loss] = np.arange(by_loss.size)
        return place[group.ravel()], counts, value[first][by_loss]

    @cached_property
    def _entries(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Return where blocks start, entries sorted by group, and per group its end and its number of structures."""
        group, counts, _ = self._groups
        starts = np.cumsum([0, *(len(block.value) for block in self.blocks)])
        sizes = np.bincount(group, weights=counts).astype(np.int64)
        return starts, np.argsort(group, kind="stable"), np.cumsum(np.bincount(group)), sizes

    @property
    def losses(self) -> FloatArray:
        """Per behaviour its loss."""
        return self._groups[2] / self.units.losses

    def trees(self) -> Iterator[tuple[Tree, float]]:
        """Yield the tree of every structure with its loss."""
        for block in self.blocks:
            for entry in range(len(block.value)):
                for structure in block.structures(entry):
                    tree = self.lister.tree(structure, block.choice[entry])
                    yield self.units.tree(tree), float(block.value[entry]) / self.units.losses

    def candidate(self, number: int) -> GoodTree:
        """Return one of the simplest trees of a behaviour."""
        starts, order, ends, sizes = self._entries
        entries = order[ends[number - 1] if number else 0 : ends[number]][:_ENTRIES_LOOKED_AT]
        where = np.searchsorted(starts, entries, side="right") - 1
        simple = (self._simplest(self.blocks[at], int(entries[n] - starts[at])) for n, at in enumerate(where))
        best = min(simple, key=lambda each: each[0])
        tree = self.units.tree(self.lister.tree(*best[1]))
        return GoodTree(tree, float(self.losses[number]), int(sizes[number]))

    def _simplest(self, block: Block, entry: int) -> tuple[tuple[int, int], tuple[IntArray, IntArray]]:
        """Return how many questions and readings the simplest structure of an entry needs, and that structure."""
        choice, splits = block.choice[entry], self.lister.splits
        asked = {int(splits.question[block.root])} if block.root != NO_SPLIT else set()
        n_questions, structure = len(asked), [block.root]
        for side in (0, 1):
            members = block.members[side][block.pair[entry, side]]
            held = {plan for plan in choice[2 * side : 2 * side + 2].tolist() if plan >= 0}
            split = int(members[0])
            if len(held) > 1:
                known = [member for member in members.tolist() if int(splits.question[member]) in asked]
                split = int(known[0] if known else split)
                asked.add(int(splits.question[split]))
                n_questions += 1
            structure.append(split)
        return (n_questions, len(asked)), (np.array(structure), choice)


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
    >>> [(pick.extra_cost, pick.n_questions) for pick in found.picks]
    [(0.0, 1)]
    """

    instance: Instance
    best: Result
    within: float
    n_structures: int
    complete: bool
    message: str
    like: Tree | None
    _listing: _TreesOfSearch | _TreesOfStructures
    _left: tuple[float, Interrupt]  # seconds that the call has left for picks, and what stops them

    def __repr__(self) -> str:
        return (
            f"Alternatives(within={self.within:g}, n_structures={self.n_structures}, "
            f"n_behaviours={self.n_behaviours}, complete={self.complete})"
        )

    @property
    def listed(self) -> bool:
        """Whether trees were listed one by one, rather than met by search."""
        return isinstance(self._listing, _TreesOfStructures)

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
    def behaviours(self) -> tuple[GoodTree, ...]:
        """One of the simplest trees of each behaviour, the best first; at most 400 behaviours."""
        return tuple(map(self._listing.candidate, range(min(self.n_behaviours, _MOST_CANDIDATES))))

    @cached_property
    def picks(self) -> tuple[Alternative, ...]:
        """A handful of rule books that differ: the best in each respect, those with the least extra cost first.

        They are chosen in the time that is left of the call's limit; the best tree is always among them.
        """
        must_stop = _stopping(Deadline(self._left[0]), self._left[1])
        candidates = self.behaviours or (GoodTree(self.best.tree, self.instance.sign * self.best.objective),)
        return tuple(chosen(candidates, self.instance, self.best, self.like, must_stop))

    def to_frame(self) -> Any:
        """Return the picks as a DataFrame, one row each."""
        import pandas as pd

        names = ("extra_cost", "worst_case", "nominal", "n_questions", "n_readings", "stability", "same_advice")
        rows = [(*(getattr(pick, name) for name in names), ", ".join(pick.reasons)) for pick in self.picks]
        table = pd.DataFrame(rows, columns=[*names, "reasons"])
        return table if self.like is not None else table.drop(columns="same_advice")

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"{name}: {words}" for name, words in self.terms.items())])

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
        terms = {"Misreading": sentence(uncertainty_in_words(self.instance.uncertainty, self.instance.reading_unit))}
        if wishes is not None:
            left_out = "Trees that don’t keep this are left out; some may be better."
            terms["Wishes"] = f"{sentence(joined(wishes.in_words()))} {left_out}"
        return {**terms, "Proof": proof}

    @property
    def summary(self) -> str:
        """What was found, in a sentence or two."""
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
        Options of the search, such as `wishes`, or `time_limit` for the whole call; those of the model if left out.
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
    instance, options = source_of(source, options)
    within, max_entries = number_at_least(within, "within"), integer_between(max_entries, "max_entries", 1)
    options = options.replace(**changes)
    options = options.replace(thresholds=options.thresholds or "midpoints", method="auto", refine=False)
    if options.thresholds == "continuous":
        raise InputError("alternatives are listed over candidate thresholds; choose midpoints or grid.")
    like = None if like is None else getattr(like, "tree_", getattr(like, "tree", like))
    interrupt = Interrupt() if interrupt is None else interrupt
    listable = not suits_listing(instance, options) and instance.depth > 0
    prepare(instance, options.replace(method="exact") if listable else options)
    deadline, rng = Deadline(options.time_limit), generator(random_state)
    limit = options.time_limit
    share = None if limit is None else limit * (_SHARE_FOR_BEST if listable else 1.0 / (1.0 + _RUNS_OF_SEARCH))
    first = options.replace(method="exact" if listable else options.method, time_limit=share)
    best, _ = solve_once(instance, first, None, rng, None, interrupt)
    inner = instance if options.wishes is None else restricted(instance, options.wishes)
    listing: _TreesOfSearch | _TreesOfStructures
    if listable and inner.depth > 0:
        units, left = WorkingUnits.of(inner), Deadline(_SHARE_FOR_LIST * deadline.remaining())
        cutoff = cutoff_within(within, best, instance, units.losses)
        task = _ListTask(inner, options, units, cutoff, max_entries)
        listing, counted, message = _all_within(task, left, interrupt, monitor)
        if best.status != "optimal":
            message = f"The best tree is not proven, so that the margin may be too wide. {message}".strip()
    else:
        best, listing = _best_of_search(instance, options, best, within, (deadline, rng, interrupt))
        missing = "These are the best trees that search has met; there may be others."
        counted, message = len(listing.candidates), missing if instance.depth else ""
    time_left = deadline.remaining(), interrupt
    return Alternatives(instance, best, within, counted, not message, message, like, listing, time_left)


def cutoff_within(within: float, best: Result, instance: Instance, unit: float = 1.0) -> float:
    """Return the loss, in a unit, below which trees are within a margin of the best one.

    Rounding is relative to the best tree's costs. Where these are 0 the cut-off is the least number above 0.
    """
    loss = instance.sign * best.objective
    costs = worst_case(best.tree, instance, margin=best.threshold_margin).cost
    noise = VALUE * (float(np.abs(costs).sum()) + best.asking_price)
    return float(np.nextafter(unit * (loss + within * abs(loss) + noise), np.inf))


def source_of(source: Any, options: Options | None) -> tuple[Instance, Options]:
    """Return the instance and the options of what was passed: an instance itself, or a fitted model."""
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


def _stopping(deadline: Deadline, interrupt: Interrupt) -> Callable[[], bool]:
    """Return what says whether to stop."""
    return lambda: interrupt.requested or deadline.passed()


class _ListTask(NamedTuple):
    """What is listed: structures whose loss in working units is below the cut-off, and how many kinds at most."""

    instance: Instance
    options: Options
    units: WorkingUnits
    cutoff: float
    max_entries: int


def _lister_of(shared: tuple[RootLister, float]) -> Work[int, tuple[list[Block], int, str]]:
    """Return what lists the structures below a root: blocks, how many were too hard, and why it was left out."""
    lister, cutoff = shared

    def listed(task: int, deadline: Deadline, interrupt: Interrupt) -> tuple[list[Block], int, str]:
        lister.must_stop = _stopping(deadline, interrupt)
        before, blocks, reason = lister.n_hard, list[Block](), ""
        try:
            for block in lister.listed(task, cutoff):
                blocks.append(block)
        except StopRunError:
            reason = "it was stopped" if interrupt.requested else "time was up"
        return blocks, lister.n_hard - before, reason

    return listed


def _all_within(
    task: _ListTask,
    deadline: Deadline,
    interrupt: Interrupt,
    monitor: Callable[[int, int, int], object] | None,
) -> tuple[_TreesOfStructures, int, str]:
    """Return all structures below the cut-off, how many there are, and what is missing, in a sentence."""
    units = task.units
    shapes = task.options.wishes is not None and task.options.wishes.shape_trees
    instance, options = units.scaled(task.instance), units.options(task.options)
    lister = lister_of(instance, options, must_stop=_stopping(deadline, interrupt), may_stop=shapes)
    shared, roots = (lister, task.cutoff), lister.roots.tolist()
    workers = Workers(_lister_of, shared, task.options.n_jobs, deadline, interrupt)
    blocks: list[Block] = []
    counted, entries, hard, message = 0, 0, 0, ""
    for number, (below_root, n_hard, reason) in enumerate(workers.results(roots)):
        blocks += below_root
        hard += n_hard
        counted += sum(int(block.counts.sum()) for block in below_root)
        entries += sum(len(block.value) for block in below_root)
        if reason:
            message = f"There may be more: {reason} after {number} of {len(roots)} first questions."
            break
        if entries > task.max_entries:
            message = f"There may be more: no more than {task.max_entries:,} kinds of structures are kept."
            break
        if monitor is not None:
            monitor(number + 1, len(roots), counted)
    if hard:
        message = f"{hard} structures were too hard to evaluate. {message}".strip()
    return _TreesOfStructures(lister, tuple(blocks), units), counted, message


def _best_of_search(
    instance: Instance,
    options: Options,
    best: Result,
    within: float,
    running: tuple[Deadline, np.random.Generator, Interrupt],
) -> tuple[Result, _TreesOfSearch]:
    """Return the best result and the best trees that a few runs of search find."""
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
    cutoff = cutoff_within(within, best, instance)
    near = [GoodTree(tree, loss) for tree, loss in trees.items() if loss <= cutoff]
    return best, _TreesOfSearch(tuple(sorted(near, key=lambda each: each.loss)))
