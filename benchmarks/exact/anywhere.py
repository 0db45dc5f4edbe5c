"""Proofs over all thresholds: the paper's experiment 2, whole, and more samples under global budgets."""

import dataclasses

from benchmarks.exact.experiment2 import Proofs, all_runs, tables
from benchmarks.exact.sized import SEEDS, Size, measure
from benchmarks.outcome import Goal, Outcome
from benchmarks.proof import NOTE

_SIZES = (Size("global", 4, 10, SEEDS, 60.0, None, thresholds="continuous"),)

_LIMIT = 60.0
_LOCAL_TOTAL = 30.0
_GLOBAL_SOON = 10.0
_SHARE_SOON = 300 / 320


def run() -> Outcome:
    """Prove trees whose thresholds may be any numbers."""
    proofs = all_runs("continuous", _LIMIT)
    sized, about_sizes = measure(_SIZES, "Thresholds anywhere, more samples")
    return Outcome(
        "Exact, thresholds anywhere",
        [*tables(proofs), dataclasses.replace(sized, name="sizes")],
        [_local(proofs), *_global(proofs), *about_sizes],
        note=NOTE,
    )


def _local(proofs: Proofs) -> Goal:
    these, value, proven = _of("local", proofs)
    total = sum(these)
    return Goal(
        f"local, thresholds anywhere, {len(these)} runs (4 × 4, N = 5)",
        value,
        f"all proven, under {_LOCAL_TOTAL:g} s in total",
        len(proven) == len(these) and total < _LOCAL_TOTAL,
    )


def _global(proofs: Proofs) -> list[Goal]:
    these, value, proven = _of("global", proofs)
    soon, enough = sum(seconds <= _GLOBAL_SOON for seconds in proven), round(_SHARE_SOON * len(these))
    return [
        Goal(
            f"global, thresholds anywhere, {len(these)} runs (4 × 4, N = 5)",
            value,
            f"all proven within {_LIMIT:g} s each",
            len(proven) == len(these),
        ),
        Goal(
            f"… proven within {_GLOBAL_SOON:g} s",
            f"{soon} of {len(these)}",
            f"at least {enough}",
            soon >= enough,
        ),
    ]


def _of(kind: str, proofs: Proofs) -> tuple[list[float], str, list[float]]:
    """Return the times of all runs under a kind of budget, what came of them in words, and the times of proofs."""
    these = [proof for (_, of_kind, _), proof in proofs.items() if of_kind == kind]
    times, proven = [proof.seconds for proof in these], [proof.seconds for proof in these if proof.proven]
    value = f"{len(proven)} of {len(these)} proven, {sum(times):.1f} s in total, worst {max(times):.2f} s"
    return times, value, proven
