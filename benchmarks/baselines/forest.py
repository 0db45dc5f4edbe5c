"""A random forest that predicts the costs from what is read; the best solution for the prediction is the advice."""

from sklearn.ensemble import RandomForestRegressor

from benchmarks.baselines import Advice
from benchmarks.baselines.clairvoyant import best_solutions
from hedgerow.arrays import FloatArray
from hedgerow.problem import Problem


def forest(problem: Problem, costs: FloatArray, readings: FloatArray) -> Advice:
    """Return advice that predicts, then optimises. Nobody can read it as rules."""
    # A third of the features at each split, as is usual for regression.
    regressor = RandomForestRegressor(max_features=1 / 3, min_samples_leaf=3, random_state=0).fit(readings, costs)
    return lambda new: best_solutions(problem, regressor.predict(new))
