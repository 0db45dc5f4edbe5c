"""How the time for one sweep of local search grows with the number of samples, and what gap is left."""

import math

import numpy as np

from benchmarks import scope
from benchmarks.instances import recipe_costs
from benchmarks.measure import peak_megabytes, seconds
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS, NOTE, Proof, prove
from hedgerow import Instance
from hedgerow.methods.search.growing_pool import first_pool
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.problems import ShortestPath
from hedgerow.run import Options, Run
from hedgerow.tree.splits import Splits, candidate_splits

_SIZES = (250, 1_000, 4_000, 16_000)
_GRID, _DEPTH, _FRACTION = 6, 3, 0.05
_THRESHOLDS = 200
"""Per item in the comparison at a fixed number of thresholds."""

_LIMIT = 30.0
_MOST_MEGABYTES = 2048.0


def run() -> Outcome:
    """Time sweeps for histories of ever more rows, and run the whole method on them."""
    problem = ShortestPath.grid(_GRID)
    rows: list[tuple[object, ...]] = []
    times: dict[tuple[str, int], float] = {}
    peaks: list[float] = []
    cases = [(kind, n_samples) for kind in BUDGETS for n_samples in scope.some(_SIZES, 2)]
    for kind, n_samples in told(cases, "local search, scaling"):
        costs = recipe_costs(0, n_samples, problem.n_items)
        instance = Instance.create(problem, costs, uncertainty=BUDGETS[kind](fraction=_FRACTION), depth=_DEPTH)
        times[kind, n_samples] = _sweep_seconds(instance, _thinned(candidate_splits(costs)))
        with_all = _sweep_seconds(instance, candidate_splits(costs))
        found, peak = _measured(instance)
        peaks.append(peak)
        rows.append((kind, n_samples, times[kind, n_samples], with_all, found.value, found.gap, peak))
    return Outcome(
        "Local search: growth with the number of samples",
        [
            Table(
                "sizes",
                f"{_GRID} × {_GRID}, depth {_DEPTH}, λ = {_FRACTION}; the gap after {scope.seconds(_LIMIT):g} s",
                (
                    "set",
                    "N",
                    f"sweep, {_THRESHOLDS} thresholds per item [s]",
                    "sweep, all thresholds [s]",
                    "value",
                    "gap",
                    "memory [MB]",
                ),
                rows,
            )
        ],
        [
            *(_growth(kind, times) for kind in BUDGETS),
            Goal("memory", f"{max(peaks):.0f} MB", "under 2 GiB", max(peaks) < _MOST_MEGABYTES),
        ],
        note=f"{NOTE} A sweep tries every question at every node and every solution of the pool at every leaf once.",
    )


def _measured(instance: Instance) -> tuple[Proof, float]:
    """Return what the whole method finds, and the memory that it takes."""
    proofs: list[Proof] = []
    peak = peak_megabytes(lambda: proofs.append(prove(instance, limit=_LIMIT, method="local_search")))
    return proofs[0], peak


def _sweep_seconds(instance: Instance, splits: Splits) -> float:
    run = Run(instance)
    first = instance.problem.best_solution(instance.costs, instance.weights).solution
    moves = Moves(instance, Options(), splits, first_pool(instance, run, first), run)
    tree = moves.regrown(moves.one_solution(), 0)

    def sweep() -> None:
        for node in range(moves.n_inner):
            moves.better_split(tree, node)
        for slot in range(moves.n_inner + 1):
            moves.better_leaf(tree, slot)

    sweep()  # compiles or loads the kernels
    return seconds(sweep, repeats=2)


def _thinned(splits: Splits) -> Splits:
    """Return evenly spread splits, equally many for every item."""
    kept = []
    for item in np.unique(splits.question):
        of_item = np.flatnonzero(splits.question == item)
        kept.append(of_item[np.unique(np.linspace(0, of_item.size - 1, _THRESHOLDS).round().astype(int))])
    places = np.concatenate(kept)
    return Splits(splits.question[places], splits.threshold[places], splits.below[places], splits.above[places])


def _growth(kind: str, times: dict[tuple[str, int], float]) -> Goal:
    """Compare the growth from the smallest to the largest size with that of N log N."""
    sizes = sorted(n_samples for known, n_samples in times if known == kind)
    grown = times[kind, sizes[-1]] / times[kind, sizes[0]]
    allowed = sizes[-1] * math.log(sizes[-1]) / (sizes[0] * math.log(sizes[0]))
    return Goal(
        f"{kind}: time per sweep, N = {sizes[-1]:,} against {sizes[0]:,}",
        f"{grown:.0f} times",
        f"at most {allowed:.0f} times, as N log N",
        grown <= allowed,
    )
