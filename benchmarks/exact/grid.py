"""Experiment 2 over the paper's grid of thresholds, nine in each interval and at all nodes."""

import statistics

from benchmarks import scope
from benchmarks.instances import FRACTIONS, SEEDS, paper
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS, NOTE, PROOF_COLUMNS, Proof, all_proven, prove

_LIMIT = 60.0
_LOCAL_TOTAL = 120.0
_GLOBAL_SEEDS = (0, 1, 2, 3, 4)
_GLOBAL_FRACTIONS = (0.05, 0.10)


def run() -> Outcome:
    """Prove the optimum over more thresholds, and compare it with the one over midpoints."""
    runs = [("local", seed, fraction) for seed in scope.some(SEEDS, 2) for fraction in scope.some(FRACTIONS, 8)]
    runs += [("global", seed, fraction) for seed in scope.some(_GLOBAL_SEEDS) for fraction in _GLOBAL_FRACTIONS]
    rows: list[tuple[object, ...]] = []
    proofs: dict[str, list[Proof]] = {kind: [] for kind in BUDGETS}
    savings: dict[tuple[str, float], list[float]] = {}
    above = 0
    for kind, seed, fraction in told(runs, "thresholds on a grid"):
        instance = paper(seed, 5, 4, BUDGETS[kind](fraction=fraction))
        midpoints = prove(instance, limit=_LIMIT)
        proof = prove(instance, limit=_LIMIT, thresholds="grid")
        proofs[kind].append(proof)
        above += proof.value > midpoints.value + 1e-6
        savings.setdefault((kind, fraction), []).append(1.0 - proof.value / midpoints.value)
        rows.append((kind, seed, fraction, midpoints.value, *proof.row))
    total = sum(proof.seconds for proof in proofs["local"])
    slowest = max(proof.seconds for proof in proofs["global"])
    return Outcome(
        "Exact, thresholds on a grid",
        [
            Table(
                "savings",
                "How much lower the optimum over the grid is than the one over midpoints",
                ("set", "λ", "runs", "lower in", "mean saving [%]", "largest saving [%]"),
                [_saving(*key, saved) for key, saved in savings.items()],
            ),
            Table(
                "runs",
                "All runs",
                ("set", "seed", "λ", "optimum over midpoints", *PROOF_COLUMNS),
                rows,
                in_report=False,
            ),
        ],
        [
            all_proven(proofs["local"], f"local, grid of thresholds, {len(proofs['local'])} runs (4 × 4, N = 5)"),
            Goal("… in total", f"{total:.1f} s", f"under {_LOCAL_TOTAL:g} s", total < _LOCAL_TOTAL),
            all_proven(proofs["global"], f"global, grid of thresholds, {len(proofs['global'])} runs"),
            Goal("… slowest", f"{slowest:.1f} s"),
            Goal("grid above the midpoint optimum", f"{above} of {len(rows)}", "never", above == 0),
        ],
        note=NOTE,
    )


def _saving(kind: str, fraction: float, saved: list[float]) -> tuple[object, ...]:
    lower = sum(share > 1e-9 for share in saved)
    return kind, fraction, len(saved), lower, 100.0 * statistics.mean(saved), 100.0 * max(saved)
