"""When to run a flexible load: eight-hour plans for day-ahead prices, fitted to some years and judged on later ones."""

from benchmarks import scope
from benchmarks.outcome import Goal, Outcome
from benchmarks.real.comparison import Comparison, compare
from benchmarks.real.goals import outcome, skipped
from benchmarks.real.histories import electricity

_TITLE = "Measured data out of sample: electricity"
_QUICK_TRY = {"one solution": 206.9, "CART": 201.4, "nominal tree": 197.1, "clairvoyant": 185.7}
"""What a quick try gave, in EUR/MW per day."""
_NEAR = 0.01


def run() -> Outcome:
    """Compare robust and nominal trees with the baselines."""
    folder = scope.data_folder()
    if folder is None:
        return skipped(_TITLE)
    comparison = compare(electricity(folder))
    return outcome(_TITLE, [comparison], *(_near(comparison, name, value) for name, value in _QUICK_TRY.items()))


def _near(comparison: Comparison, name: str, expected: float) -> Goal:
    found = comparison.row(name).as_read
    met = abs(found / expected - 1.0) <= _NEAR
    return Goal(f"{name}, as read", f"{found:.1f} EUR/MW per day", f"{expected} within {_NEAR:.0%}", met)
