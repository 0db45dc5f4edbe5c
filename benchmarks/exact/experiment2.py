"""The paper's experiment 2, whole: 4 × 4 grids, N = 5, twenty seeds, sixteen λ, both budgets."""

import statistics
from typing import TypeAlias

from benchmarks import scope
from benchmarks.instances import FRACTIONS, SEEDS, known_optima, paper
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS, NOTE, PROOF_COLUMNS, Proof, all_proven, prove
from hedgerow.tree.splits import ThresholdSet

_LIMIT = 60.0
_TOTAL = 10.0

Proofs: TypeAlias = dict[tuple[int, str, float], Proof]
"""Runs by seed, set and λ."""


def run() -> Outcome:
    """Prove all 640 runs, of which the paper's method proved 134 with an hour for each."""
    proofs = all_runs("midpoints", _LIMIT)
    total = sum(proof.seconds for proof in proofs.values())
    return Outcome(
        "The paper's experiment 2, exact",
        tables(proofs),
        [
            all_proven(proofs.values(), f"{len(proofs)} runs (4 × 4, N = 5), both budgets"),
            Goal("… in total", f"{total:.1f} s", f"under {_TOTAL:g} s", total < _TOTAL),
            _as_known(proofs),
        ],
        note=f"The paper's own exact method proved 134 of the 640 with an hour for each. {NOTE}",
    )


def all_runs(thresholds: ThresholdSet, limit: float) -> Proofs:
    """Return the proofs of all runs over a set of thresholds, with `limit` seconds for each."""
    proofs: Proofs = {}
    seeds, fractions = scope.some(SEEDS), scope.some(FRACTIONS, 8)
    runs = [(seed, kind, fraction) for kind in BUDGETS for seed in seeds for fraction in fractions]
    for seed, kind, fraction in told(runs, f"experiment 2, {thresholds}"):
        instance = paper(seed, 5, 4, BUDGETS[kind](fraction=fraction))
        proofs[seed, kind, fraction] = prove(instance, limit=limit, thresholds=thresholds)
    return proofs


def tables(proofs: Proofs) -> list[Table]:
    """Return times by budget and λ, and all runs."""
    groups = dict.fromkeys((kind, fraction) for _, kind, fraction in proofs)
    return [
        Table(
            "by_fraction",
            "Times by budget and λ",
            ("set", "λ", "runs", "proven", "median [s]", "slowest [s]", "total [s]"),
            [_summary(kind, fraction, proofs) for kind, fraction in groups],
        ),
        Table(
            "runs",
            "All runs",
            ("seed", "set", "λ", *PROOF_COLUMNS),
            [(*key, *proof.row) for key, proof in proofs.items()],
            in_report=False,
        ),
    ]


def _summary(kind: str, fraction: float, proofs: Proofs) -> tuple[object, ...]:
    these = [proof for (_, of_kind, of_fraction), proof in proofs.items() if (of_kind, of_fraction) == (kind, fraction)]
    times = [proof.seconds for proof in these]
    proven = sum(proof.proven for proof in these)
    return kind, fraction, len(these), proven, statistics.median(times), max(times), sum(times)


def _as_known(proofs: Proofs) -> Goal:
    known = {key: value for key, value in known_optima().items() if key in proofs}
    same = sum(abs(proofs[key].value - value) <= 1e-6 for key, value in known.items())
    return Goal("… equal to the known optima", f"{same} of {len(known)}", "all, to 1e-6", same == len(known))
