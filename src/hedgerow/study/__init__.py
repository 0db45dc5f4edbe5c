"""Studies of rules on data: tuning, comparison, watching rules in use."""

__all__ = [
    "Comparison",
    "Refit",
    "Setting",
    "Tuning",
    "Watch",
    "compare",
    "refit",
    "tune",
    "watch",
]

from hedgerow.study.comparison import Comparison, compare
from hedgerow.study.refitting import Refit, refit
from hedgerow.study.tuning import Setting, Tuning, tune
from hedgerow.study.watching import Watch, watch
