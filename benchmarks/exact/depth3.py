"""Trees with three questions in a row: a stretch, whose gap is reported."""

from benchmarks.exact.sized import Size, measure
from benchmarks.outcome import Outcome
from benchmarks.proof import BUDGETS, NOTE

_SIZES = tuple(Size(kind, 4, 5, (0,), 120.0, None, depth=3) for kind in BUDGETS)


def run() -> Outcome:
    """See how far depth 3 gets."""
    table, goals = measure(_SIZES, "Depth 3, 4 × 4, N = 5")
    return Outcome("Exact, depth 3", [table], goals, note=NOTE)
