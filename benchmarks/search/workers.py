"""What a second process is worth: descents of local search per second."""

from benchmarks import scope
from benchmarks.instances import recipe_costs
from benchmarks.measure import all_cores
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS
from hedgerow import Instance, solve
from hedgerow.problems import ShortestPath
from hedgerow.run import Options, Result
from hedgerow.tree.tree import Tree

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
_BEGINNING = 4
"""A quarter of the descents is left out of the rates: in the beginning a run works alone, and processes start."""

_SMALLEST = 50
_NEARLY_TWICE = 1.7


def run() -> Outcome:
    """Let one process and two work on the same, one after the other."""
    with all_cores():
        _start_processes()
        rates = _rates()
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
        ],
        [
            Goal(
                "descents of two processes against one",
                f"{min(gains):.2f} to {max(gains):.2f} times as many",
                f"nearly twice: at least {_NEARLY_TWICE:g} times",
                min(gains) >= _NEARLY_TWICE,
            ),
        ],
        note=(
            "Times are wall-clock times, since CPU times don't tell what two processes gain; others must not use the "
            "machine meanwhile. Both do the same work and find the same tree. Rates leave out the first quarter of the "
            "work, in which a run begins alone and processes start."
        ),
    )


def _start_processes() -> None:
    for kind in BUDGETS:
        _searched(kind, _SMALLEST, 2, 100)


def _rates() -> list[tuple[str, int, int, float, float, float]]:
    rows = []
    for kind, n_samples in told(scope.some(list(_DESCENTS)), "two processes"):
        descents = 80 if scope.is_quick() else _DESCENTS[kind, n_samples]
        (first, tree), (second, same_tree) = (_rate(kind, n_samples, n_jobs, descents) for n_jobs in (1, 2))
        if tree != same_tree:
            raise RuntimeError(f"one process and two find different trees, {kind}, N = {n_samples}")
        rows.append((kind, n_samples, descents, first, second, second / first))
    return rows


def _rate(kind: str, n_samples: int, n_jobs: int, descents: int) -> tuple[float, Tree]:
    """Return descents per second once a run is under way, and the tree."""
    begun = _searched(kind, n_samples, n_jobs, descents // _BEGINNING)
    whole = _searched(kind, n_samples, n_jobs, descents)
    return (whole.iterations - begun.iterations) / (whole.runtime - begun.runtime), whole.tree


def _searched(kind: str, n_samples: int, n_jobs: int, descents: int) -> Result:
    problem = ShortestPath.grid(_GRID)
    costs = recipe_costs(0, n_samples, problem.n_items)
    instance = Instance.create(problem, costs, uncertainty=BUDGETS[kind](fraction=_FRACTION), depth=_DEPTH)
    return solve(
        instance,
        method="local_search",
        iteration_limit=descents,
        time_limit=None,
        random_state=0,
        options=Options(n_jobs=n_jobs),
    )
