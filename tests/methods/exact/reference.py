"""The optimum by brute force, from the definitions: every tree, every choice of solutions, every attack.

Nothing here comes from the package but the instance itself and what solutions there are and cost. A tree is the list of
its leaves, a leaf the list of its answers `(item, threshold, goes_right)`. Trees of every shape up to the depth count,
so that this is the optimum over all of them, whether or not the method looks at full trees only.
"""

from functools import cache
from itertools import pairwise, product

import numpy as np

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.run import Options

EPSILON = 0.001
TOLERANCE = 1e-9
GRID = [tenths / 10 for tenths in range(1, 10)]


def thresholds(values, kind="midpoints"):
    """Return Θ of one item: the points between neighbouring values, in increasing order."""
    distinct = sorted(set(np.asarray(values).tolist()))
    found = []
    for low, high in pairwise(distinct):
        points = [pi * low + (1 - pi) * high for pi in GRID] if kind == "grid" else [low / 2 + high / 2]
        found += [point if low <= point < high else low for point in points]
    return sorted(set(found))


def questions(observations, kind="midpoints"):
    """Return all pairs of item and threshold."""
    return [(item, theta) for item in range(observations.shape[1]) for theta in thresholds(observations[:, item], kind)]


def trees(depth, asked, path=()):
    """Return all trees up to the depth as tuples of leaves, each leaf the tuple of answers that lead to it."""
    found = [(path,)]
    if depth > 0:
        for item, theta in asked:
            left = trees(depth - 1, asked, (*path, (item, theta, False)))
            right = trees(depth - 1, asked, (*path, (item, theta, True)))
            found += [some + others for some in left for others in right]
    return found


def box(leaf):
    """Return per item on the path the tightest interval (low, high] that its answers leave."""
    sides = {}
    for item, theta, goes_right in leaf:
        low, high = sides.get(item, (-np.inf, np.inf))
        sides[item] = (max(low, theta), high) if goes_right else (low, min(high, theta))
    return sides


def move_cost(leaf, row, prices, limits, epsilon):
    """Return ρ: the least budget that moves this observation into the leaf's box."""
    total = 0.0
    for item, (low, high) in box(leaf).items():
        if low >= high:
            return np.inf
        distance = 0.0
        if row[item] > high:
            distance = row[item] - high
        elif row[item] <= low:
            distance = low + epsilon - row[item] if low + epsilon <= high else np.inf
        if distance > 0.0 and distance > limits[item] + (TOLERANCE if limits[item] > 0.0 else 0.0):
            return np.inf
        total += prices[item] * distance
    return total


def routes_to(leaf, row):
    """Return whether the observation gets to the leaf by itself."""
    return all((row[item] > theta) == goes_right for item, theta, goes_right in leaf)


class Reference:
    """All that the reference knows about an instance; `value` of a tree, `optimum` over all trees."""

    def __init__(self, instance: Instance, settings: Options | None = None) -> None:
        self.instance = instance
        self.settings = Options() if settings is None else settings
        self.sign = 1.0 if instance.problem.sense == "min" else -1.0
        self.solutions = instance.problem.all_solutions(1000)
        self.loss = self.sign * instance.weights[:, None] * instance.problem.costs(self.solutions, instance.costs)
        shape = instance.observations.shape
        uncertainty = instance.uncertainty
        self.is_global = isinstance(uncertainty, GlobalBudget)
        known = self.is_global or isinstance(uncertainty, LocalBudget)
        self.epsilon = uncertainty.epsilon if known else EPSILON
        self.prices = uncertainty.prices if known and uncertainty.prices is not None else np.ones(shape[1])
        limits = uncertainty.limits if known and uncertainty.limits is not None else np.inf
        self.limits = np.broadcast_to(limits, shape)
        budget = np.asarray(uncertainty.budget if known else 0.0)
        self.budget = np.where(budget > 0.0, budget + TOLERANCE, 0.0)
        self._of_moves = cache(self._of_moves)
        self._moves_into = cache(self._moves_into)
        self._all_costs = cache(self._all_costs)

    def all_trees(self):
        """Return the trees that the settings allow."""
        asked = questions(self.instance.observations, self.settings.thresholds)
        return [tree for tree in trees(self.instance.depth, asked) if self._allowed(tree)]

    def optimum(self):
        """Return the least worst-case loss over all trees."""
        return min(self.value(tree) for tree in self.all_trees())

    def value(self, tree):
        """Return the worst-case loss of the tree's questions with the best solutions at its leaves."""
        return self._of_moves(tuple(sorted(moves for moves in map(self._moves_into, tree) if min(moves) < np.inf)))

    def worst_of(self, tree, picked):
        """Return the worst-case loss of a tree with given solutions (numbers) at its leaves."""
        kept = [place for place, leaf in enumerate(tree) if min(self._moves_into(leaf)) < np.inf]
        moves = np.array([self._moves_into(tree[place]) for place in kept])
        loss = self.loss[:, [picked[place] for place in kept]]
        if not self.is_global:
            return float(np.where(moves.T == 0.0, loss, -np.inf).max(axis=1).sum())
        rows = np.arange(len(loss))
        return max(loss[rows, sent].sum() for sent in self._affordable(moves))

    def move_costs(self, tree):
        """Return ρ[j, k] in full, before it is held against any budget."""
        rows = self.instance.observations
        return np.array(
            [
                [move_cost(leaf, row, self.prices, self.limits[j], self.epsilon) for leaf in tree]
                for j, row in enumerate(rows)
            ]
        )

    def _allowed(self, tree):
        most, fewest = self.settings.max_leaves, self.settings.min_samples_leaf
        if most is not None and len(tree) > most:
            return False
        rows = self.instance.observations
        return fewest == 0 or all(sum(routes_to(leaf, row) for row in rows) >= fewest for leaf in tree)

    def _moves_into(self, leaf):
        """Return what it takes to move each sample into the leaf: 0 or ∞ under local budgets, ∞ beyond a global one."""
        cost = self.move_costs((leaf,))[:, 0]
        if not self.is_global:
            return tuple(np.where(cost <= self.budget, 0.0, np.inf).tolist())
        return tuple(np.where(cost <= self.budget, cost, np.inf).tolist())

    def _of_moves(self, moves):
        costs = self._all_costs(len(moves))
        worst = costs[self._affordable(np.array(moves)) @ len(moves) ** np.arange(len(self.loss))].max(axis=0)
        return float(worst.min())

    def _affordable(self, moves):
        """Return the assignments of samples to leaves that the budget affords, one per row."""
        sent = self._assignments(len(moves))
        price = sum(moves[sent[:, j], j] for j in range(len(self.loss)))
        return sent[price <= (self.budget if self.is_global else 0.0)]

    def _assignments(self, n_leaves):
        n_samples = len(self.loss)
        return np.arange(n_leaves**n_samples)[:, None] // n_leaves ** np.arange(n_samples) % n_leaves

    def _all_costs(self, n_leaves):
        """Return what each assignment (row) costs with each choice of solutions (column)."""
        choices = np.array(list(product(range(self.loss.shape[1]), repeat=n_leaves)))
        return sum(row[choices[:, self._assignments(n_leaves)[:, j]].T] for j, row in enumerate(self.loss))
