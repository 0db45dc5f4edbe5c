"""What a second process is worth: descents of local search in the same time, and the time for a proof."""

from collections.abc import Sequence

from benchmarks import scope
from benchmarks.instances import paper, recipe_costs
from benchmarks.measure import all_cores
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS
from hedgerow import GlobalBudget, Instance, solve
from hedgerow.problems import ShortestPath
from hedgerow.run import Result, Row, Settings

_SIZES = (50, 250, 1_000)
_GRID, _DEPTH, _FRACTION = 6, 3, 0.05
_LIMIT = 20.0
_SETTLED = 2.0
"""Rates are taken from then on: a run works alone in the beginning, and processes load their kernels."""

_PROOF_SAMPLES, _PROOF_LIMIT = (10, 20), 120.0
_NEARLY_TWICE = 1.7


def run() -> Outcome:
    """Let one process and two work on the same, one after the other."""
    with all_cores():
        _start_processes()
        rates = _rates()
        proofs = _proofs()
    same_result = proofs[0][2:] == proofs[1][2:]
    gains = [row[4] for row in rates]
    return Outcome(
        "Two processes against one",
        [
            Table(
                "restarts",
                f"Local search: {_GRID} × {_GRID}, depth {_DEPTH}, λ = {_FRACTION}, {scope.seconds(_LIMIT):g} s each",
                ("set", "N", "descents per second, one process", "two", "ratio"),
                rates,
            ),
            Table(
                "proofs",
                f"Exact: 4 × 4, N = {_proof_samples()}, depth 2, global budget, λ = {_FRACTION}",
                ("processes", "seconds", "status", "value"),
                proofs,
            ),
        ],
        [
            Goal(
                "descents of two processes against one",
                f"{min(gains):.2f} to {max(gains):.2f} times as many",
                f"nearly twice: at least {_NEARLY_TWICE:g} times",
                min(gains) >= _NEARLY_TWICE,
            ),
            Goal("proof by two processes against one", f"{proofs[0][1] / proofs[1][1]:.2f}× as fast"),
            Goal("… with the same result", "yes" if same_result else "no", "always", same_result),
        ],
        note=(
            "Times are wall-clock times, since CPU times don't tell what two processes gain; others must not use the "
            "machine meanwhile. Rates leave out the first two seconds of a run."
        ),
    )


def _start_processes() -> None:
    for kind in BUDGETS:
        _searched(kind, _SIZES[0], 2, 3.0)


def _rates() -> list[tuple[str, int, float, float, float]]:
    rows = []
    for kind, n_samples in told([(kind, size) for kind in BUDGETS for size in scope.some(_SIZES)], "two processes"):
        one, two = (_rate(list(_searched(kind, n_samples, n_jobs, _LIMIT).statistics)) for n_jobs in (1, 2))
        rows.append((kind, n_samples, one, two, two / one))
    return rows


def _searched(kind: str, n_samples: int, n_jobs: int, limit: float) -> Result:
    problem = ShortestPath.grid(_GRID)
    costs = recipe_costs(0, n_samples, problem.n_items)
    instance = Instance.create(problem, costs, uncertainty=BUDGETS[kind](fraction=_FRACTION), depth=_DEPTH)
    settings = Settings(n_jobs=n_jobs)
    return solve(instance, method="local_search", time_limit=scope.seconds(limit), random_state=0, settings=settings)


def _rate(rows: Sequence[Row]) -> float:
    last = rows[-1]
    first = next(row for row in rows if row.runtime >= min(_SETTLED, 0.5 * last.runtime))
    if first is last:
        return last.iteration / last.runtime
    return (last.iteration - first.iteration) / (last.runtime - first.runtime)


def _proof_samples() -> int:
    return scope.some(_PROOF_SAMPLES)[-1]


def _proofs() -> list[tuple[int, float, str, float]]:
    instance = paper(0, _proof_samples(), 4, GlobalBudget(fraction=_FRACTION))
    rows = []
    for n_jobs in (1, 2):
        settings = Settings(n_jobs=n_jobs)
        limit = scope.seconds(_PROOF_LIMIT)
        found = solve(instance, method="exact", time_limit=limit, random_state=0, settings=settings)
        rows.append((n_jobs, found.runtime, found.status, found.objective))
    return rows
