"""Studies of trees on data: the price of robustness, curves over budgets, tuning, comparison with other ways to decide.

Names are loaded when they are first used.
"""

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

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hedgerow.study.choice import Score, Setting, Tuning
    from hedgerow.study.comparing import compare
    from hedgerow.study.comparison import Comparison
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

_LOADED_ON_USE = {
    "choice": ("Score", "Setting", "Tuning"),
    "comparing": ("compare",),
    "comparison": ("Comparison",),
    "contenders": ("Contender",),
    "coverage": ("Coverage", "effective_errors"),
    "curves": (
        "CurvePoint",
        "RobustnessCurve",
        "TrainedCurve",
        "robustness_curve",
        "train_curve",
        "with_fraction",
    ),
    "ladders": ("Ladder", "Rung", "ladder"),
    "tuning": ("tune",),
    "watching": ("Quantity", "Watch", "watch"),
}


def __getattr__(name: str) -> object:
    for module, names in _LOADED_ON_USE.items():
        if name in names:
            value = getattr(import_module(f"hedgerow.study.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'hedgerow.study' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
