"""Rules, simpler ways and costlier ones on measured data: which share each wins of what can be won, with intervals."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from benchmarks import scope
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell
from benchmarks.real.histories import History, histories
from hedgerow import RobustTree
from hedgerow.data.arrays import FloatArray
from hedgerow.data.gaps import blank
from hedgerow.problems import Problem
from hedgerow.study import Comparison, Tuning, tune
from hedgerow.study.comparison import comparison_of
from hedgerow.study.contenders import Contender, Decided, contenders
from hedgerow.study.held_out import Judged, Pairs

_TITLE = "Measured data with real readings, out of sample"
_SIZES: tuple[int | None, ...] = (50, 200, None)
_DRAWS = {50: (0.25, 0.0, 0.5, 0.75)}
"""Where the first of few rows lies, see `History.rows`: with few rows chance matters, so there are several draws."""

_KINDS = ("items", "plans")
_TUNED, _SOLVING = "rules chosen by tune", "solving for the reading"
_MISSING = (0.1, 0.3)
_DRAWS_OF_GAPS = 5
_WITH_GAPS = ("pjm", "de", "chicago 31→54", "chicago 40→54")
_BEFORE = {"pjm": 91, "de": 79, "dayahead": 47, "chicago 31→54": 82, "chicago 40→54": 82, "chicago 53→34": 34}
"""Shares in percent, all rows, before there were cards and context."""

_MOST_LOST, _MOST_SECONDS = 2.0, 120.0


@dataclass
class Case:
    """One comparison: which history, how many rows to learn from, which draw of them, and what came of it."""

    history: History
    size: int | None
    start: float = 0.25
    seconds: float = 0.0
    choice: str = ""
    lost: dict[float, float] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The size in words."""
        return "all" if self.size is None else str(self.size)


def run() -> Outcome:
    """Compare all contenders at all sizes, and see what `tune` makes of the same rows."""
    folder = scope.data_folder()
    if folder is None:
        tell(f"{_TITLE}: skipped, no folder with data (say where with --data)")
        return Outcome(_TITLE, [], [], note="Skipped: the data was not at hand. It is not ours to copy.")
    found: list[tuple[Case, Comparison]] = []
    every = [read() for read in scope.some(list(histories(folder).values()))]
    for size in scope.some(_SIZES):
        for history in every:
            for start in scope.some(_DRAWS.get(size or 0, (0.25,))):
                case = Case(history, size, start)
                found.append((case, compared(case)))
                tell(in_words(*found[-1]))
    return outcome(found)


def outcome(found: Sequence[tuple[Case, Comparison]]) -> Outcome:
    """Return tables and goals for some cases."""
    return Outcome(_TITLE, [_table(found), _choices(found)], list(_goals(found)), note=_NOTE)


_NOTE = (
    "N rows are spread evenly over the time to learn from (whole blocks of rows at random for traffic). All contenders "
    "are those of compare, which learn from these rows alone; tune has its defaults, and the date as context where "
    "there are dates. Its usual setting, and by how much another one must be better, were chosen on rows to learn from "
    "alone: the last or first 40 % of them, and other rows beside draws of 50. Intervals are for 95 % on as many later "
    "rows. Lost are points of share where readings are blank at random, the mean of five draws."
)


def in_words(case: Case, comparison: Comparison) -> str:
    """Return all shares of a case in a line."""
    shown = ", ".join(f"{name} {comparison.share(name):.3f}" for name in comparison.names)
    told = f"tune took {case.seconds:.0f} s and chose {case.choice}; lost with gaps: {case.lost}"
    return f"{case.history.name}, N = {case.words}: {shown}; suggested {comparison.worth_it}; {told}"


def compared(case: Case) -> Comparison:
    """Return the comparison of one case."""
    history, rows = case.history, case.history.rows(case.size, case.start)
    train = _pairs(history.problem, history.train, history.train_readings, history.train_context).rows(rows)
    test = _pairs(history.problem, history.test, history.test_readings, history.test_context)
    everyone = contenders(RobustTree(history.problem, method="greedy", random_state=0), _KINDS, None, train)
    plain = [_without_context(pairs) for pairs in (train, test)]
    before = time.process_time()
    tuned = tune(
        RobustTree(history.problem, random_state=0),
        train.costs,
        readings=train.readings,
        context=train.context,
    )
    case.seconds, case.choice = time.process_time() - before, str(tuned.chosen)
    tell(tuned.summary)
    n_read = int(tuned.model.tree_.asked_items.size)
    everyone.append(Contender(_TUNED, lambda _: lambda __: Decided(test.advised(tuned.model), n_read)))
    judged = [each.judge(*plain) for each in everyone]
    found = Judged(np.arange(len(test)), np.zeros(len(test), dtype=np.int64), np.stack(judged, axis=1))
    comparison = comparison_of(everyone, found, test)
    if case.size is None and history.name in _WITH_GAPS:
        case.lost = {share: _lost(share, tuned, test, comparison) for share in _MISSING}
    return comparison


def _pairs(problem: Problem, costs: FloatArray, readings: FloatArray, context: Any) -> Pairs:
    return Pairs.create(problem, costs, readings=readings, context=context)


def _without_context(pairs: Pairs) -> Pairs:
    return Pairs.create(pairs.problem, pairs.costs, readings=pairs.readings, weights=pairs.weights)


def _lost(missing: float, tuned: Tuning, test: Pairs, comparison: Comparison) -> float:
    """Return how many points of share are lost if readings are missing at random, on average over some draws."""
    assert test.readings is not None
    costs = []
    for seed in range(_DRAWS_OF_GAPS):
        with_gaps = replace(test, readings=blank(test.readings, missing, seed))
        costs.append(float(test.cost(with_gaps.advised(tuned.model)).mean()))
    gap = comparison.cost("one plan") - comparison.cost("clairvoyant")
    return 100.0 * (float(np.mean(costs)) - comparison.cost(_TUNED)) / gap


def _table(found: Sequence[tuple[Case, Comparison]]) -> Table:
    rows = [
        (
            case.history.name,
            case.words,
            case.start,
            name,
            each.cost(name),
            each.share(name),
            *each.share_interval(name),
            each.readings[place],
            each.solved[place],
        )
        for case, each in found
        for place, name in enumerate(each.names)
    ]
    columns = ("history", "N", "draw", "decided by", "cost per row", "share won", "from", "to", "readings", "solved")
    return Table("shares", "Shares of what can be won between one plan and knowing everything", columns, rows)


def _choices(found: Sequence[tuple[Case, Comparison]]) -> Table:
    rows = [
        (
            case.history.name,
            case.words,
            case.start,
            each.worth_it,
            case.choice,
            case.seconds,
            *map(case.lost.get, _MISSING),
        )
        for case, each in found
    ]
    columns = (
        "history",
        "N",
        "draw",
        "suggested",
        "chosen by tune",
        "seconds",
        *(f"lost at {m:.0%}" for m in _MISSING),
    )
    return Table("choices", "What the rows to learn from suggest", columns, rows)


def _goals(found: Sequence[tuple[Case, Comparison]]) -> Iterator[Goal]:
    few = [each.share(_TUNED) for case, each in found if case.size == _SIZES[0]]
    if few:
        mean = float(np.mean(few))
        what = f"chosen by tune, N = {_SIZES[0]}, mean share of {len(few)} histories and draws"
        yield Goal(what, f"{mean:.1%}", "at least 65 %", mean >= 0.65)
    whole = [(case, each) for case, each in found if case.size is None]
    if whole:
        mean = float(np.mean([each.share(_TUNED) for _, each in whole]))
        yield Goal("chosen by tune, all rows, mean share", f"{mean:.1%}", "at least 71 %", mean >= 0.71)
    for case, each in whole:
        name, share = case.history.name, 100.0 * each.share(_TUNED)
        least = {"de": 83.0, "dayahead": 55.0}.get(name, _BEFORE[name] - _MOST_LOST)
        yield Goal(f"{name}: chosen by tune, all rows", f"{share:.1f} %", f"at least {least:.0f} %", share >= least)
        for missing, most in zip(_MISSING, (1.0, 3.0), strict=True):
            if missing in case.lost:
                lost = case.lost[missing]
                what = f"{name}: {missing:.0%} of the readings missing, points lost"
                yield Goal(what, f"{lost:.1f}", f"at most {most:.0f}", lost <= most)
    if whole:
        seconds = max(case.seconds for case, _ in whole)
        yield Goal("longest tune, seconds", f"{seconds:.0f}", f"at most {_MOST_SECONDS:.0f}", seconds <= _MOST_SECONDS)
    worse = sum(each.excess(_TUNED, _SOLVING)[1].low > 0.0 for _, each in found)
    better = sum(each.excess(_TUNED, _SOLVING)[1].high < 0.0 for _, each in found)
    what = "chosen by tune against solving: comparisons lost and won by more than the interval"
    yield Goal(what, f"{worse} and {better} of {len(found)}", "more won than lost", better > worse)
