"""A rule on features: weekday and yesterday's prices decide in the evening when tomorrow's load runs."""

import numpy as np
import pandas as pd

from benchmarks import scope
from benchmarks.instances import LOAD, electricity_by_day
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell
from hedgerow import LocalBudget, Nominal, RobustTree, evaluate
from hedgerow.export.text import to_text
from hedgerow.tree.question_kinds import best_for_each
from hedgerow.uncertainty import Uncertainty

_TRAINED_UNTIL = "2015-12-31"
_N_DAYS = 40
_DRAWS = (0, 1, 2, 3, 4)
_SECONDS = 60.0
_FRACTIONS = (0.01, 0.02, 0.05)
_COLUMNS = ("draw", "rule", "asks about", "status", "training", "at worst", "2016–2017")


def run() -> Outcome:
    """Fit rules to some days up to 2015 and see what they cost in the two years after."""
    folder = scope.data_folder()
    if folder is None:
        tell("features: skipped, no folder with data (say where with --data)")
        return Outcome("A rule on features", [], [], note="Skipped: the data was not at hand. It is not ours to copy.")
    days = electricity_by_day(folder)
    rows = [row for draw in scope.some(_DRAWS) for row in _draw(draw, *days)]
    figures = pd.DataFrame(rows, columns=_COLUMNS)
    means = figures.groupby("rule", sort=False)[list(_COLUMNS[-3:])].mean()
    note = (
        f"EUR/MWh, mean over the hours run. Each draw trains on {_N_DAYS} random days up to {_TRAINED_UNTIL} and is "
        "used on all days after. Known is the weekday (Monday is 0), which is never misread, and yesterday's prices, "
        "which may be off within the budget."
    )
    tables = [
        Table("means", "Eight hours a day, mean over the draws", ("rule", *_COLUMNS[-3:]), list(means.itertuples())),
        Table("rules", "Each draw", _COLUMNS, rows),
    ]
    goals = [Goal(f"{rule}, 2016–2017", f"{mean:.2f} EUR/MWh") for rule, mean in means[_COLUMNS[-1]].items()]
    return Outcome("A rule on features", tables, goals, note=note)


def _draw(draw: int, prices: pd.DataFrame, known: pd.DataFrame) -> list[tuple[object, ...]]:
    """Return the figures of every rule that is trained on one draw of days."""
    past = prices.index <= _TRAINED_UNTIL
    chosen = np.random.default_rng(draw).choice(np.flatnonzero(past), _N_DAYS, replace=False)
    train, seen = prices.iloc[chosen], known.iloc[chosen]
    test, seen_later = prices[~past], known[~past]
    rows: list[tuple[object, ...]] = [(draw, *_hindsight(train, test))]
    for name, depth, uncertainty in _rules():
        model = RobustTree(
            LOAD, depth=depth, uncertainty=uncertainty, time_limit=scope.seconds(_SECONDS), random_state=0
        )
        result = model.fit(train, context=seen).result_
        later = evaluate(model.tree_, LOAD, test, context=seen_later).nominal_mean
        asked = sorted({seen.columns[item] for item in model.tree_.item if item >= 0})
        paid = [value / LOAD.run for value in (result.nominal / _N_DAYS, result.objective / _N_DAYS, later)]
        rows.append((draw, name, ", ".join(asked) or "nothing", result.status, *paid))
        tell(f"{name}: {result!r}\n{to_text(model.rulebook_)}")
    return rows


def _rules() -> list[tuple[str, int, Uncertainty]]:
    never_misread = [0.0] + [np.inf] * LOAD.n_items
    robust = [
        (f"robust, λ = {fraction}", 2, LocalBudget(fraction=fraction, limits=never_misread)) for fraction in _FRACTIONS
    ]
    return [("one plan", 0, Nominal()), ("nominal", 2, Nominal()), *robust]


def _hindsight(train: pd.DataFrame, test: pd.DataFrame) -> tuple[object, ...]:
    """Return what each day's best plan would have cost."""
    means = [
        float((best_for_each(LOAD, days.to_numpy()) * days.to_numpy()).sum(axis=1).mean()) / LOAD.run
        for days in (train, test)
    ]
    return "each day's best plan", "the day itself", "", means[0], means[0], means[1]
