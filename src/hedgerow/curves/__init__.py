"""What misreadings of growing size do: to given trees, and to the trees that are best at each size."""

__all__ = ["CurvePoint", "RobustnessCurve", "TrainedCurve", "robustness_curve", "train_curve", "with_fraction"]

from hedgerow.curves.evaluated import RobustnessCurve, robustness_curve
from hedgerow.curves.trained import CurvePoint, TrainedCurve, train_curve, with_fraction
