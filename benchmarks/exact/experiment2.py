"""The paper's experiment 2, whole: 4 × 4 grids, N = 5, twenty seeds, sixteen λ, both budgets."""

import statistics

from benchmarks import scope
from benchmarks.instances import FRACTIONS, SEEDS, known_optima, paper
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS, NOTE, PROOF_COLUMNS, Proof, all_proven, prove

_LIMIT = 60.0
_TOTAL = 180.0


def run() -> Outcome:
    """Prove all 640 runs, of which the paper's method proved 134 with an hour for each."""
    proofs: dict[tuple[int, str, float], Proof] = {}
    seeds, fractions = scope.some(SEEDS), scope.some(FRACTIONS, 8)
    runs = [(seed, kind, fraction) for kind in BUDGETS for seed in seeds for fraction in fractions]
    for seed, kind, fraction in told(runs, "experiment 2"):
        instance = paper(seed, 5, 4, BUDGETS[kind](fraction=fraction))
        proofs[seed, kind, fraction] = prove(instance, limit=_LIMIT)
    total = sum(proof.seconds for proof in proofs.values())
    return Outcome(
        "The paper's experiment 2, exact",
        [
            Table(
                "by_fraction",
                "Times by budget and λ",
                ("set", "λ", "runs", "proven", "median [s]", "slowest [s]", "total [s]"),
                [_summary(kind, fraction, proofs) for kind in BUDGETS for fraction in fractions],
            ),
            Table(
                "runs",
                "All runs",
                ("seed", "set", "λ", *PROOF_COLUMNS),
                [(*key, *proof.row) for key, proof in proofs.items()],
                in_report=False,
            ),
        ],
        [
            all_proven(proofs.values(), f"{len(runs)} runs (4 × 4, N = 5), both budgets"),
            Goal("… in total", f"{total:.1f} s", f"under {_TOTAL:g} s", total < _TOTAL),
            _as_known(proofs),
        ],
        note=f"The paper's own exact method proved 134 of the 640 with an hour for each. {NOTE}",
    )


def _summary(kind: str, fraction: float, proofs: dict[tuple[int, str, float], Proof]) -> tuple[object, ...]:
    these = [proof for (_, of_kind, of_fraction), proof in proofs.items() if (of_kind, of_fraction) == (kind, fraction)]
    times = [proof.seconds for proof in these]
    proven = sum(proof.proven for proof in these)
    return kind, fraction, len(these), proven, statistics.median(times), max(times), sum(times)


def _as_known(proofs: dict[tuple[int, str, float], Proof]) -> Goal:
    known = {key: value for key, value in known_optima().items() if key in proofs}
    same = sum(abs(proofs[key].value - value) <= 1e-6 for key, value in known.items())
    return Goal("… equal to the known optima", f"{same} of {len(known)}", "all, to 1e-6", same == len(known))
