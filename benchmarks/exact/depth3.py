"""Trees with three questions in a row."""

from benchmarks.exact.sized import SEEDS, Size, measure
from benchmarks.outcome import Outcome
from benchmarks.proof import NOTE

_SIZES = (
    Size("local", 4, 5, SEEDS, 120.0, None, depth=3),
    Size("local", 4, 20, SEEDS, 60.0, 30.0, depth=3),
    Size("local", 4, 50, SEEDS, 60.0, None, depth=3, gap=0.003),
    Size("global", 4, 5, SEEDS[:2], 120.0, 120.0, depth=3),
)


def run() -> Outcome:
    """See how far depth 3 gets."""
    table, goals = measure(_SIZES, "Depth 3, 4 × 4")
    return Outcome("Exact, depth 3", [table], goals, note=NOTE)
