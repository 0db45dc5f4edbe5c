"""What fewer thresholds cost a tree, and how much time they save."""

import statistics
import time
from dataclasses import dataclass

from benchmarks import scope
from benchmarks.instances import recipe_costs
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS
from hedgerow import Instance, solve
from hedgerow.problems import ShortestPath
from hedgerow.run import Options, Result

_GRID, _DEPTH, _FRACTION, _SAMPLES = 6, 3, 0.05, 1_000
_SEEDS = (0, 1)
_DESCENTS = 16
_EVERYTHING = Options()
_THRESHOLDS = tuple(Options(max_thresholds=most) for most in (50, 20, 5))
_CASES = {"local": (_EVERYTHING, *_THRESHOLDS), "global": (_EVERYTHING, *_THRESHOLDS)}
"""By set what is left out."""


@dataclass(frozen=True)
class _Fit:
    """One tree, and how it compares with the one for which nothing was left out."""

    result: Result
    seconds: float
    excess: float
    share: float


def run() -> Outcome:
    """Fit trees with ever less to go by, each with the same number of descents, and value them on all samples."""
    rows: list[tuple[object, ...]] = []
    fits: dict[tuple[str, Options], list[_Fit]] = {}
    for kind, seed in told([(kind, seed) for kind in _CASES for seed in scope.some(_SEEDS)], "thinning"):
        problem = ShortestPath.grid(_GRID)
        costs = recipe_costs(seed, _SAMPLES, problem.n_items)
        instance = Instance.create(problem, costs, uncertainty=BUDGETS[kind](fraction=_FRACTION), depth=_DEPTH)
        _fit(instance, _CASES[kind][-1], descents=1)  # loads what is loaded once
        whole, whole_seconds = _fit(instance, _EVERYTHING)
        for settings in _CASES[kind]:
            result, seconds = (whole, whole_seconds) if settings is _EVERYTHING else _fit(instance, settings)
            fit = _Fit(result, seconds, result.objective / whole.objective - 1.0, seconds / whole_seconds)
            fits.setdefault((kind, settings), []).append(fit)
            rows.append((kind, _most(settings), seed, result.objective, fit.excess, seconds))
    return Outcome(
        "Local search: what thinning costs, and what it saves",
        [
            Table(
                "summary",
                f"{_GRID} × {_GRID}, depth {_DEPTH}, λ = {_FRACTION}, N = {_SAMPLES:,}, {_DESCENTS} descents each, "
                f"{len(scope.some(_SEEDS))} seeds; worst cases on all samples",
                ("set", "kept", "excess, mean [%]", "largest [%]", "time, share"),
                [(kind, _most(settings), *_figures(of)) for (kind, settings), of in fits.items()],
            ),
            Table(
                "runs",
                "All runs",
                ("set", "kept", "seed", "value", "excess", "time [s]"),
                rows,
                in_report=False,
            ),
        ],
        [_goal(kind, settings, of) for (kind, settings), of in fits.items() if settings is not _EVERYTHING],
        note="“time” is CPU time of the whole call on one core, as a share of that with all thresholds; "
        "the excess is over the tree found then.",
    )


def _fit(instance: Instance, settings: Options, descents: int = _DESCENTS) -> tuple[Result, float]:
    start = time.process_time()
    result = solve(
        instance,
        method="local_search",
        options=settings,
        time_limit=None,
        iteration_limit=descents,
        random_state=0,
    )
    return result, time.process_time() - start


def _most(settings: Options) -> str:
    if settings.max_thresholds is not None:
        return f"{settings.max_thresholds} thresholds per item"
    return "everything"


def _figures(fits: list[_Fit]) -> tuple[float, float, float]:
    excess = [100.0 * fit.excess for fit in fits]
    return statistics.mean(excess), max(excess), statistics.mean(fit.share for fit in fits)


def _goal(kind: str, settings: Options, fits: list[_Fit]) -> Goal:
    """Return a figure for information: nothing was promised about it."""
    mean, _, share = _figures(fits)
    return Goal(f"{kind}, {_most(settings)}: mean excess", f"{mean:.3f}% in {share:.0%} of the time")
