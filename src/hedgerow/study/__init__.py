"""Studies of trees on data: the price of robustness, curves over budgets, tuning, comparison, watching rules in use."""

__all__ = [
    "Comparison",
    "Contender",
    "Coverage",
    "CurvePoint",
    "Ladder",
    "Quantity",
    "RobustnessCurve",
    "Rung",
    "Score",
    "Setting",
    "TrainedCurve",
    "Tuning",
    "Watch",
    "compare",
    "effective_errors",
    "ladder",
    "robustness_curve",
    "train_curve",
    "tune",
    "watch",
    "with_fraction",
]

from hedgerow.study.choice import Score, Setting, Tuning
from hedgerow.study.comparison import Comparison, compare
from hedgerow.study.contenders import Contender
from hedgerow.study.coverage import Coverage, effective_errors
from hedgerow.study.curves import (
    CurvePoint,
    RobustnessCurve,
    TrainedCurve,
    robustness_curve,
    train_curve,
    with_fraction,
)
from hedgerow.study.ladders import Ladder, Rung, ladder
from hedgerow.study.tuning import tune
from hedgerow.study.watching import Quantity, Watch, watch
