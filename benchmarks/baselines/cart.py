"""A CART classifier whose classes are the samples' optimal solutions: it counts mistakes, not what they cost."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.baselines import Advice
from benchmarks.baselines.clairvoyant import best_solutions
from hedgerow.arrays import FloatArray
from hedgerow.problem import Problem


def cart(problem: Problem, costs: FloatArray, readings: FloatArray, depth: int) -> Advice:
    """Return the advice of a classification tree."""
    optima, classes = np.unique(best_solutions(problem, costs), axis=0, return_inverse=True)
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(readings, classes)
    return lambda new: optima[tree.predict(new)]
