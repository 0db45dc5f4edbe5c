"""Whether rules still hold on new rows, with few false alarms however many rows there are.

The regret of each new row is ranked among the reference and all rows before it. As long as rows are exchangeable, ranks
are independent and uniform, and a bet on high regrets wins nothing: with probability 1 − α its capital never reaches
1/α, however long one watches (Ville's inequality). See Vovk, Nouretdinov and Gammerman, *Testing exchangeability
on-line* (ICML 2003), and Ramdas, Grünwald, Vovk and Shafer (Statistical Science 2023, doi:10.1214/23-STS894).
Training rows are refused: rules are chosen to have little regret there, so these rows are not like new ones.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import integer_between, number_at_least
from hedgerow.data.display import Tabular, reader
from hedgerow.data.table import number_matrix
from hedgerow.errors import InputError
from hedgerow.rules import RuleBook
from hedgerow.run import Deadline
from hedgerow.tree.question_kinds import best_for_each
from hedgerow.wording.numbers import amount, counted, printable

if TYPE_CHECKING:
    import pandas as pd

ALARM_AT: Final = 20.0
"""Evidence at which an alarm is raised; under "nothing has changed" it is reached with a chance of 5 % at most."""

_LEARNING_BLOCKS: Final = 50
"""Blocks of new rows that are the reference where none is passed."""
_SEEN_SHARE: Final = 0.1
"""Rows are refused if a larger share of them was used in the fit; with this one simulations stay below 5 % alarms."""

_POWERS: Final = (0.5, 0.7, 0.9)
_SLOPES: Final = (0.25, 0.5, 0.9)
_FIRST_SHARE: Final = 0.5
"""The share of the capital that is bet from the first row on; the rest enters later, for changes that come later."""
_LARGEST_CAPITAL: Final = 1e100
"""Bets stop at this, so that the capital stays finite however long regrets rise."""
_HALF_ENTERED: Final = 250.0
"""Half of that rest enters within this number of rows."""


@dataclass(frozen=True, eq=False, repr=False)
class Watch(Tabular):
    """The result of `watch`.

    Attributes
    ----------
    verdict
        "hold" or "alarm".
    regret, usual_regret
        The mean regret over the rows since the change, or all rows if nothing has changed, and over the reference.
    evidence
        The capital of a bet on higher regrets, by the number of the row that it was reached with, counted from 1; an
        alarm at 20.
    start, since
        The row since which something seems to have changed: its number, counted from 0, and its label. None and empty
        if nothing has.
    n_rows, n_left
        Rows looked at, those taken as a reference included, and rows that the time limit left out.
    unit
        Of the regret.
    """

    verdict: Literal["hold", "alarm"]
    regret: float
    usual_regret: float
    evidence: "pd.Series[float]"
    start: int | None
    since: str
    n_rows: int
    n_left: int
    unit: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        return {**vars(self), "summary": self.summary, "evidence": self.evidence.tolist()}

    def to_frame(self) -> "pd.DataFrame":
        """Return one row: the regret, that of the reference, and the largest evidence."""
        import pandas as pd

        row = {"regret": self.regret, "usual_regret": self.usual_regret, "evidence": self.evidence.max()}
        return pd.DataFrame([row])

    @property
    def summary(self) -> str:
        """The verdict in words, and what to do."""
        now, usual = (f"{amount(mean, self.unit, 4)} per row" for mean in (self.regret, self.usual_regret))
        regret = f"regret is {now}, and {usual} in the reference."
        left = f" The time limit ended before the last {counted(self.n_left, 'row')}." if self.n_left else ""
        if self.start is None:
            return f"The rules hold: no change in {counted(self.n_rows, 'row')}. The {regret}{left}"
        since, rows = printable(self.since), counted(self.n_rows - self.start, "row")
        return (
            f"The rules no longer hold as before: since about {since}, {regret} Call refit with the {rows} since then, "
            f"or with older ones that are like them.{left}"
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw the evidence of a change on matplotlib's axes, or on a new figure if None; return the axes."""
        return reader("plot.curves", "draw_watch")(self, ax)

    def __repr__(self) -> str:
        return f"Watch(verdict={self.verdict!r}, n_rows={self.n_rows})"


def watch(
    rules: Any,
    costs: Any,
    readings: Any = None,
    *,
    context: Any = None,
    reference: Any = None,
    reference_readings: Any = None,
    reference_context: Any = None,
    block: int = 1,
    time_limit: float | None = None,
) -> Watch:
    """Return whether rules still hold on new rows.

    The regret (what the advice costs more than the best plan) is compared with that of a reference by bets on each row
    in turn: if new rows are like those of the reference, an alarm is raised with a chance of 5 % at most, however many
    rows there are, and also if you call this again and again, each time with all rows since the reference.

    Parameters
    ----------
    rules
        A `RuleBook`, a fitted model, or the path of a tree file.
    costs
        True costs of all new rows, in the order of time: an array, or a table whose columns are matched by name. The
        index of a DataFrame names the rows.
    readings
        What was read, where that isn't the costs.
    context
        For rules that ask about context: its rows, one per row of `costs`.
    reference, reference_readings, reference_context
        Costs, and readings or context, of rows to compare with. They must not have been used in the fit: rules have
        less regret on their training rows than on new ones. Without a reference, the first 50 rows (or blocks) are
        taken.
    block
        How many consecutive rows are judged together, by their mean. More than 1 where neighbouring rows are alike.
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
    >>> watch(model, new[:40], reference=past[150:]).verdict
    'hold'
    >>> new[40:] += 20.0
    >>> watch(model, new, reference=past[150:]).verdict
    'alarm'
    """
    deadline = Deadline(None if time_limit is None else number_at_least(time_limit, "time_limit", strict=True))
    size = integer_between(block, "block", 1)
    book, usual = RuleBook.of(rules), None
    if reference is not None:
        usual = _regret(book, "reference", reference, reference_readings, reference_context, deadline)
        if len(usual) < len(reference):
            raise InputError("time_limit ended before all rows of the reference were scored; allow more time.")
    regret = _regret(book, "costs", costs, readings, context, deadline)
    n_learning = 0
    if usual is None:
        n_learning = _LEARNING_BLOCKS * size
        usual = regret[:n_learning]
    if len(usual) < size or len(regret) < n_learning + size:
        raise InputError(
            f"there are no rows to judge: a reference of at least {size} and new rows are needed, or more than "
            f"{_LEARNING_BLOCKS * size} new rows; got {len(regret)}."
        )
    if reference is not None and (readings is None) != (reference_readings is None):
        raise InputError("pass readings for the rows of the reference, too, or for none.")
    return _verdict(book, usual, regret, n_learning, size, len(costs) - len(regret))


# -- regrets of rows ---------------------------------------------------------------------------------------------------


def _regret(
    book: RuleBook, what: str, costs: Any, readings: Any, context: Any, deadline: Deadline
) -> "pd.Series[float]":
    """Return the regret of each row; of the first rows only if time runs out."""
    import pandas as pd

    problem, tree = book.needed_problem(), book.tree
    true = number_matrix(costs, problem.item_names, what)
    read = np.nan_to_num(book.reading_matrix(book.shown(costs, readings, context)))
    if len(read) != len(true):
        raise InputError(f"readings must have one row for each of the {len(true)} rows of {what}; got {len(read)}.")
    if book.training is not None and book.training.share_seen(true) > _SEEN_SHARE:
        raise InputError(
            f"{what} must be rows that were not used in the fit, such as later ones; more than a tenth of these are "
            "training rows, on which the rules have less regret than on new rows."
        )
    plans = best_for_each(problem, true, deadline.remaining)
    n_rows = len(plans)
    true, read = true[:n_rows], read[:n_rows]
    paid = problem.costs(tree.solutions, true)[np.arange(n_rows), tree.choose(read)]
    least = np.array([problem.costs(plans[[row]], true[[row]])[0, 0] for row in range(n_rows)])
    regret = np.maximum(problem.sign * (paid - least), 0.0)
    return pd.Series(regret, index=costs.index[:n_rows] if hasattr(costs, "iloc") else None)


# -- the verdict -------------------------------------------------------------------------------------------------------


def _verdict(
    book: RuleBook, usual: "pd.Series[float]", regret: "pd.Series[float]", n_learning: int, size: int, n_left: int
) -> Watch:
    import pandas as pd

    # Ties are drawn in another way for other rules.
    lots = int(hashlib.sha256(json.dumps(book.tree.to_dict()).encode()).hexdigest()[:8], 16)
    shares = ranks(_block_means(usual, size), _block_means(regret[n_learning:], size), lots)
    rows = n_learning + size * np.arange(1, len(shares) + 1)
    evidence = pd.Series(capital(shares), index=rows)
    start, since = None, ""
    if evidence.max() >= ALARM_AT:
        start = n_learning + size * start_of_change(shares)
        since = f"row {start + 1}" if isinstance(regret.index, pd.RangeIndex) else str(regret.index[start])
    return Watch(
        verdict="hold" if start is None else "alarm",
        regret=float(regret[n_learning if start is None else start :].mean()),
        usual_regret=float(usual.mean()),
        evidence=evidence,
        start=start,
        since=since,
        n_rows=len(regret),
        n_left=n_left,
        unit=book.unit,
    )


def _block_means(values: "pd.Series[float]", size: int) -> FloatArray:
    """Return means over blocks; rows that don't fill a block have to wait."""
    means: FloatArray = values[: len(values) // size * size].to_numpy().reshape(-1, size).mean(axis=1)
    return means


# -- bets --------------------------------------------------------------------------------------------------------------


def ranks(reference: Any, scores: Any, seed: int = 0) -> FloatArray:
    """Return per score the share of scores so far, the reference included, that are larger; ties are drawn by lot.

    >>> ranks([1.0, 2.0, 3.0], [9.0, 0.0]).round(2)
    array([0.16, 0.85])
    """
    lots = np.random.default_rng(seed).random(len(scores))
    rows, shares = np.append(reference, scores), np.empty(len(scores))
    for place, lot in enumerate(lots):
        last = len(reference) + place
        known = rows[: last + 1]
        shares[place] = (np.sum(known > rows[last]) + lot * np.sum(known == rows[last])) / known.size
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
