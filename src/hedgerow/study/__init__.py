"""Studies of trees on data: the price of robustness, curves over budgets, tuning, comparison, watching rules in use."""

__all__ = [
    "Comparison",
    "Contender",
    "Coverage",
    "PriceOfRobustness",
    "PricePoint",
    "Quantity",
    "Setting",
    "Tuning",
    "Watch",
    "compare",
    "effective_errors",
    "price_of_robustness",
    "tune",
    "watch",
]

from hedgerow.study.choice import Setting
from hedgerow.study.comparison import Comparison, compare
from hedgerow.study.contenders import Contender
from hedgerow.study.coverage import Coverage, effective_errors
from hedgerow.study.price import PriceOfRobustness, PricePoint, price_of_robustness
from hedgerow.study.tuning import Tuning, tune
from hedgerow.study.watching import Quantity, Watch, watch
