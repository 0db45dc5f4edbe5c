"""Whether rules still hold, asked again whenever there are new rows, with few false alarms however often one asks."""

__all__ = ["ALARM", "HOLD", "LEARNING", "Quantity", "Watch", "watch"]

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import integer_between
from hedgerow.errors import FileFormatError, InputError
from hedgerow.rules import RuleBook
from hedgerow.study.betting import begin_of_change, capital, ranks
from hedgerow.study.watched_rows import row_scores
from hedgerow.wording.numbers import amount, counted, percentage

HOLD: Final = "hold"
ALARM: Final = "alarm"
LEARNING: Final = "learning"

_FALSE_ALARMS: Final = 0.05
_ENOUGH: Final = 50
"""Rows, or blocks of rows, that are the reference where none is given."""
_VERSION: Final = 1
_MOST_SHOWN: Final = 3


@dataclass(frozen=True)
class Quantity:
    """One thing that is watched.

    Attributes
    ----------
    name
        "regret", "errors outside the budget", or "use of leaf 2".
    before, now
        Its mean over the reference, and over the rows since `since`; over all rows watched if nothing has changed.
    capital
        What a bet on a change has won, from 1; under "nothing has changed" it reaches 20 with a chance of 5 % at most.
    since
        The row since which it seems to be different.
    """

    name: str
    before: float
    now: float
    capital: float
    since: int


@dataclass(frozen=True)
class Watch:
    """What `watch` found.

    Attributes
    ----------
    verdict
        "hold", "alarm", or "learning" while the first rows are taken as the reference.
    sentence
        The verdict in words, and what to do.
    quantities
        What is watched, the one that has changed most first.
    outside
        Readings beyond their range in training: name, and in how many rows.
    new_plans
        Best plans of rows that no leaf has: in words, in how many rows, and what each saves per row on average.
    n_rows, n_new
        Rows watched so far, and those of this call.
    path
        The capital after each row or block, over everything that is watched; an alarm at 20.
    since
        Label of the row since which something seems to have changed; empty if nothing has.
    state
        What the next call needs, as plain JSON values.
    """

    verdict: str
    sentence: str
    quantities: tuple[Quantity, ...]
    outside: tuple[tuple[str, int], ...]
    new_plans: tuple[tuple[str, int, float], ...]
    n_rows: int
    n_new: int
    path: tuple[float, ...]
    since: str
    state: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description, without the state."""
        return {name: value for name, value in asdict(self).items() if name != "state"}


def watch(
    rules: Any,
    costs: Any,
    readings: Any = None,
    state: Mapping[str, Any] | None = None,
    *,
    reference: Any = None,
    reference_readings: Any = None,
    labels: Sequence[str] | None = None,
    block: int = 1,
) -> Watch:
    """Return whether rules still hold on new rows.

    Watched are the regret (what the advice costs more than the best plan), how often errors of readings leave the
    budget, and how often each leaf is used. Each is compared with a reference by a bet that may be looked at after
    every row: if the rows are like those of the reference, an alarm is raised with a chance of 5 % at most, over all
    quantities and however long one watches. An alarm stays.

    Parameters
    ----------
    rules
        A `RuleBook`, a fitted model, or the path of a tree file.
    costs
        True costs of the new rows, in the order of time: an array, or a table whose columns are matched by name.
    readings
        What was read, where that isn't the costs.
    state
        `state` of the call before. Rows whose label it knows are left out, so that each row counts once.
    reference, reference_readings
        Costs and readings of rows to compare with, in the first call: the training rows, or better ones that the fit
        has not seen. Without any, the first 50 rows (or blocks) are the reference.
    labels
        What the rows are called, such as dates; a DataFrame's index if that isn't a mere count.
    block
        How many consecutive rows are judged together, by their mean. More than 1 where neighbouring rows are alike;
        fixed by the first call.

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
    >>> watch(model, new[40:] + [0.0, 20.0], state=first.state).verdict
    'alarm'
    """
    book = RuleBook.of(rules)
    kept = _begun(book, block, state)
    if state is None and reference is not None:
        kept["reference"] = row_scores(book, reference, reference_readings)[0]
    if readings is not None and len(readings) != len(costs):
        n_rows = len(costs)
        raise InputError(f"readings must have one row for each of the {n_rows} rows of costs; got {len(readings)}.")
    names = _labels(costs, labels)
    seen = set(kept["labels"])
    fresh = np.array([row for row in range(len(costs)) if not names or names[row] not in seen], dtype=np.int64)
    if fresh.size:
        scores, notes = row_scores(book, _rows(costs, fresh), None if readings is None else _rows(readings, fresh))
        for name, values in scores.items():
            kept["scores"].setdefault(name, []).extend(values)
        kept["labels"] += [names[row] if names else "" for row in fresh.tolist()]
        for name, count in notes["outside"].items():
            kept["outside"][name] = kept["outside"].get(name, 0) + count
        for text, (count, saved) in notes["plans"].items():
            before = kept["plans"].get(text, [0, 0.0])
            kept["plans"][text] = [before[0] + count, before[1] + saved]
    return _judged(book, kept, int(fresh.size))


# -- rows and what is kept of them -------------------------------------------------------------------------------------


def _begun(book: RuleBook, block: int, state: Mapping[str, Any] | None) -> dict[str, Any]:
    fingerprint = hashlib.sha256(json.dumps(book.tree.to_dict()).encode()).hexdigest()
    if state is None:
        size = integer_between(block, "block", 1)
        start: dict[str, Any] = {"version": _VERSION, "rules": fingerprint, "block": size, "labels": [], "scores": {}}
        return {**start, "reference": {}, "outside": {}, "plans": {}}
    if not hasattr(state, "get") or state.get("version") != _VERSION:
        raise FileFormatError("this is no state of hedgerow watch, or that of another version.")
    if state.get("rules") != fingerprint:
        raise InputError("the state belongs to other rules; begin anew with new rules.")
    kept: dict[str, Any] = json.loads(json.dumps(dict(state)))
    return kept


def _labels(costs: Any, labels: Sequence[str] | None) -> list[str]:
    """Return what rows are called; nothing if they have no names."""
    if labels is None and hasattr(costs, "iloc") and type(costs.index).__name__ != "RangeIndex":
        labels = [str(label) for label in costs.index]
    if labels is None:
        return []
    names = [str(label) for label in labels]
    if len(names) != len(costs):
        raise InputError(f"labels must have one entry for each of the {len(costs)} rows; got {len(names)}.")
    if len(set(names)) != len(names):
        raise InputError("labels must differ from each other.")
    return names


def _rows(table: Any, rows: IntArray) -> Any:
    return table.iloc[rows] if hasattr(table, "iloc") else np.asarray(table)[rows]


# -- the verdict -------------------------------------------------------------------------------------------------------


def _judged(book: RuleBook, kept: dict[str, Any], n_new: int) -> Watch:
    size, n_rows = kept["block"], len(kept["labels"])
    reference, scores = (
        {name: np.array(values) for name, values in kept[part].items()} for part in ("reference", "scores")
    )
    skip = 0
    if not reference and n_rows >= _ENOUGH * size:
        skip = _ENOUGH * size
        reference = {name: values[:skip] for name, values in scores.items()}
    judged = _columns(book, reference, {name: values[skip:] for name, values in scores.items()})
    # Means over blocks; rows that don't fill a block have to wait.
    columns = {
        name: [part[: len(part) // size * size].reshape(-1, size).mean(axis=1) for part in parts]
        for name, parts in judged.items()
    }
    found = {name: ranks(old, new) for name, (old, new) in columns.items() if new.size}
    paths = {name: capital(ranked) for name, ranked in found.items()}
    total = _together(paths)
    alarmed = total >= 1.0 / _FALSE_ALARMS
    quantities = []
    for name, ranked in found.items():
        before, new = columns[name]
        since = begin_of_change(ranked) if alarmed.any() else 0
        quantities.append(
            Quantity(
                name, float(before.mean()), float(new[since:].mean()), float(paths[name].max()), skip + since * size
            )
        )
    quantities.sort(key=lambda each: -each.capital)
    verdict = LEARNING if not reference else ALARM if alarmed.any() else HOLD
    since = quantities[0].since if verdict == ALARM else n_rows
    plans = sorted(kept["plans"].items(), key=lambda each: -each[1][1])[:_MOST_SHOWN]
    return Watch(
        verdict=verdict,
        sentence=_sentence(book, verdict, quantities, n_rows, since, kept["labels"]),
        quantities=tuple(quantities),
        outside=tuple(sorted(kept["outside"].items(), key=lambda each: -each[1])),
        new_plans=tuple((text, int(count), saved / count) for text, (count, saved) in plans),
        n_rows=n_rows,
        n_new=n_new,
        path=tuple(total.tolist()),
        since=_called(kept["labels"], since) if since < n_rows else "",
        state=kept,
    )


def _columns(
    book: RuleBook, reference: Mapping[str, FloatArray], scores: Mapping[str, FloatArray]
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Return what is watched as pairs of reference and new rows."""
    if not reference or not scores:
        return {}
    columns = {"regret": (reference["regret"], scores["regret"])}
    if "outside" in reference and "outside" in scores:
        columns["errors outside the budget"] = (reference["outside"], scores["outside"])
    if book.tree.n_leaves > 1:
        for leaf in range(book.tree.n_leaves):
            old, new = ((part["leaf"] == leaf).astype(np.float64) for part in (reference, scores))
            columns[f"use of leaf {leaf}"] = (old, new)
    return columns


def _together(paths: Mapping[str, FloatArray]) -> FloatArray:
    """Return the capital over all quantities: their mean, in which all leaves together count as one."""
    leaves = [path for name, path in paths.items() if name.startswith("use of leaf")]
    others = [path for name, path in paths.items() if not name.startswith("use of leaf")]
    parts = [*others, *([np.mean(leaves, axis=0)] if leaves else [])]
    return np.mean(parts, axis=0) if parts else np.zeros(0)


def _called(labels: list[str], row: int) -> str:
    return labels[row] or f"row {row + 1}"


def _sentence(
    book: RuleBook, verdict: str, quantities: Sequence[Quantity], n_rows: int, since: int, labels: list[str]
) -> str:
    if verdict == LEARNING:
        return f"{counted(n_rows, 'row')} so far; the first ones are taken as the reference, until there are enough."
    if not quantities:
        return "The rules hold as far as is known: there are no rows to judge yet."
    first = quantities[0]
    if verdict == HOLD:
        regret = next(each for each in quantities if each.name == "regret")
        return (
            f"The rules hold: no change in {counted(n_rows, 'row')}. The regret is {amount(regret.now, book.unit, 4)} "
            f"per row, and {amount(regret.before, book.unit, 4)} in the reference."
        )
    if first.name == "regret":
        values = [f"{amount(value, book.unit, 4)} per row" for value in (first.now, first.before)]
    else:
        values = [f"{percentage(value, 1)} of the rows" for value in (first.now, first.before)]
    rest = counted(n_rows - since, "row")
    return (
        f"The rules no longer hold as before: since about {_called(labels, since)}, {first.name} is {values[0]}, "
        f"and {values[1]} in the reference. Fit anew with the {rest} since then, or with older ones that are like them."
    )
