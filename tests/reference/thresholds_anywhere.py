"""The optimum over all real thresholds by brute force, for depths 1 and 2, with or without a margin.

With a margin m every box is m wider on each of its sides: going left costs c − θ − m, going right θ − m + ε − c, and a
sample with θ − m < c ≤ θ + m has both sides for nothing. Thresholds lie in [min, max) of their item.

Local budgets: which leaves a sample reaches changes only on lines in the plane of the root's and a child's threshold.
All roots between and on the crossings of these lines are tried, and for each of them all children between and on the
lines. Global budget: between its breakpoints every move cost is linear in the thresholds, so that a linear programme
answers whether some thresholds leave no affordable attack that costs as much as the best tree so far.
"""

from functools import cache
from itertools import chain, pairwise, product

import numpy as np
from scipy.optimize import linprog

from tests.methods.exact.reference import Reference, box, routes_to

CLOSE = 1e-10
SLACK = 1e-7
LEFT, RIGHT = False, True


def move_cost(leaf, row, prices, limits, epsilon, margin=0.0):
    """Return ρ with boxes that are wider by the margin on each side."""
    total = 0.0
    for item, sides in box(leaf).items():
        low, high = sides[0] - margin, sides[1] + margin
        if low >= high:
            return np.inf
        distance = 0.0
        if row[item] > high:
            distance = row[item] - high
        elif row[item] <= low:
            distance = low + epsilon - row[item] if low + epsilon <= high else np.inf
        if distance > 0.0 and distance > limits[item] + (1e-9 if limits[item] > 0.0 else 0.0):
            return np.inf
        total += prices[item] * distance
    return total


class ThresholdsAnywhere(Reference):
    """The reference over all real thresholds; `optimum()` is the infimum, attained in an open set of thresholds."""

    def __init__(self, instance, settings=None, margin=0.0):
        super().__init__(instance, settings)
        self.margin = margin
        self._bound = cache(self._bound)
        self.rows = instance.observations
        self.items = [item for item in range(self.rows.shape[1]) if np.ptp(self.rows[:, item]) > 0.0]

    def move_costs(self, tree):
        """Return ρ[j, k] with the margin."""
        rows = enumerate(self.instance.observations)
        terms = (self.prices, self.epsilon, self.margin)
        return np.array(
            [[move_cost(leaf, row, terms[0], self.limits[j], *terms[1:]) for leaf in tree] for j, row in rows]
        )

    def optimum(self):
        """Return the least worst-case loss over all thresholds."""
        assert self.instance.depth <= 2
        return self._global_optimum() if self.is_global else self._local_optimum()

    # -- local budgets -------------------------------------------------------------------------------------------

    def _local_optimum(self):
        best = self._of_masks([(1 << len(self.rows)) - 1])
        if self.instance.depth == 0 or self.settings.max_leaves == 1:
            return best
        for item in self.items:
            for theta in self._in_range(item, self._root_events(item)):
                halves = [self._half(item, theta, side) for side in (LEFT, RIGHT)]
                for left, right in product(*halves):
                    if self.settings.max_leaves is None or len(left) + len(right) <= self.settings.max_leaves:
                        best = min(best, self._of_masks([*left, *right]))
        return best

    def _half(self, item, theta, side):
        """Return the least sets of reaching samples, one tuple of masks per choice of the child's question."""
        found = set()
        masks, counts = self._reach([(item, side, np.array([theta]))])
        if counts[0] >= self.settings.min_samples_leaf:
            found.add((int(masks[0]),))
        if self.instance.depth == 2:
            for other in self.items:
                lines = [(b - a0 * theta) / a1 for a0, a1, b in self._lines(item, side, other) if a1 != 0.0]
                points = self._in_range(other, lines)
                root = (item, side, np.full(points.size, theta))
                below = [self._reach([root, (other, child, points)]) for child in (LEFT, RIGHT)]
                allowed = np.all([counts >= self.settings.min_samples_leaf for _, counts in below], axis=0)
                found |= set(zip(*(masks[allowed].tolist() for masks, _ in below), strict=True))
        return [some for some in found if not any(_within(other, some) for other in found if other != some)]

    def _reach(self, path):
        """Return per threshold which samples reach the leaf, as bits, and how many are there by themselves."""
        n = len(self.rows)
        sides = {}
        own = True
        for item, side, theta in path:
            low, high = sides.get(item, (np.full(theta.size, -np.inf), np.full(theta.size, np.inf)))
            sides[item] = (np.maximum(low, theta), high) if side == RIGHT else (low, np.minimum(high, theta))
            own = own & ((self.rows[:, item] > theta[:, None]) == side)
        cost = np.zeros((path[-1][2].size, n))
        for item, (lower, upper) in sides.items():
            low, high, c = lower[:, None] - self.margin, upper[:, None] + self.margin, self.rows[:, item]
            entry = np.where(low + self.epsilon <= high, low + self.epsilon, np.inf)
            distance = np.where(c > high, c - high, np.where(c <= low, entry - c, 0.0))
            limit = self.limits[:, item]
            beyond = (distance > limit + np.where(limit > 0.0, 1e-9, 0.0)) | (low >= high)
            cost += np.where(beyond, np.inf, self.prices[item] * distance)
        return (cost <= self.budget) @ (1 << np.arange(n)), np.broadcast_to(own, cost.shape).sum(axis=1)

    def _root_events(self, item):
        found = []
        others = self.items if self.instance.depth == 2 else self.items[:1]
        for side, other in product((LEFT, RIGHT), others):
            lines = np.array(self._lines(item, side, other))
            upright = lines[:, 1] == 0.0
            found += (lines[upright, 2] / lines[upright, 0]).tolist()
            if self.instance.depth == 2:
                lines = lines[~upright]
                slope, offset = -lines[:, 0] / lines[:, 1], lines[:, 2] / lines[:, 1]
                first, second = np.triu_indices(len(lines), 1)
                turn = slope[first] != slope[second]
                first, second = first[turn], second[turn]
                found += ((offset[second] - offset[first]) / (slope[first] - slope[second])).tolist()
        return found

    def _lines(self, item, side, other):
        """Return lines a0 · θ_root + a1 · θ_child = b, off which no sample's reach of the child's leaves changes."""
        m, lines = self.margin, set()
        budget = np.broadcast_to(
            np.asarray(self.instance.uncertainty.budget if self.budget.any() else 0.0), len(self.rows)
        )
        if item == other:
            gaps = (0.0, 2 * m, -2 * m, 2 * m - self.epsilon, self.epsilon - 2 * m)
            lines |= {(1.0, -1.0, gap) for gap in gaps}
        for j, row in enumerate(self.rows):
            root = self._distance(row[item], side)
            lines |= {(1.0, 0.0, row[item]), (0.0, 1.0, row[other])}
            lines |= {(1.0, 0.0, row[item] + (m if side == RIGHT else -m))}
            lines |= {
                (root[0], 0.0, amount - root[1]) for amount in (budget[j] / self.prices[item], self.limits[j, item])
            }
            for below in (LEFT, RIGHT):
                k1, h1 = self._distance(row[other], below)
                lines |= {(0.0, 1.0, row[other] + (m if below == RIGHT else -m))}
                lines |= {(0.0, k1, amount - h1) for amount in (budget[j] / self.prices[other], self.limits[j, other])}
                price = self.prices[item] / self.prices[other]
                lines |= {(price * root[0], k1, budget[j] / self.prices[other] - price * root[1] - h1)}
        return [line for line in lines if np.isfinite(line[2])]

    def _distance(self, value, side):
        """Return slope and offset of what it takes to get to a side, as a function of the threshold."""
        return (1.0, self.epsilon - self.margin - value) if side == RIGHT else (-1.0, value - self.margin)

    def _in_range(self, item, events):
        """Return the events in the item's range and points between them."""
        low, high = self.rows[:, item].min(), self.rows[:, item].max()
        events = np.unique(np.array([low, *(event for event in events if low <= event < high), high]))
        events = events[np.diff(events, prepend=-np.inf) > CLOSE]
        return np.concatenate([events[events < high], (events[:-1] + events[1:]) / 2])

    def _of_masks(self, masks):
        """Return the least loss of leaves that these samples reach, each at its worst."""
        reach = np.array([[mask >> j & 1 for j in range(len(self.rows))] for mask in sorted(set(masks) - {0})])
        return self._of_moves(tuple(tuple(row) for row in np.where(reach == 1, 0.0, np.inf).tolist()))

    # -- global budget -------------------------------------------------------------------------------------------

    def _global_optimum(self):
        best = min(map(self.value, super().all_trees()))
        for shape in self._shapes():
            nodes = sorted({step[0] for leaf in shape for step in leaf})
            item_of = {node: item for leaf in shape for node, item, _ in leaf}
            best = self._search(shape, nodes, [self._gaps(item_of[node]) for node in nodes], best)
        return best

    def _shapes(self):
        """Return trees whose answers name a node in place of a threshold: (node, item, goes right)."""
        tops = [((),)]
        asked = [None, *self.items] if self.instance.depth == 2 else [None]
        for item in self.items if self.instance.depth else ():
            for below in product(asked, repeat=2):
                leaves = []
                for side, other in zip((LEFT, RIGHT), below, strict=True):
                    path = ((0, item, side),)
                    ends = [()] if other is None else [((1 + side, other, LEFT),), ((1 + side, other, RIGHT),)]
                    leaves += [path + end for end in ends]
                tops.append(tuple(leaves))
        most = self.settings.max_leaves
        return [shape for shape in tops if len(shape) > 1 and (most is None or len(shape) <= most)]

    def _search(self, shape, nodes, gaps, best):
        """Return the least loss with each node's threshold in one of its gaps if it is below the best so far."""
        ends = {node: (near[0][0], near[-1][1]) for node, near in zip(nodes, gaps, strict=True)}
        # The dearest tree of all: going left at the low end, going right at the high one.
        dearest = tuple(tuple((item, ends[node][side], side) for node, item, side in leaf) for leaf in shape)
        if self._bound(tuple(map(self._moves_into, dearest))) >= best - 1e-9:
            return best
        widest = max(range(len(nodes)), key=lambda place: len(gaps[place]))
        middle = len(gaps[widest]) // 2
        if middle == 0:
            for region in self._regions(shape, nodes, [near[0] for near in gaps]):
                best = self._below(shape, nodes, *region, best)
            return best
        for half in (gaps[widest][:middle], gaps[widest][middle:]):
            best = self._search(shape, nodes, [*gaps[:widest], half, *gaps[widest + 1 :]], best)
        return best

    def _bound(self, moves):
        """Return what no solutions beat if moves cost this much; a sample may stay out at its own least loss."""
        moves = np.array([*moves, [0.0] * len(self.rows)])
        sent = self._affordable(moves)
        losses = np.concatenate([self.loss, self.loss.min(axis=1, keepdims=True)], axis=1)
        choices = np.array([(*some, -1) for some in product(range(self.loss.shape[1]), repeat=len(moves) - 1)])
        return sum(row[choices[:, sent[:, j]]] for j, row in enumerate(losses)).max(axis=1).min()

    def _regions(self, shape, nodes, chosen):
        """Yield rows and sides of Aθ ≤ b in whose inside all move costs are linear, and a point inside."""
        item_of = {node: item for leaf in shape for node, item, _ in leaf}
        pairs = [(0, node) for node in nodes[1:] if item_of[0] == item_of[node]]
        m, far = self.margin, 1e9
        cuts = sorted({-far, -2 * m, self.epsilon - 2 * m, 0.0, 2 * m - self.epsilon, 2 * m, far})
        strips = list(pairwise(cuts))
        for between in product(strips, repeat=len(pairs)):
            rows, sides = [], []
            for unit, (low, high) in zip(np.eye(len(nodes)), chosen, strict=True):
                rows, sides = [*rows, unit, -unit], [*sides, high, -low]
            for (a, b), (low, high) in zip(pairs, between, strict=True):
                difference = np.eye(len(nodes))[nodes.index(a)] - np.eye(len(nodes))[nodes.index(b)]
                rows, sides = [*rows, difference, -difference], [*sides, high, -low]
            inside = _inside(np.array(rows), np.array(sides))
            if inside is not None:
                yield np.array(rows), np.array(sides), inside

    def _gaps(self, item):
        m = self.margin
        ends = []
        for j, value in enumerate(self.rows[:, item]):
            limit = self.limits[j, item]
            ends += [value, value - m, value + m, value - m - limit, value + m - self.epsilon + limit]
        low, high = self.rows[:, item].min(), self.rows[:, item].max()
        ends = np.unique([low, high, *(end for end in ends if low < end < high)])
        ends = ends[np.diff(ends, prepend=-np.inf) > CLOSE]
        return list(pairwise(ends.tolist()))

    def _below(self, shape, nodes, rows, sides, inside, best):
        """Return the least loss in the region if it is below the best so far, else that."""
        theta = dict(zip(nodes, inside, strict=True))
        at = lambda point: tuple(  # noqa: E731
            tuple((item, point[nodes.index(node)], side) for node, item, side in leaf) for leaf in shape
        )
        tree = at(inside)
        fewest = self.settings.min_samples_leaf
        if fewest and any(sum(routes_to(leaf, row) for row in self.rows) < fewest for leaf in tree):
            return best
        slope = np.zeros((len(shape), len(self.rows), len(nodes)))
        constant = np.zeros((len(shape), len(self.rows)))
        for (k, leaf), (j, row) in product(enumerate(shape), enumerate(self.rows)):
            slope[k, j], constant[k, j] = self._linear(leaf, row, self.limits[j], theta, nodes)
        sent = self._assignments(len(shape))
        samples = np.arange(len(self.rows))
        fixed = constant[sent, samples].sum(axis=1)
        possible = np.isfinite(fixed)
        sent, fixed, steep = sent[possible], fixed[possible], slope[sent[possible], samples].sum(axis=1)
        costs = self._all_costs(len(shape))[sent @ len(shape) ** samples]
        # An attack that is affordable everywhere in the region can't be excluded.
        box_high, box_low = sides[: 2 * len(nodes) : 2], -sides[1 : 2 * len(nodes) : 2]
        dearest = fixed + np.where(steep > 0.0, steep * box_high, steep * box_low).sum(axis=1)
        for choice in np.flatnonzero(costs[dearest <= self.budget].max(axis=0, initial=-np.inf) < best - 1e-9):
            while True:
                bad = costs[:, choice] >= best - 1e-9
                point = _inside(np.vstack([rows, -steep[bad]]), np.concatenate([sides, fixed[bad] - self.budget]))
                if point is None:
                    break
                value = self.value(at(point))
                assert value < best - 1e-9
                best = value
        return best

    def _linear(self, leaf, row, limits, theta, nodes):
        """Return ρ's slope and offset in the thresholds around `theta`."""
        slope, offset = np.zeros(len(nodes)), 0.0
        for item in {item for _, item, _ in leaf}:
            lows = [node for node, asked, side in leaf if asked == item and side == RIGHT]
            highs = [node for node, asked, side in leaf if asked == item and side == LEFT]
            low = max(lows, key=theta.get) if lows else None
            high = min(highs, key=theta.get) if highs else None
            lower = -np.inf if low is None else theta[low] - self.margin
            upper = np.inf if high is None else theta[high] + self.margin
            if lower >= upper:
                return slope, np.inf
            distance = 0.0
            if row[item] > upper:
                distance = row[item] - upper
                slope[nodes.index(high)] -= self.prices[item]
                offset += self.prices[item] * (row[item] - self.margin)
            elif row[item] <= lower:
                if lower + self.epsilon > upper:
                    return slope, np.inf
                distance = lower + self.epsilon - row[item]
                slope[nodes.index(low)] += self.prices[item]
                offset += self.prices[item] * (self.epsilon - self.margin - row[item])
            if distance > limits[item]:
                return slope, np.inf
        return slope, offset

    def random_value(self, rng):
        """Return the value of a random tree with real thresholds and its best solutions; never below the optimum."""
        shape = self._shapes()[rng.integers(len(self._shapes()))]
        item_of = {node: item for leaf in shape for node, item, _ in leaf}
        theta = {node: rng.choice(self._random_points(item, rng)) for node, item in item_of.items()}
        tree = tuple(tuple((item, theta[node], side) for node, item, side in leaf) for leaf in shape)
        return self.value(tree) if self._allowed(tree) else np.inf

    def _random_points(self, item, rng):
        column = self.rows[:, item]
        budget = np.broadcast_to(self.budget, column.shape)
        near = chain(*(column + shift for shift in (-budget, budget, -self.epsilon, self.epsilon, 0.0)))
        points = np.array([*near]) + rng.choice([-1, 1]) * self.epsilon * rng.random()
        points = np.concatenate([points, rng.uniform(column.min(), column.max(), 4)])
        return points[(points >= column.min()) & (points < column.max())]


def _within(some, others):
    """Return whether the same leaves are reached by no more samples."""
    if len(some) != len(others):
        return False
    return all(first & ~second == 0 for first, second in zip(some, others, strict=True))


def _inside(rows, sides):
    """Return a point strictly inside Aθ ≤ b, None if there is none."""
    n = rows.shape[1]
    width = np.column_stack([rows, np.ones(len(rows))])
    found = linprog([0.0] * n + [-1.0], A_ub=width, b_ub=sides, bounds=[(None, None)] * n + [(None, 1.0)])
    return found.x[:n] if found.status == 0 and found.x[n] > SLACK else None


def midpoint_optimum(reference):
    """Return the optimum over midpoints under the reference's margin."""
    trees = Reference(reference.instance, reference.settings).all_trees()
    return min(map(reference.value, trees))
