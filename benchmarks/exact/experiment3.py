"""The paper's experiment 3: more samples and larger grids at λ = 0.05, twenty seeds, both budgets."""

import statistics

from benchmarks import scope
from benchmarks.instances import SEEDS, paper
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS, NOTE, PROOF_COLUMNS, Proof, all_proven, prove

_FRACTION = 0.05
_LIMIT = 120.0
_SETTINGS = ((4, 3), (4, 5), (4, 7), (4, 10), (3, 5), (5, 5), (6, 5))
_MEDIANS = {(4, 10): 3.0, (6, 5): 2.0}


def run() -> Outcome:
    """Prove all settings, and look at the median times of the largest."""
    proofs: dict[tuple[str, int, int, int], Proof] = {}
    runs = [(kind, *size, seed) for kind in BUDGETS for size in _SETTINGS for seed in scope.some(SEEDS, 2)]
    for kind, grid, n_samples, seed in told(runs, "experiment 3"):
        instance = paper(seed, n_samples, grid, BUDGETS[kind](fraction=_FRACTION))
        proofs[kind, grid, n_samples, seed] = prove(instance, limit=_LIMIT)
    groups = {
        (kind, *size): [proof for key, proof in proofs.items() if key[:3] == (kind, *size)]
        for kind in BUDGETS
        for size in _SETTINGS
    }
    goals = [all_proven(proofs.values(), f"experiment 3, λ = {_FRACTION}, both budgets: {len(runs)} runs")]
    goals += [
        _median_goal(kind, size, groups[kind, *size], goal) for size, goal in _MEDIANS.items() for kind in BUDGETS
    ]
    return Outcome(
        "The paper's experiment 3, exact",
        [
            Table(
                "by_size",
                f"Times by budget and size, λ = {_FRACTION}",
                ("set", "grid", "N", "runs", "proven", "median [s]", "slowest [s]", "total [s]", "largest gap"),
                [_summary(*key, group) for key, group in groups.items()],
            ),
            Table(
                "runs",
                "All runs",
                ("set", "grid", "N", "seed", *PROOF_COLUMNS),
                [(*key, *proof.row) for key, proof in proofs.items()],
                in_report=False,
            ),
        ],
        goals,
        note=NOTE,
    )


def _summary(kind: str, grid: int, n_samples: int, group: list[Proof]) -> tuple[object, ...]:
    times = [proof.seconds for proof in group]
    proven = sum(proof.proven for proof in group)
    largest = max(proof.gap for proof in group)
    return (
        kind,
        f"{grid}×{grid}",
        n_samples,
        len(group),
        proven,
        statistics.median(times),
        max(times),
        sum(times),
        largest,
    )


def _median_goal(kind: str, size: tuple[int, int], group: list[Proof], goal: float) -> Goal:
    grid, n_samples = size
    median = statistics.median(proof.seconds for proof in group)
    slowest = max(proof.seconds for proof in group)
    return Goal(
        f"{kind}, {grid}×{grid}, N = {n_samples}, median",
        f"{median:.2f} s (slowest {slowest:.1f} s)",
        f"under {goal:g} s",
        median < goal,
    )
