"""Watching rules: false alarms in quiet years, days until a change is noticed, and two real years."""

import numpy as np
import pandas as pd

from benchmarks import scope
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell
from benchmarks.real.histories import histories
from hedgerow import LocalBudget, RobustTree, RuleBook, watch
from hedgerow.data.arrays import FloatArray
from hedgerow.problems import Selection
from hedgerow.study import Watch
from hedgerow.study.watching import ALARM_AT

_YEARS, _DAYS = 1000, 365
_CHANGED_YEARS = 100
_BEFORE = 180
_MOST = 0.05
_REFERENCE = 365
"""The last days before 2016 are the reference; the rules are fitted to those before."""
_PROBLEM = Selection(6, 2)
_CHANGES = {
    "one item 50 % dearer": lambda costs: costs * np.array([1.5, 1, 1, 1, 1, 1]),
    "all items spread twice as far": lambda costs: costs.mean() + 2.0 * (costs - costs.mean()),
    "items 1 and 5 change places": lambda costs: costs[:, [4, 1, 2, 3, 0, 5]],
}
_ERRORS = {"errors twice as large": 2.0, "errors four times as large": 4.0}


def run() -> Outcome:
    """Watch simulated years, quiet and changed, and the German day-ahead market in 2016 and 2017."""
    rules = _rules()
    years = _YEARS // 20 if scope.is_quick() else _YEARS
    alarms = [_year(rules, year).verdict == "alarm" for year in range(years)]
    tell(f"quiet: {sum(alarms)} of {years}")
    delays = [_delay(rules, name, change, factor) for name, change, factor in _changes()]
    real = _real()
    share = float(np.mean(alarms))
    quiet = [(years, sum(alarms), 100.0 * share)]
    goals = [
        Goal(f"false alarms in {years:,} quiet years", f"{100.0 * share:.1f} %", "at most 5 %", share <= _MOST),
        *(Goal(f"{row[0]}: days until noticed, median", f"{row[3]:.0f}" if row[2] else "never") for row in delays),
        *real[1],
    ]
    tables = [
        Table("quiet", f"Quiet years of {_DAYS} days", ("years", "alarms", "alarms (%)"), quiet),
        Table(
            "delays", f"A change after {_BEFORE} quiet days, {_CHANGED_YEARS} years each",
            ("change", "years", "noticed within the year", "days, median", "days, nine of ten"), delays,
        ),
        *real[0],
    ]  # fmt: skip
    return Outcome("Watching rules", tables, goals, note=_NOTE)


_NOTE = (
    "Simulated: two of six items are chosen; costs share a common factor, readings err. Rules of depth 2 are fitted to "
    "200 days, and compared with 400 others. Real: a load of 8 hours on the German market, rules "
    "fitted to the years 2012 to 2014 with yesterday's prices as readings, and watched in blocks of a week; "
    "the reference is 2015."
)


def _days(rng: np.random.Generator, n_days: int) -> FloatArray:
    common = rng.gamma(4.0, 2.0, (n_days, 1))
    return np.round(common + rng.gamma(2.0, np.array([1.0, 1.1, 1.3, 1.5, 1.8, 2.2]), (n_days, 6)), 3)


def _read(rng: np.random.Generator, costs: FloatArray, factor: float = 1.0) -> FloatArray:
    return costs + factor * rng.laplace(0.0, 0.3, costs.shape)


def _rules() -> RuleBook:
    costs = _days(np.random.default_rng(10**6), 200)
    budget = LocalBudget(0.8)
    model = RobustTree(_PROBLEM, depth=2, uncertainty=budget, method="local_search", iteration_limit=20, random_state=0)
    return model.fit(costs).rulebook_


def _year(rules: RuleBook, year: int, change: object = None, factor: float = 1.0) -> Watch:
    rng = np.random.default_rng(year)
    usual = _days(rng, 400)
    usual_read = _read(rng, usual)
    costs = _days(rng, _DAYS)
    later = change(costs) if callable(change) else costs
    true = np.where(np.arange(_DAYS)[:, None] < _BEFORE, costs, later) if (change or factor != 1.0) else costs
    read = np.where(np.arange(_DAYS)[:, None] < _BEFORE, _read(rng, true), _read(rng, true, factor))
    return watch(rules, true, read, reference=usual, reference_readings=usual_read)


def _changes() -> list[tuple[str, object, float]]:
    return [*((name, change, 1.0) for name, change in _CHANGES.items()), *((n, None, f) for n, f in _ERRORS.items())]


def _delay(rules: RuleBook, name: str, change: object, factor: float) -> tuple[object, ...]:
    years = 5 if scope.is_quick() else _CHANGED_YEARS
    days = []
    for year in range(years):
        path = _year(rules, 10_000 + year, change, factor).evidence
        late = np.flatnonzero(path >= ALARM_AT)
        if late.size and late[0] >= _BEFORE:
            days.append(int(late[0]) - _BEFORE + 1)
    ends = [float(np.quantile(days, share)) for share in (0.5, 0.9)] if days else [np.nan, np.nan]
    tell(f"{name}: noticed {len(days)} of {years}, median {ends[0]}")
    return name, years, len(days), *ends


def _real() -> tuple[list[Table], list[Goal]]:
    folder = scope.data_folder()
    if folder is None:
        return [], []
    history = histories(folder)["dayahead"]()
    days = pd.read_csv(folder / "dayahead_de" / "observations.csv")["date"].tolist()[-len(history.test) :]
    model = RobustTree(
        history.problem, depth=2, questions="plans", uncertainty=LocalBudget(10.0), learn_from="readings",
        method="local_search", iteration_limit=10, random_state=0,
    ).fit(history.train[:-_REFERENCE], readings=history.train_readings[:-_REFERENCE])  # fmt: skip
    found = watch(
        model, history.test, history.test_readings, reference=history.train[-_REFERENCE:],
        reference_readings=history.train_readings[-_REFERENCE:], block=7,
    )  # fmt: skip
    dates = pd.DatetimeIndex(pd.to_datetime(days))[found.evidence.index - 1]
    months = found.evidence.groupby(dates.to_period("M"))
    rows = [(str(month), float(part.max())) for month, part in months]
    first = dates[found.evidence >= ALARM_AT][:1]
    words = f"{first[0]:%Y-%m-%d}" if first.size else "none"
    goals = [
        Goal(f"German market 2016–2017, {len(history.test)} days: first alarm", words),
        Goal(
            "… regret, EUR/MWh over 8 hours: 2015, and since the change",
            f"{found.usual_regret:.1f}, {found.regret:.1f}",
        ),
    ]
    return [
        Table("dayahead", "German market: most evidence per month (alarm at 20)", ("month", "evidence"), rows)
    ], goals
