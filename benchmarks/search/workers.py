"""What a second process is worth: descents of local search per second, and the time for a proof."""

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

_DESCENTS = {
    ("local", 50): 1_200,
    ("local", 250): 480,
    ("local", 1_000): 128,
    ("global", 50): 320,
    ("global", 250): 240,
    ("global", 1_000): 96,
}
"""By set and number of samples: half a minute's work or so for one process."""

_GRID, _DEPTH, _FRACTION = 6, 3, 0.05
_SETTLED = 2.0
"""Rates are taken from then on: before, a run works alone."""

_SMALLEST = 50
_PROOF_SAMPLES, _PROOF_LIMIT = (10, 20), 120.0
_NEARLY_TWICE = 1.7


def run() -> Outcome:
    """Let one process and two work on the same, one after the other."""
    with all_cores():
        _start_processes()
        rates = _rates()
        proofs = _proofs()
    same_result = proofs[0][2:] == proofs[1][2:]
    gains = [row[5] for row in rates]
    return Outcome(
        "Two processes against one",
        [
            Table(
                "restarts",
                f"Local search: {_GRID} × {_GRID}, depth {_DEPTH}, λ = {_FRACTION}",
                ("set", "N", "descents", "per second, one process", "two", "ratio"),
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
            "machine meanwhile. Both do the same work and find the same tree. Rates leave out the first two seconds of "
            "a run, in which it works alone; the processes of local search are started before."
        ),
    )


def _start_processes() -> None:
    for kind, n_samples in ((kind, size) for kind, size in _DESCENTS if size == _SMALLEST):
        _searched(kind, n_samples, 2, 8.0)


def _rates() -> list[tuple[str, int, int, float, float, float]]:
    rows = []
    for kind, n_samples in told(scope.some(list(_DESCENTS)), "two processes"):
        one, two = (_searched(kind, n_samples, n_jobs, None) for n_jobs in (1, 2))
        if one.tree != two.tree:
            raise RuntimeError(f"one process and two find different trees, {kind}, N = {n_samples}")
        first, second = _rate(one.statistics), _rate(two.statistics)
        rows.append((kind, n_samples, one.iterations, first, second, second / first))
    return rows


def _searched(kind: str, n_samples: int, n_jobs: int, limit: float | None) -> Result:
    problem = ShortestPath.grid(_GRID)
    costs = recipe_costs(0, n_samples, problem.n_items)
    instance = Instance.create(problem, costs, uncertainty=BUDGETS[kind](fraction=_FRACTION), depth=_DEPTH)
    return solve(
        instance,
        method="local_search",
        iteration_limit=80 if scope.is_quick() else _DESCENTS[kind, n_samples],
        time_limit=limit,
        random_state=0,
        settings=Settings(n_jobs=n_jobs),
    )


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
