"""All trees that ask any questions, by brute force, with move costs from linear programmes."""

import itertools

import numpy as np
from scipy.optimize import linprog

from hedgerow import LocalBudget
from hedgerow.geometry import reach_limit
from hedgerow.tree.splits import candidate_splits


def lp_cost(matrix, price, limit, least, most):
    if (least > most).any():
        return np.inf
    if (least <= 0.0).all() and (most >= 0.0).all():
        return 0.0
    rows = np.hstack([matrix, -matrix])
    low, high = np.isfinite(least), np.isfinite(most)
    found = linprog(
        np.tile(price, 2),
        A_ub=np.vstack([rows[high], -rows[low]]),
        b_ub=np.concatenate([most[high], -least[low]]),
        bounds=[(0.0, None if np.isinf(most_here) else most_here) for most_here in np.tile(limit, 2)],
    )
    return found.fun if found.status == 0 else np.inf


def change_range(value, lower, upper, epsilon):
    if lower >= upper or (value <= lower and lower + epsilon > upper):
        return 1.0, 0.0
    floor = lower + epsilon if value <= lower else min(lower + epsilon, value, upper)
    return floor - value, upper - value


class AllTrees:
    """Every tree of depth 1 or 2 over the candidate splits, each with all solutions at all leaves.

    Limits on leaves are those of the options.
    """

    def __init__(self, instance, options=None):
        self.instance = instance
        self.fewest, self.most = (0, None) if options is None else (options.min_samples_leaf, options.max_leaves)
        self.splits = candidate_splits(instance.question_values, "midpoints", instance.questions)
        self.matrix = np.zeros((len(instance.questions), instance.n_features))
        for row, question in enumerate(instance.questions):
            self.matrix[row, list(question.items)] = question.coefficients
        self.known = {}

    def move_costs(self, path):
        if not path:
            return np.zeros(self.instance.n_samples)
        if path not in self.known:
            box = {}
            for split, right in path:
                low, high = box.get(self.splits.question[split], (-np.inf, np.inf))
                cut = self.splits.threshold[split]
                box[self.splits.question[split]] = (max(low, cut), high) if right else (low, min(high, cut))
            self.known[path] = np.array([self._cost(row, box) for row in range(self.instance.n_samples)])
        return self.known[path]

    def _cost(self, row, box):
        uncertainty, shape = self.instance.uncertainty, self.instance.observations.shape
        prices = np.ones(shape[1]) if uncertainty.prices is None else uncertainty.prices
        limits = np.inf if uncertainty.limits is None else reach_limit(uncertainty.limits)
        values = self.instance.question_values[row]
        ranges = [change_range(values[question], *ends, uncertainty.epsilon) for question, ends in box.items()]
        return lp_cost(self.matrix[list(box)], prices, np.broadcast_to(limits, shape)[row], *np.array(ranges).T)

    def best(self):
        return min(self._value(paths) for paths in self._trees(self.instance.depth, ()) if self._allowed(paths))

    def _trees(self, depth, path):
        trees = [(path,)]
        for split in range(len(self.splits) if depth else 0):
            sides = [self._trees(depth - 1, (*path, (split, right))) for right in (0, 1)]
            trees += [left + right for left, right in itertools.product(*sides)]
        return trees

    def _allowed(self, paths):
        goes_right = self.instance.question_values[:, self.splits.question] > self.splits.threshold
        rows = [sum(all(row[split] == right for split, right in path) for row in goes_right) for path in paths]
        return (self.most is None or len(paths) <= self.most) and min(rows) >= self.fewest

    def _value(self, paths):
        uncertainty, n_samples = self.instance.uncertainty, self.instance.n_samples
        cost = np.array([self.move_costs(path) for path in paths])
        loss = self.instance.losses(self.instance.problem.all_solutions(99))
        held = np.array(list(itertools.product(range(loss.shape[1]), repeat=len(cost))))
        if isinstance(uncertainty, LocalBudget):
            within = (cost <= reach_limit(np.broadcast_to(uncertainty.budget, n_samples)) + 1e-12).T
            return np.where(within[:, None, :], loss[:, held], -np.inf).max(axis=2).sum(axis=0).min()
        rows, worst = np.arange(n_samples), np.full(len(held), -np.inf)
        for sent in itertools.product(range(len(cost)), repeat=n_samples):
            if cost[sent, rows].sum() <= reach_limit(uncertainty.budget):
                worst = np.maximum(worst, loss[rows[:, None], held[:, sent].T].sum(axis=0))
        return worst.min()
