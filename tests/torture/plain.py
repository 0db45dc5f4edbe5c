"""What a tree means and what the best one costs, by brute force, told without the package.

A tree is a list of leaves; a leaf is a list of answers `(item, threshold, goes_right)`. Only the instance's arrays, the
list of solutions and what these cost come from the package.
"""

from itertools import pairwise, product

import numpy as np

from hedgerow import GlobalBudget, Nominal


class Plain:
    """The numbers of an instance."""

    def __init__(self, instance):
        self.readings = instance.observations
        uncertainty = instance.uncertainty
        n, m = self.readings.shape
        self.nominal = isinstance(uncertainty, Nominal)
        self.together = isinstance(uncertainty, GlobalBudget)
        self.epsilon = 0.001 if self.nominal else uncertainty.epsilon
        prices = None if self.nominal else uncertainty.prices
        limits = None if self.nominal else uncertainty.limits
        self.prices = np.ones(m) if prices is None else np.broadcast_to(prices, (m,))
        self.limits = np.broadcast_to(np.inf if limits is None else limits, (n, m))
        self.budget = np.zeros(n) if self.nominal else np.broadcast_to(uncertainty.budget, (n,))
        self.scale = max(float(np.abs(self.readings).max()), 1e-300)
        self.sign = 1.0 if instance.problem.sense == "min" else -1.0
        self.instance = instance
        self.slack = 1e-9 * self.scale

    def loss(self, solutions):
        costs = self.instance.problem.costs(solutions, self.instance.costs)
        return self.sign * self.instance.weights[:, None] * costs

    def move_cost(self, leaf, row):
        """Return the least budget that brings a sample to a leaf."""
        sides = {}
        for item, threshold, goes_right in leaf:
            low, high = sides.get(item, (-np.inf, np.inf))
            sides[item] = (max(low, threshold), high) if goes_right else (low, min(high, threshold))
        total = 0.0
        for item, (low, high) in sides.items():
            value = self.readings[row, item]
            if low < value <= high:
                continue
            if value > high:
                change = value - high if low < high else np.inf
            else:
                change = low + self.epsilon - value if low + self.epsilon <= high else np.inf
            if change > self.limits[row, item] + self.slack:
                return np.inf
            total += self.prices[item] * change
        return total

    def move_costs(self, tree):
        return np.array([[self.move_cost(leaf, row) for leaf in tree] for row in range(len(self.readings))])

    def assignments(self, moves):
        """Return every way to send the samples to leaves that the budget affords."""
        options = [np.flatnonzero(np.isfinite(row)) for row in moves]
        if not self.together:
            options = [
                leaves[moves[row, leaves] <= self.budget[row] + (self.slack if self.budget[row] > 0.0 else 0.0)]
                for row, leaves in enumerate(options)
            ]
        every = np.array(list(product(*options)), dtype=np.int64)
        if self.together:
            spent = moves[np.arange(len(moves)), every].sum(axis=1)
            budget = self.budget[0]
            every = every[spent <= budget + (self.slack if budget > 0.0 else 0.0)]
        return every

    def worst(self, tree, leaf_loss):
        """Return the worst case of a tree; `leaf_loss[j, k]` is what sample j costs at leaf k."""
        every = self.assignments(self.move_costs(tree))
        return float(leaf_loss[np.arange(len(leaf_loss)), every].sum(axis=1).max())

    def thresholds(self, item):
        found = []
        for low, high in pairwise(sorted(set(self.readings[:, item].tolist()))):
            middle = low / 2 + high / 2
            found.append(middle if middle < high else low)
        return found

    def trees(self, depth, path=()):
        """Return all trees up to a depth."""
        found = [[list(path)]]
        if depth:
            for item in range(self.readings.shape[1]):
                for threshold in self.thresholds(item):
                    sides = (self.trees(depth - 1, (*path, (item, threshold, side))) for side in (False, True))
                    found += [left + right for left, right in product(*map(list, sides))]
        return found

    def optimum(self, depth, solutions):
        """Return the least worst case over all trees up to a depth, with any solutions at the leaves."""
        loss, best, known = self.loss(solutions), np.inf, {}
        rows = np.arange(len(loss))
        for tree in self.trees(depth):
            every = self.assignments(self.move_costs(tree))
            key = (len(tree), every.tobytes())
            if key not in known:
                choices = np.array(list(product(range(len(solutions)), repeat=len(tree))))
                # total[a, c]: what assignment a costs if the leaves hold choice c
                total = np.array([loss[rows[:, None], choices[:, leaves].T].sum(axis=0) for leaves in every])
                known[key] = float(total.max(axis=0).min())
            best = min(best, known[key])
        return best


def leaves_of(nested, path=()):
    """Return the leaves of a tree given as nested dictionaries, left to right, each with its answers and solution."""
    if "solution" in nested:
        return [(list(path), np.array(nested["solution"], dtype=float))]
    item, threshold = nested["item"], nested["threshold"]
    left = leaves_of(nested["left"], (*path, (item, threshold, False)))
    return left + leaves_of(nested["right"], (*path, (item, threshold, True)))
