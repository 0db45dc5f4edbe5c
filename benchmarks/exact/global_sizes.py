"""Global budgets with more samples than anybody has tried."""

from benchmarks.exact.sized import Size, measure
from benchmarks.outcome import Outcome
from benchmarks.proof import NOTE

_SIZES = (
    Size("global", 4, 15, (0,), 120.0, 60.0),
    Size("global", 4, 20, (0,), 120.0, None),
    Size("global", 6, 10, (0,), 240.0, 120.0),
)


def run() -> Outcome:
    """Prove trees for up to fifteen samples, and report the gap at twenty."""
    table, goals = measure(_SIZES, "Global budgets, more samples")
    return Outcome("Exact, global budgets, more samples", [table], goals, note=NOTE)
