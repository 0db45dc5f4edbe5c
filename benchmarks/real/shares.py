"""Trees, simpler ways and costlier ones on measured data: which share each wins of what can be won, with intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks import scope
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell
from benchmarks.real.histories import History, histories
from hedgerow import RobustTree, compare
from hedgerow.study import Comparison, Contender, tune
from hedgerow.study.contenders import Advice
from hedgerow.study.held_out import Pairs

_TITLE = "Measured data with real readings, out of sample"
_DEPTHS = (2, 3, 4)
_DEPTHS_TO_CHOOSE = (1, 2, 3, 4)
_SIZES: tuple[int | None, ...] = (50, 200, None)
_STARTS = (0.25, 0.75)
_DESCENTS = 10
_TUNED, _SOLVING, _NOMINAL = "tree chosen by tune", "solving for the reading", "nominal tree ({})"
_KINDS = ("items", "plans")


@dataclass(frozen=True)
class _Case:
    """One comparison: which history, how many rows, where the first of them lies, and how deep."""

    history: History
    size: int | None
    start: float
    depth: int

    @property
    def words(self) -> str:
        return "all" if self.size is None else str(self.size)


def run() -> Outcome:
    """Compare all contenders at all depths and sizes, and see what `tune` makes of the same rows."""
    folder = scope.data_folder()
    if folder is None:
        tell(f"{_TITLE}: skipped, no folder with data (say where with --data)")
        return Outcome(_TITLE, [], [], note="Skipped: the data was not at hand. It is not ours to copy.")
    found: list[tuple[_Case, Comparison]] = []
    for read in scope.some(list(histories(folder).values())):
        for case in _cases(read()):
            comparison = compared(case)
            found.append((case, comparison))
            shown = ", ".join(f"{name} {comparison.share(name):.3f}" for name in comparison.names)
            tell(f"{case.history.name}, N = {case.words}, depth {case.depth}: {shown}")
    return Outcome(_TITLE, [_table(found)], list(_goals(found)), note=_NOTE)


_NOTE = (
    "N rows are spread over the time to learn from (whole blocks of rows at random for traffic), twice with different "
    "first rows; the share is that of the mean costs, and the interval that of the first of both. Trees learn from the "
    f"truth, by local_search with {_DESCENTS} descents; the one chosen by tune as tune says."
)


def _cases(history: History) -> Iterator[_Case]:
    for size in scope.some(_SIZES):
        for depth in scope.some(_DEPTHS):
            for start in _STARTS[: 1 if size is None or size >= len(history.train) else None]:
                yield _Case(history, size, start, depth)


def compared(case: _Case) -> Comparison:
    """Return the comparison of one case; `tune` is asked once per rows, at the first depth."""
    history, rows = case.history, case.history.rows(case.size, case.start)
    n_rows = len(rows)
    blocks = None
    if history.train_blocks is not None and history.test_blocks is not None:
        blocks = np.concatenate([history.train_blocks[rows], history.test_blocks + history.train_blocks.max() + 1])
    tuned = Contender(_TUNED, partial(_tuned, None if blocks is None else blocks[:n_rows]), is_tree=True)
    return compare(
        history.problem,
        np.concatenate([history.train[rows], history.test]),
        readings=np.concatenate([history.train_readings[rows], history.test_readings]),
        depth=case.depth,
        questions=_KINDS,
        iteration_limit=_DESCENTS,
        time_limit=None,
        folds=[(range(n_rows), range(n_rows, n_rows + len(history.test)))],
        blocks=blocks,
        others=[tuned] if case.depth == _DEPTHS[0] else [],
    )


def _tuned(blocks: np.ndarray | None, train: Pairs) -> Advice:
    """Let `tune` choose everything, and fit what it chose."""
    model = RobustTree(train.problem, method="local_search", iteration_limit=_DESCENTS, time_limit=None, random_state=0)
    tuning = tune(
        model, train.costs, readings=train.readings, questions=_KINDS, depths=_DEPTHS_TO_CHOOSE, blocks=blocks
    )
    tell(tuning.in_words())
    fitted = tuning.model.fit(train.costs, readings=train.readings)
    return lambda new: fitted.predict(new.read)


def _table(found: Sequence[tuple[_Case, Comparison]]) -> Table:
    rows = []
    for case, comparison in found:
        if case.start != _STARTS[0]:
            continue
        both = [each for other, each in found if (other.history, other.size, other.depth) == _of(case)]
        for name in comparison.names:
            cost = float(np.mean([each.cost(name) for each in both]))
            low, high = comparison.share_interval(name)
            share = float(np.mean([each.share(name) for each in both]))
            rows.append((case.history.name, case.words, case.depth, name, cost, share, low, high))
    columns = ("history", "N", "depth", "decided by", "cost per row", "share won", "from", "to")
    return Table("shares", "Shares of what can be won between one plan and knowing everything", columns, rows)


def _of(case: _Case) -> tuple[History, int | None, int]:
    return case.history, case.size, case.depth


def _goals(found: Sequence[tuple[_Case, Comparison]]) -> Iterator[Goal]:
    few = [each.share(_TUNED) for case, each in found if case.size == _SIZES[0] and _TUNED in each.names]
    if few:
        mean = float(np.mean(few))
        yield Goal("chosen by tune, N = 50, mean share", f"{mean:.1%}", "at least 60 %", mean >= 0.6)
    whole = [(case, each) for case, each in found if case.size is None]
    if whole:
        names = list(dict.fromkeys(case.history.name for case, _ in whole))
        ahead = []
        for name in names:
            mine = [(case, each) for case, each in whole if case.history.name == name]
            share = next(each.share(_TUNED) for _, each in mine if _TUNED in each.names)
            solving = mine[0][1].share(_SOLVING)
            ahead.append(share - solving)
            words = f"{share:.1%} against {solving:.1%}"
            goal = "at most 3 points below solving for the reading"
            yield Goal(f"{name}: chosen by tune, all rows", words, goal, share >= solving - 0.03)
        yield Goal(
            "histories where tune's tree beats solving", str(sum(np.array(ahead) > 0.0)), "at least 1", max(ahead) > 0.0
        )
    yield from _never_below_nominal(found)
    for case, each in whole:
        if case.history.name == "pjm" and case.depth == _DEPTHS[0]:
            cost = each.cost("nominal tree (plans)")
            yield Goal(
                "pjm: nominal tree (plans), depth 2, cost per day", f"{cost:.2f}", "at most 107.3", cost <= 107.3
            )


def _never_below_nominal(found: Sequence[tuple[_Case, Comparison]]) -> Iterator[Goal]:
    """Yield whether tuned and robust trees are worse than nominal ones by more than the interval anywhere."""
    for what in (_TUNED, *(f"robust tree ({kind})" for kind in _KINDS)):
        worse = 0
        count = 0
        for _, each in found:
            nominal = _NOMINAL.format("items" if what == _TUNED else what.split("(")[1].rstrip(")"))
            if what in each.names and nominal in each.names:
                count += 1
                worse += each.excess(what, nominal)[1].low > 0.0
        if count:
            goal = "never below the nominal tree by more than the interval"
            yield Goal(f"{what}: comparisons lost to the nominal tree", f"{worse} of {count}", goal, worse == 0)
