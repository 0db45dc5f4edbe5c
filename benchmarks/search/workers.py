"""What a second process is worth: the time for a proof."""

from benchmarks import scope
from benchmarks.instances import paper
from benchmarks.measure import all_cores
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from hedgerow import GlobalBudget, Instance, solve
from hedgerow.run import Options, Result

_FRACTION = 0.05
_PROOFS = ((20, 5), (50, 9), (50, 13))
"""Numbers of samples and seeds: proofs of ten seconds and of a minute."""

_PROOF_LIMIT = 180.0
_LONG_PROOF = 1.6


def run() -> Outcome:
    """Let one process and two work on the same, one after the other."""
    with all_cores():
        proofs = _proofs()
    ratios = [row[4] for row in proofs]
    return Outcome(
        "Two processes against one",
        [
            Table(
                "proofs",
                f"Exact: 4 × 4, depth 2, global budget, λ = {_FRACTION}",
                ("N", "seed", "seconds, one process", "two", "ratio", "status", "value"),
                proofs,
            ),
        ],
        [
            Goal(
                "proofs by two processes against one",
                f"{min(ratios):.2f} to {max(ratios):.2f} times as fast",
                f"at least {_LONG_PROOF:g} times",
                min(ratios) >= _LONG_PROOF,
            ),
        ],
        note=(
            "Times are wall-clock times, since CPU times don't tell what two processes gain; others must not use the "
            "machine meanwhile. Both do the same work and find the same tree."
        ),
    )


def _proofs() -> list[tuple[int, int, float, float, float, str, float]]:
    rows: list[tuple[int, int, float, float, float, str, float]] = []
    for n_samples, seed in told(scope.some(_PROOFS), "proofs by two processes"):
        instance = paper(seed, 10 if scope.is_quick() else n_samples, 4, GlobalBudget(fraction=_FRACTION))
        one, two = (_proof(instance, n_jobs) for n_jobs in (1, 2))
        if (one.status, one.objective) != (two.status, two.objective):
            raise RuntimeError(f"one process and two prove different trees, N = {n_samples}, seed {seed}")
        rows.append((n_samples, seed, one.runtime, two.runtime, one.runtime / two.runtime, one.status, one.objective))
    return rows


def _proof(instance: Instance, n_jobs: int) -> Result:
    settings = Options(n_jobs=n_jobs, thresholds="midpoints", round_thresholds=False)
    limit = scope.seconds(_PROOF_LIMIT)
    return solve(instance, method="exact", time_limit=limit, random_state=0, options=settings)
