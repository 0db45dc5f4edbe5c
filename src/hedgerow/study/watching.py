"""Whether rules still hold on new rows, with few false alarms however often one asks.

The regret of each new row is ranked among the reference and all rows before it. As long as rows are exchangeable, ranks
are independent and uniform, and a bet on high regrets wins nothing: with probability 1 − α its capital never reaches
1/α, however long one watches (Ville's inequality). See Vovk, Nouretdinov and Gammerman, *Testing exchangeability
on-line* (ICML 2003), and Ramdas, Grünwald, Vovk and Shafer (Statistical Science 2023, doi:10.1214/23-STS894).
Training rows are refused: rules are chosen to have little regret there, so these rows are not like new ones.
"""

__all__ = [
    "ALARM_AT",
    "Quantity",
    "Watch",
    "capital",
    "checked_state",
    "effective_errors",
    "ranks",
    "start_of_change",
    "watch",
]

import hashlib
import json
import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from hedgerow.adversary.move_cost import move_costs
from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import finite_vector, integer_between, list_some, number_at_least
from hedgerow.data.display import Tabular, reader
from hedgerow.data.table import number_matrix
from hedgerow.errors import FileFormatError, InputError
from hedgerow.geometry import affordable
from hedgerow.problem import Problem, sign_of
from hedgerow.rules import RuleBook
from hedgerow.run import Deadline
from hedgerow.tree.good_plans import best_for_each
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import LocalBudget, Uncertainty
from hedgerow.uncertainty.calibration import paired_errors
from hedgerow.wording.numbers import amount, counted, percentage, printable

if TYPE_CHECKING:
    import pandas as pd

ALARM_AT: Final = 20.0
"""Evidence at which an alarm is raised; under "nothing has changed" it is reached with a chance of 5 % at most."""

_REGRET: Final = "regret"
_ERRORS: Final = "errors outside the budget"
_LEARNING_BLOCKS: Final = 50
"""Blocks of new rows that are the reference where none is passed."""
_FORMAT: Final = "hedgerow-watch 1"
_LARGEST: Final = {_REGRET: 1e250, _ERRORS: 1.0}
"""Largest scores in a state: their sums stay finite."""
_LARGEST_BLOCK: Final = 10_000

_POWERS: Final = (0.5, 0.7, 0.9)
_SLOPES: Final = (0.25, 0.5, 0.9)
_FIRST_SHARE: Final = 0.5
"""The share of the capital that is bet from the first row on; the rest enters later, for changes that come later."""
_LARGEST_CAPITAL: Final = 1e100
"""Bets stop at this, so that the capital stays finite however long regrets rise."""
_HALF_ENTERED: Final = 250.0
"""Half of that rest enters within this number of rows."""


@dataclass(frozen=True)
class Quantity:
    """One quantity that is watched.

    Attributes
    ----------
    name
        "regret" or "errors outside the budget".
    reference, now
        Its mean over the reference, and over the rows since the change; over all rows if nothing has changed.
    evidence
        The largest capital of a bet on its increase.
    """

    name: str
    reference: float
    now: float
    evidence: float


@dataclass(frozen=True, repr=False)
class Watch(Tabular):
    """The result of `watch`.

    Attributes
    ----------
    verdict
        "hold", "alarm", or "learning" while the first rows are collected as the reference.
    summary
        The verdict in words, and what to do.
    quantities
        What is watched, that with most evidence first.
    n_rows, n_new, n_left
        Rows watched so far, those of this call, and those that the time limit left out.
    evidence
        The evidence after each row or block; an alarm at 20.
    since
        Label of the row since which something seems to have changed; empty if nothing has.
    state
        What the next call needs, as plain JSON values.
    """

    verdict: Literal["hold", "alarm", "learning"]
    summary: str
    quantities: tuple[Quantity, ...]
    n_rows: int
    n_new: int
    n_left: int
    evidence: tuple[float, ...]
    since: str
    state: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description, without the state."""
        return {name: value for name, value in asdict(self).items() if name != "state"}

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each quantity: its mean in the reference and now, and the evidence of a change."""
        import pandas as pd

        return pd.DataFrame(map(asdict, self.quantities), columns=["name", "reference", "now", "evidence"])

    def plot(self, ax: Any = None) -> Any:
        """Draw the evidence of a change on matplotlib's axes, or on a new figure if None; return the axes."""
        return reader("plot.curves", "draw_watch")(self, ax)

    def __repr__(self) -> str:
        return f"Watch(verdict={self.verdict!r}, n_rows={self.n_rows}, n_new={self.n_new})"


def watch(
    rules: Any,
    costs: Any,
    readings: Any = None,
    state: Mapping[str, Any] | None = None,
    *,
    reference: Any = None,
    reference_readings: Any = None,
    context: Any = None,
    reference_context: Any = None,
    labels: Sequence[str] | None = None,
    block: int = 1,
    time_limit: float | None = None,
) -> Watch:
    """Return whether rules still hold on new rows.

    Watched are the regret (what the advice costs more than the best plan) and, with readings, how often their errors
    leave the budget. Both are compared with a reference by bets that may be looked at after every row: if new rows are
    like those of the reference, an alarm is raised with a chance of 5 % at most, however long one watches. An alarm
    stays.

    Parameters
    ----------
    rules
        A `RuleBook`, a fitted model, or the path of a tree file.
    costs
        True costs of the new rows, in the order of time: an array, or a table whose columns are matched by name.
    readings
        What was read, where that isn't the costs; in all calls or in none.
    state
        `state` of the call before. Rows whose label it knows are left out, so that each row counts once.
    context
        For rules that ask about context: its rows, one per row of `costs`.
    reference, reference_readings, reference_context
        Costs, and readings or context, of rows to compare with, in the first call. They must not have been used in
        the fit: rules have less regret on their training rows than on new ones. Without a reference, the
        first 50 rows (or blocks) are taken.
    labels
        Names of the rows, such as dates; a DataFrame's index if that isn't a mere count.
    block
        How many consecutive rows are judged together, by their mean. More than 1 where neighbouring rows are alike;
        fixed by the first call.
    time_limit
        Seconds for the whole call. Rows that are left when they end are not judged; `n_left` counts them.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import RobustTree, watch
    >>> from hedgerow.problems import Selection
    >>> rng = np.random.default_rng(0)
    >>> past, new = rng.uniform(0.0, 9.0, (300, 2)), rng.uniform(0.0, 9.0, (80, 2))
    >>> model = RobustTree(Selection(2, 1), depth=1, method="greedy").fit(past[:150])
    >>> first = watch(model, new[:40], reference=past[150:])
    >>> first.verdict
    'hold'
    >>> watch(model, new[40:] + 20.0, state=first.state).verdict
    'alarm'
    """
    deadline = Deadline(None if time_limit is None else number_at_least(time_limit, "time_limit", strict=True))
    book = RuleBook.of(rules)
    known = _new_state(book, block) if state is None else checked_state(state, book)
    if state is None and reference is not None:
        usual = book.shown(reference, reference_readings, reference_context)
        known["reference"] = _scores(book, "reference", reference, usual, reference_readings is not None, deadline)
        if _n_rows(known["reference"]) < len(reference):
            raise InputError("time_limit ended before all rows of the reference were scored; allow more time.")
    shown = book.shown(costs, readings, context)
    _check_lengths("costs", costs, shown)
    names, earlier = _labels(costs, labels), set(known["labels"])
    new_rows = [row for row in range(len(costs)) if not names or names[row] not in earlier]
    if not new_rows:
        return _verdict(known, 0, 0, book.unit)
    new_costs, new_shown = _rows(costs, new_rows), _rows(shown, new_rows)
    scores = _scores(book, "costs", new_costs, new_shown, readings is not None, deadline)
    n_new = _n_rows(scores)
    if (known["rows"] or known["reference"] or scores).keys() != scores.keys():
        raise InputError("pass readings for all rows, those of the reference and of earlier calls too, or for none.")
    known["labels"] += [names[row] if names else "" for row in new_rows[:n_new]]
    known["rows"] = {name: [*known["rows"].get(name, []), *values] for name, values in scores.items()}
    return _verdict(known, n_new, len(new_rows) - n_new, book.unit)


def _labels(costs: Any, labels: Sequence[str] | None) -> list[str]:
    """Return the names of rows; nothing if they have none."""
    if labels is None and hasattr(costs, "iloc") and type(costs.index).__name__ != "RangeIndex":
        labels = list(costs.index)
    if labels is None:
        return []
    names = [str(label) for label in labels]
    if len(names) != len(costs):
        raise InputError(f"labels must have one entry for each of the {len(costs)} rows; got {len(names)}.")
    if len(set(names)) != len(names):
        raise InputError("labels must differ from each other.")
    return names


def _check_lengths(what: str, costs: Any, readings: Any) -> None:
    if readings is not None and len(readings) != len(costs):
        n_rows = len(costs)
        raise InputError(f"readings must have one row for each of the {n_rows} rows of {what}; got {len(readings)}.")


def _rows(table: Any, rows: Sequence[int]) -> Any:
    if table is None:
        return None
    return table.iloc[rows] if hasattr(table, "iloc") else np.asarray(table)[rows]


# -- scores of rows ----------------------------------------------------------------------------------------------------


def _scores(
    book: RuleBook, what: str, costs: Any, shown: Any, has_readings: bool, deadline: Deadline
) -> dict[str, list[float]]:
    """Return what is watched of each row; of the first rows only if time runs out."""
    problem, tree = book.needed_problem(), book.tree
    true = number_matrix(costs, problem.item_names, what)
    _check_lengths(what, costs, shown)
    read = np.nan_to_num(book.reading_matrix(shown))
    best = _best_plans(problem, true, deadline)
    true, read = true[: len(best)], read[: len(best)]
    paid = problem.costs(tree.solutions, true)[np.arange(len(true)), tree.choose(read)]
    least = np.array([problem.costs(best[[row]], true[[row]])[0, 0] for row in range(len(true))])
    scores = {_REGRET: np.maximum(sign_of(problem) * (paid - least), 0.0).tolist()}
    if has_readings and book.observes_costs:
        scores[_ERRORS] = _errors_outside(book, read, np.hstack([true, read[:, book.n_readings :]])).tolist()
    return scores


def _best_plans(problem: Problem, costs: FloatArray, deadline: Deadline) -> FloatArray:
    """Return the best plan of each row; of the first rows only if time runs out."""
    if math.isinf(deadline.remaining()):
        return best_for_each(problem, costs)
    plans: list[FloatArray] = []
    for row in costs:
        plan = problem.best_solution(row[None], time_limit=deadline.remaining()).solution
        if deadline.passed():  # the plan may not be the best one
            break
        plans.append(plan)
    return np.array(plans).reshape(len(plans), len(problem.variable_names))


def _errors_outside(book: RuleBook, read: FloatArray, true: FloatArray) -> FloatArray:
    """Return per row 1 if its error led where the budget doesn't allow; a global budget is shared out evenly."""
    if book.uncertainty.belongs_to_samples:
        raise InputError("a budget per sample belongs to its samples; watching needs one budget.")
    n_sharing = 1 if book.training is None else book.uncertainty.n_sharing(book.training.n_samples)
    allowed = book.uncertainty.budget / n_sharing
    within = affordable(effective_errors(book.tree, read, true, book.uncertainty), allowed)
    return np.where(within, 0.0, 1.0)


def effective_errors(tree: Tree, readings: Any, truth: Any, uncertainty: Uncertainty | None = None) -> FloatArray:
    """Return how far each reading carried its sample in a tree: the move cost from the truth to the reading's leaf.

    Most are zero: the reading led where the truth would have. Prices are those of the set; its limits don't count.

    Examples
    --------
    >>> from hedgerow import Tree
    >>> from hedgerow.study import effective_errors
    >>> tree = Tree.full([0], [5.0], [[1, 0], [0, 1]])
    >>> effective_errors(tree, [[4.0, 0.0], [8.0, 9.0]], [[7.0, 0.0], [9.0, 1.0]])
    array([2., 0.])
    """
    paired_errors(readings, truth)
    prices = None if uncertainty is None else uncertainty.prices
    true, read = (np.asarray(matrix, dtype=np.float64) for matrix in (truth, readings))
    costs = move_costs(tree, true, LocalBudget(0.0, prices=prices))
    return costs[np.arange(len(true)), tree.choose(read)]


# -- the state ---------------------------------------------------------------------------------------------------------


def _new_state(book: RuleBook, block: int) -> dict[str, Any]:
    size = integer_between(block, "block", 1, _LARGEST_BLOCK)
    rules = hashlib.sha256(json.dumps(book.tree.to_dict()).encode()).hexdigest()
    return {"format": _FORMAT, "rules": rules, "block": size, "labels": [], "reference": {}, "rows": {}}


def _n_rows(scores: Mapping[str, Sequence[float]]) -> int:
    return len(scores.get(_REGRET, ()))


def checked_state(state: Any, book: RuleBook) -> dict[str, Any]:
    """Return a copy of a state that `watch` returned for these rules; raise `FileFormatError` for anything else."""
    if not isinstance(state, Mapping) or state.get("format") != _FORMAT:
        raise FileFormatError("this is not a state of hedgerow watch, or that of another version.")
    empty = _new_state(book, 1)
    if state.get("rules") != empty["rules"]:
        raise FileFormatError("the state belongs to other rules; begin a new state for new rules.")
    wrong = sorted(str(name) for name in state.keys() ^ empty.keys())
    if wrong:
        raise FileFormatError(f"the state is damaged: these entries are missing or unknown: {list_some(wrong)}.")
    try:
        return {**state, **_checked_entries(state)}
    except InputError as error:
        raise FileFormatError(f"the state is damaged: {error}") from None


def _checked_entries(state: Mapping[str, Any]) -> dict[str, Any]:
    labels = state["labels"]
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise InputError("labels must be a list of texts.")
    names = [label for label in labels if label]
    if len(set(names)) < len(names):
        raise InputError("labels must differ from each other.")
    block = integer_between(state["block"], "block", 1, _LARGEST_BLOCK)
    reference, rows = (_checked_scores(state[part], part) for part in ("reference", "rows"))
    if _n_rows(rows) != len(labels) or (rows and reference and rows.keys() != reference.keys()):
        raise InputError("rows, labels and reference don't fit together.")
    return {"block": block, "labels": [*labels], "reference": reference, "rows": rows}


def _checked_scores(scores: Any, what: str) -> dict[str, list[float]]:
    """Return the scores of rows; none, those of regrets, or those of errors as well."""
    if not isinstance(scores, Mapping) or {*scores} not in (set(), {_REGRET}, {_REGRET, _ERRORS}):
        raise InputError(f"{what} must have entries for {_REGRET} and {_ERRORS}.")
    if not all(isinstance(values, list) for values in scores.values()):
        raise InputError(f"{what} must hold lists of numbers.")
    checked = {}
    for name, values in scores.items():
        vector = finite_vector(values, f"{what}, {name},", length=len(scores[_REGRET]), per="rows")
        if vector.min(initial=0.0) < 0.0 or vector.max(initial=0.0) > _LARGEST[name]:
            raise InputError(f"{what}, {name}, must be from 0 to {_LARGEST[name]:g}.")
        checked[name] = vector.tolist()
    return checked


# -- the verdict -------------------------------------------------------------------------------------------------------


def _verdict(state: dict[str, Any], n_new: int, n_left: int, unit: str) -> Watch:
    block, labels = state["block"], state["labels"]
    reference, rows = ({name: np.array(part) for name, part in state[key].items()} for key in ("reference", "rows"))
    n_learning = 0 if reference else _LEARNING_BLOCKS * block
    if n_learning:
        reference = {name: values[:n_learning] for name, values in rows.items()}
    lots = int(state["rules"][:8], 16)  # ties are drawn in another way for other rules
    shares = {
        name: ranks(_block_means(reference[name], block), _block_means(values[n_learning:], block), lots)
        for name, values in rows.items()
    }
    # Each bet starts with an equal share of the capital, and the alarm needs one that reaches 20. Their sum would not
    # do: each is a fair game for who sees its own ranks, but perhaps not for who sees those of both.
    paths = {name: capital(ranked) / len(shares) for name, ranked in shares.items()}
    evidence = np.max([*paths.values()], axis=0) if paths else np.zeros(0)
    has_changed = evidence.max(initial=0.0) >= ALARM_AT
    order = sorted(paths, key=lambda name: -paths[name].max(initial=0.0))
    start = n_learning + (block * start_of_change(shares[order[0]]) if has_changed else 0)
    quantities = tuple(
        Quantity(name, float(reference[name].mean()), float(rows[name][start:].mean()), float(paths[name].max()))
        for name in order
        if evidence.size
    )
    since = (labels[start] or f"row {start + 1}") if has_changed else ""
    verdict: Literal["hold", "alarm", "learning"] = "alarm" if has_changed else "hold"
    if len(labels) < n_learning:
        verdict = "learning"
    conclusion = _summary(verdict, quantities, len(labels), len(labels) - start, printable(since), unit)
    summary = f"{conclusion} Rows so far: {len(labels):,}, {n_new:,} of them new."
    if n_left:
        summary += f" The time limit ended before the last {counted(n_left, 'row')}; pass them again."
    path = tuple(evidence.tolist())
    return Watch(verdict, summary, quantities, len(labels), n_new, n_left, path, since, state)


def _block_means(values: FloatArray, size: int) -> FloatArray:
    """Return means over blocks; rows that don't fill a block have to wait."""
    means: FloatArray = values[: len(values) // size * size].reshape(-1, size).mean(axis=1)
    return means


def _summary(verdict: str, quantities: Sequence[Quantity], n_rows: int, n_since: int, since: str, unit: str) -> str:
    if verdict == "learning":
        return "The first rows are collected as the reference."
    if not quantities:
        return "There are no rows to judge yet."
    chosen = next(each for each in quantities if each.name == _REGRET or verdict == "alarm")
    now, before = (
        f"{amount(mean, unit, 4)} per row" if chosen.name == _REGRET else f"{percentage(mean)} of the rows"
        for mean in (chosen.now, chosen.reference)
    )
    if verdict == "hold":
        rows = counted(n_rows, "row")
        return f"The rules hold: no change in {rows}. The regret is {now}, and {before} in the reference."
    return (
        f"The rules no longer hold as before: since about {since}, {chosen.name} is {now}, and {before} in the "
        f"reference. Call refit with the {counted(n_since, 'row')} since then, or with older ones that are like them."
    )


# -- bets --------------------------------------------------------------------------------------------------------------


def ranks(reference: Any, scores: Any, seed: int = 0) -> FloatArray:
    """Return per score the share of scores so far, the reference included, that are larger; ties are drawn by lot.

    >>> ranks([1.0, 2.0, 3.0], [9.0, 0.0]).round(2)
    array([0.16, 0.85])
    """
    lots = np.random.default_rng(seed).random(len(scores))
    earlier = sorted(map(float, reference))
    shares = np.empty(len(scores))
    for place, score in enumerate(map(float, scores)):
        insort(earlier, score)
        below, not_above = bisect_left(earlier, score), bisect_right(earlier, score)
        shares[place] = (len(earlier) - not_above + lots[place] * (not_above - below)) / len(earlier)
    return shares


def capital(shares: FloatArray) -> FloatArray:
    """Return the capital after each row of a bet on low ranks that begins with 1.

    It is the mean over several ways to bet. In each, half of the capital is bet from the first row on, and the rest is
    added over time, so that a change after a quiet year is still noticed soon.

    >>> capital(np.array([0.05, 0.1, 0.02, 0.9])).round(2)
    array([1.31, 1.66, 3.05, 1.93])
    """
    gains = _gains(shares)
    waiting = (1.0 - _FIRST_SHARE) * _HALF_ENTERED / (_HALF_ENTERED + np.arange(len(shares) + 1.0))
    path, bets = np.empty(len(shares)), np.full(gains.shape[1], _FIRST_SHARE)
    for place, gain in enumerate(gains):
        bets = np.minimum((bets + waiting[place] - waiting[place + 1]) * gain, _LARGEST_CAPITAL)
        path[place] = bets.mean() + waiting[place + 1]
    return path


def start_of_change(shares: FloatArray) -> int:
    """Return the row from which on a bet would have won most: an estimate of when the change began.

    >>> start_of_change(np.array([0.5, 0.9, 0.8, 0.01, 0.1, 0.05]))
    3
    """
    won = np.cumsum(np.log(_gains(shares))[::-1], axis=0)[::-1]
    return int(np.argmax(won.max(axis=1)))


def _gains(shares: FloatArray) -> FloatArray:
    """Return what each way to bet multiplies its capital by, per row: the mean over uniform ranks is 1."""
    low = np.maximum(shares, 1e-12)[:, None]
    powers, slopes = np.array(_POWERS), np.array(_SLOPES)
    return np.hstack([powers * low ** (powers - 1.0), 1.0 + slopes * (1.0 - 2.0 * shares[:, None])])
