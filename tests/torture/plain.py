"""What a tree means and what the best one costs, by brute force, without the package.

A tree is a list of leaves, a leaf a list of answers `(question, threshold, goes_right)`, a question a tuple of pairs
`(item, coefficient)`. Only the instance's arrays, the list of solutions and what these cost come from the package.
"""

from itertools import combinations, pairwise, product

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
        self.most_changes = np.where(self.limits > 0.0, self.limits + self.slack, 0.0)
        self.questions = [
            tuple(zip(question.items, question.coefficients, strict=True)) for question in instance.questions
        ]
        self._known = {}

    def loss(self, solutions):
        costs = self.instance.problem.costs(solutions, self.instance.costs)
        return self.sign * self.instance.weights[:, None] * costs

    def value(self, question, row):
        return sum(coefficient * self.readings[row, item] for item, coefficient in question)

    def move_cost(self, leaf, row):
        """Return the least budget that brings a sample to a leaf."""
        sides = {}
        for question, threshold, goes_right in leaf:
            low, high = sides.get(question, (-np.inf, np.inf))
            sides[question] = (max(low, threshold), high) if goes_right else (low, min(high, threshold))
        key = (frozenset(sides.items()), row)
        if key not in self._known:
            single = all(len(question) == 1 and question[0][1] == 1.0 for question in sides)
            self._known[key] = (self._apart if single else self._together)(sides, row)
        return self._known[key]

    def _apart(self, sides, row):
        """Return what it takes to change single readings, each on its own."""
        total = 0.0
        for ((item, _),), (low, high) in sides.items():
            value = self.readings[row, item]
            if low < value <= high:
                continue
            if value > high:
                change = value - high if low < high else np.inf
            else:
                change = low + self.epsilon - value if low + self.epsilon <= high else np.inf
            if change > self.most_changes[row, item]:
                return np.inf
            total += self.prices[item] * change
        return total

    def _together(self, sides, row):
        """Return the least price over all corners that the questions' intervals, the limits and zero changes make."""
        n_items = self.readings.shape[1]
        planes, at, low_ends, high_ends = [], [], [], []
        for question, (low, high) in sides.items():
            value = self.value(question, row)
            if low >= high or (value <= low and low + self.epsilon > high):
                return np.inf
            # The slack below is for rounding on the way; a value none of whose readings may change stays where it is.
            if not low < value <= high and not any(self.most_changes[row, item] for item, _ in question):
                return np.inf
            # A value that comes from above, or need not move, may lie closer to `low` than ε, but not come closer.
            least = low + self.epsilon if value <= low else min(low + self.epsilon, value, high)
            normal = np.zeros(n_items)
            normal[[item for item, _ in question]] = [coefficient for _, coefficient in question]
            planes += [normal, normal]
            at += [least - value, high - value]
            low_ends.append(least - value)
            high_ends.append(high - value)
        matrix, low_ends, high_ends = np.array(planes[::2]), np.array(low_ends), np.array(high_ends)
        limits = self.limits[row]
        unit = np.eye(n_items)
        planes += [*unit, *unit, *unit]
        at += [*np.zeros(n_items), *limits, *-limits]
        planes, at = np.array(planes)[np.isfinite(at)], np.array(at)[np.isfinite(at)]
        chosen = np.array(list(combinations(range(len(at)), n_items)))
        chosen = chosen[np.abs(np.linalg.det(planes[chosen])) > 1e-6]
        corners = np.linalg.solve(planes[chosen], at[chosen][:, :, None])[:, :, 0]
        changes = corners @ matrix.T
        fits = (np.abs(corners) <= np.maximum(self.most_changes[row], 1e-13 * self.scale)).all(axis=1)
        fits &= (changes >= low_ends - self.slack).all(axis=1) & (changes <= high_ends + self.slack).all(axis=1)
        price = float((np.abs(corners[fits]) @ self.prices).min(initial=np.inf))
        inside = all(low < self.value(question, row) <= high for question, (low, high) in sides.items())
        return 0.0 if inside else max(price, np.nextafter(0.0, 1.0))

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

    def thresholds(self, question):
        found = []
        values = {self.value(question, row) for row in range(len(self.readings))}
        for low, high in pairwise(sorted(values)):
            middle = low / 2 + high / 2
            found.append(middle if middle < high else low)
        return found

    def trees(self, depth, path=()):
        """Return all trees up to a depth."""
        found = [[list(path)]]
        if depth:
            for question in self.questions:
                for threshold in self.thresholds(question):
                    sides = (self.trees(depth - 1, (*path, (question, threshold, side))) for side in (False, True))
                    found += [left + right for left, right in product(*map(list, sides))]
        return found

    def leaf_sizes(self, tree):
        """Return how many samples each leaf has if nothing is misread."""
        return [
            sum(
                all((self.value(question, row) > threshold) == goes_right for question, threshold, goes_right in leaf)
                for row in range(len(self.readings))
            )
            for leaf in tree
        ]

    def optimum(self, depth, solutions, min_samples_leaf=0, max_leaves=None):
        """Return the least worst case over all trees up to a depth, with any solutions at the leaves."""
        loss, best, known = self.loss(solutions), np.inf, {}
        rows = np.arange(len(loss))
        for tree in self.trees(depth):
            if max_leaves is not None and len(tree) > max_leaves:
                continue
            if min_samples_leaf and min(self.leaf_sizes(tree)) < min_samples_leaf:
                continue
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
    terms = {nested["item"]: 1.0} if "item" in nested else nested["question"]["coefficients"]
    question, threshold = tuple(sorted((int(item), value) for item, value in terms.items())), nested["threshold"]
    left = leaves_of(nested["left"], (*path, (question, threshold, False)))
    return left + leaves_of(nested["right"], (*path, (question, threshold, True)))
