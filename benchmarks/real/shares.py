"""Trees, simpler ways and costlier ones on measured data: which share each wins of what can be won, with intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks import scope
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell
from benchmarks.real.histories import History, histories
from hedgerow import RobustTree
from hedgerow.data.confidence import block_labels
from hedgerow.study import Comparison, Contender, tune
from hedgerow.study.contenders import Advice, cart, contenders, tree
from hedgerow.study.held_out import Pairs

_TITLE = "Measured data with real readings, out of sample"
_DEPTHS = (2, 3, 4)
_DEPTHS_TO_CHOOSE = (1, 2, 3, 4)
_SIZES: tuple[int | None, ...] = (50, 200, None)
_DRAWS = {50: (0.25, 0.0, 0.5, 0.75)}
"""Where the first of few rows lies, see `History.rows`: with few rows chance matters, so there are several draws."""

_DESCENTS = 4
_FOLDS = {50: 5}
_KINDS = ("items", "plans")
_TUNED, _SOLVING = "tree chosen by tune", "solving for the reading"


@dataclass(frozen=True)
class Case:
    """One comparison: which history, how many rows to learn from, and which draw of them."""

    history: History
    size: int | None
    start: float = 0.25

    @property
    def words(self) -> str:
        """The size in words."""
        return "all" if self.size is None else str(self.size)


def run() -> Outcome:
    """Compare all contenders at all depths and sizes, and see what `tune` makes of the same rows."""
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


def outcome(found: "Sequence[tuple[Case, Comparison]]") -> Outcome:
    """Return tables and goals for some cases."""
    return Outcome(_TITLE, [_table(found)], list(_goals(found)), note=_NOTE)


_NOTE = (
    "N rows are spread evenly over the time to learn from (whole blocks of rows at random for traffic). Nominal and "
    f"robust trees learn from the truth, by local_search with {_DESCENTS} descents and seed 0. Robust trees have depth "
    "2 and the budget of from_errors. tune chooses "
    "among depths 1 to 4, items and 3, 6 or 10 plans, what to learn from and the budget; 5 folds up to 500 rows, 3 "
    "with more. Intervals are for 95 %, from blocks of rows."
)


def in_words(case: Case, comparison: Comparison) -> str:
    """Return all shares of a case in a line."""
    shown = ", ".join(f"{name} {comparison.share(name):.3f}" for name in comparison.names)
    return f"{case.history.name}, N = {case.words}: {shown}"


def compared(case: Case) -> Comparison:
    """Return the comparison of one case, trees of all depths in it."""
    history, rows = case.history, case.history.rows(case.size, case.start)
    problem = history.problem
    train = Pairs.create(problem, history.train[rows], readings=history.train_readings[rows])
    test = Pairs.create(problem, history.test, readings=history.test_readings)
    blocks = None if history.train_blocks is None else history.train_blocks[rows]
    usual = contenders(_searched(train, _KINDS[0], _DEPTHS[0]), (), None, train)
    tuned = Contender(_TUNED, partial(_tuned, blocks, _FOLDS.get(len(rows))), is_tree=True)
    everyone = [*usual, *_trees(train), *_carts(), tuned]
    costs = np.column_stack([test.cost(each.learn(train)(test)) for each in everyone])
    return Comparison(
        names=tuple(each.name for each in everyone),
        costs=costs,
        weights=test.weights,
        blocks=block_labels(history.test_blocks, len(test)),
        is_tree=np.array([each.is_tree for each in everyone]),
        unit=problem.unit,
    )


def _carts() -> Iterator[Contender]:
    for depth in _DEPTHS[1:]:
        yield Contender(f"CART on optimal labels, depth {depth}", partial(cart, depth=depth))


def _trees(train: Pairs) -> Iterator[Contender]:
    """Yield greedy and nominal trees of all depths, and robust ones of the first."""
    for kind in _KINDS:
        for depth in _DEPTHS:
            model, asks = _searched(train, kind, depth), f"({kind}), depth {depth}"
            greedy = partial(tree, model=model, method="greedy", iteration_limit=None)
            yield Contender(f"greedy tree {asks}", greedy, is_tree=True)
            yield Contender(f"nominal tree {asks}", partial(tree, model=model), is_tree=True)
            if depth == _DEPTHS[0]:
                yield Contender(f"robust tree {asks}", partial(tree, model=model, uncertainty=None), is_tree=True)


def _searched(train: Pairs, kind: str, depth: int) -> RobustTree:
    return RobustTree(
        train.problem,
        depth=depth,
        questions=kind,
        method="local_search",
        iteration_limit=_DESCENTS,
        time_limit=None,
        random_state=0,
    )


def _tuned(blocks: np.ndarray | None, folds: int | None, train: Pairs) -> Advice:
    """Let `tune` choose everything, and fit what it chose."""
    model = RobustTree(train.problem, method="local_search", iteration_limit=_DESCENTS, time_limit=None, random_state=0)
    tuning = tune(model, train.costs, readings=train.readings, depths=_DEPTHS_TO_CHOOSE, blocks=blocks, folds=folds)
    tell(tuning.summary)
    fitted = tuning.model
    return lambda new: fitted.predict(new.read)


def _table(found: Sequence[tuple[Case, Comparison]]) -> Table:
    rows = [
        (case.history.name, case.words, case.start, name, each.cost(name), each.share(name), *each.share_interval(name))
        for case, each in found
        for name in each.names
    ]
    columns = ("history", "N", "draw", "decided by", "cost per row", "share won", "from", "to")
    return Table("shares", "Shares of what can be won between one plan and knowing everything", columns, rows)


def _goals(found: Sequence[tuple[Case, Comparison]]) -> Iterator[Goal]:
    few = [each.share(_TUNED) for case, each in found if case.size == _SIZES[0]]
    if few:
        mean = float(np.mean(few))
        draws = len({case.start for case, _ in found if case.size == _SIZES[0]})
        what = f"chosen by tune, N = {_SIZES[0]}, mean share of {len(few) // draws} histories and {draws} draws"
        yield Goal(what, f"{mean:.1%}", "at least 60 %", mean >= 0.6)
    whole = [(case, each) for case, each in found if case.size is None]
    for case, each in whole:
        share, solving = each.share(_TUNED), each.share(_SOLVING)
        goal = "at most 3 points below solving for the reading"
        words = f"{share:.1%} against {solving:.1%}"
        yield Goal(f"{case.history.name}: chosen by tune, all rows", words, goal, share >= solving - 0.03)
    if whole:
        ahead = sum(each.share(_TUNED) > each.share(_SOLVING) for _, each in whole)
        yield Goal("histories where tune's tree beats solving", str(ahead), "at least 1", ahead > 0)
    yield from _never_below_nominal(found)
    for case, each in whole:
        if case.history.name == "pjm":
            cost = each.cost("nominal tree (plans), depth 2")
            what = "pjm: nominal tree (plans), depth 2, cost per day"
            yield Goal(what, f"{cost:.2f}", "at most 107.3", cost <= 107.3)


def _never_below_nominal(found: Sequence[tuple[Case, Comparison]]) -> Iterator[Goal]:
    """Yield whether tuned and robust trees are worse than nominal ones by more than the interval anywhere."""
    pairs = [(_TUNED, f"nominal tree ({kind}), depth {depth}") for kind in _KINDS for depth in _DEPTHS]
    first = _DEPTHS[0]
    pairs += [(f"robust tree ({kind}), depth {first}", f"nominal tree ({kind}), depth {first}") for kind in _KINDS]
    for what, nominal in pairs:
        both = [each for _, each in found if what in each.names and nominal in each.names]
        worse = sum(each.excess(what, nominal)[1].low > 0.0 for each in both)
        goal = "never worse by more than the interval"
        if not both:
            continue
        yield Goal(f"{what} against {nominal}: comparisons lost", f"{worse} of {len(both)}", goal, worse == 0)
