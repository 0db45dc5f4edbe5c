"""Trees with a single question, for two hundred samples."""

from benchmarks.exact.sized import Size, measure
from benchmarks.outcome import Outcome
from benchmarks.proof import BUDGETS, NOTE

_SIZES = tuple(Size(kind, 4, 200, (0, 1, 2), 60.0, 30.0, depth=1) for kind in BUDGETS)


def run() -> Outcome:
    """Prove trees of depth 1."""
    table, goals = measure(_SIZES, "Depth 1, N = 200")
    return Outcome("Exact, depth 1", [table], goals, note=NOTE)
