"""Which way through downtown: travel times of some hours to fit to, those of others to judge on."""

from benchmarks import scope
from benchmarks.outcome import Outcome
from benchmarks.real.comparison import compare
from benchmarks.real.goals import outcome, skipped
from benchmarks.real.histories import traffic

_TITLE = "Measured data out of sample: traffic"
_WAYS = ((31, 54), (40, 54))


def run() -> Outcome:
    """Compare robust and nominal trees with the baselines."""
    folder = scope.data_folder()
    if folder is None:
        return skipped(_TITLE)
    return outcome(_TITLE, [compare(traffic(folder, *way)) for way in scope.some(_WAYS)])
