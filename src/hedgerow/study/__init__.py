"""Studies of trees on data: the price of robustness, tuning, comparison, watching rules in use."""

__all__ = [
    "Comparison",
    "Contender",
    "PriceOfRobustness",
    "Quantity",
    "Refit",
    "Setting",
    "Tuning",
    "Watch",
    "compare",
    "effective_errors",
    "price_of_robustness",
    "refit",
    "tune",
    "watch",
]

from hedgerow.study.comparison import Comparison, compare
from hedgerow.study.contenders import Contender
from hedgerow.study.price import PriceOfRobustness, price_of_robustness
from hedgerow.study.refitting import Refit, refit
from hedgerow.study.tuning import Setting, Tuning, tune
from hedgerow.study.watching import Quantity, Watch, effective_errors, watch
