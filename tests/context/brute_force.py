"""Context by brute force: every tree over the raw columns, and what misreadings do to it, written a second time."""

import itertools
import math

import numpy as np
import pandas as pd

from hedgerow import LocalBudget
from hedgerow.problems import ExplicitSet

EPSILON = 0.001


class World:
    """A few rows with readings, a number that may be misread or not, a flag and a category."""

    def __init__(self, seed, n_samples=5, with_readings=True):
        rng = np.random.default_rng(seed)
        self.problem = ExplicitSet(np.eye(3)[: rng.integers(2, 4)] @ np.eye(3))
        self.costs = rng.integers(0, 20, (n_samples, 3)).astype(float)
        self.readings = rng.integers(0, 9, (n_samples, 3)).astype(float) if with_readings else None
        self.frame = pd.DataFrame(
            {
                "wind": rng.integers(0, 6, n_samples).astype(float),
                "crane out": rng.random(n_samples) < 0.5,
                "sky": rng.choice(["fog", "rain", "sun"], n_samples),
            }
        )
        self.frame.loc[:1, "sky"] = ["fog", "sun"]  # never a single value, and never as many as rows
        self.frame.loc[2:3, "sky"] = "sun"
        self.price = float(rng.choice([0.5, 2.0])) if rng.random() < 0.5 else None
        prices = None if self.price is None else {"wind": self.price}
        self.budget = float(rng.choice([0.0, 1.0, 2.5]))
        self.uncertainty = LocalBudget(self.budget, prices=prices)
        self.losses = self.problem.costs(self.problem.all_solutions(10), self.costs)

    def columns(self):
        read = {} if self.readings is None else {f"x{i + 1}": column for i, column in enumerate(self.readings.T)}
        return {**read, **{name: self.frame[name].to_numpy() for name in self.frame}}

    def questions(self):
        """Return all questions: a column with a threshold, or with the set of values that goes left."""
        found = []
        for name, column in self.columns().items():
            values = sorted(set(column.tolist()))
            if name == "sky":
                sizes = range(1, len(values))
                found += [(name, frozenset(part)) for size in sizes for part in itertools.combinations(values, size)]
            else:
                found += [(name, (low + high) / 2) for low, high in itertools.pairwise(map(float, values))]
        return found

    def move_cost(self, row, path):
        """Return what it takes to bring a row to a leaf, whose path lists questions and sides."""
        boxes, total = {}, 0.0
        for (name, what), left in path:
            value = self.columns()[name][row]
            if name == "sky":
                if (value in what) != left:
                    return math.inf
                continue
            low, high = boxes.get(name, (-math.inf, math.inf))
            boxes[name] = (low, min(high, what)) if left else (max(low, what), high)
        for name, (low, high) in boxes.items():
            value = float(self.columns()[name][row])
            price = self.price if name == "wind" else None if name == "crane out" else 1.0
            if low < value <= high:
                continue
            if price is None or low >= high:
                return math.inf
            if value > high:
                total += price * (value - high)
            elif low + EPSILON > high:
                return math.inf
            else:
                total += price * (low + EPSILON - value)
        return total

    def reach(self, path):
        """Return which rows a misreading can bring to a leaf."""
        rows = range(len(self.costs))
        return np.array([self.move_cost(row, path) <= self.budget * (1 + 1e-9) for row in rows])

    def optimum(self, depth):
        """Return the best worst case over all trees of a depth."""
        questions = self.questions()
        roots = [None] if depth == 0 or not questions else questions
        best = math.inf
        for root in roots:
            if root is None:
                leaves = [[]]
                best = min(best, self._best([self.reach(path) for path in leaves]))
                continue
            halves = [
                [self._leaves((root, left), question) for question in (questions if depth > 1 else [None])]
                for left in (True, False)
            ]
            for pair in itertools.product(*halves):
                best = min(best, self._best([reach for side in pair for reach in side]))
        return best

    def _leaves(self, first, question):
        paths = [[first]] if question is None else [[first, (question, left)] for left in (True, False)]
        return [self.reach(path) for path in paths]

    def _best(self, reaches):
        masks = np.array(reaches)  # leaves × rows
        plans = np.array(list(itertools.product(range(self.losses.shape[1]), repeat=len(masks))))
        loss = self.losses.T[plans]  # choices × leaves × rows
        return float(np.where(masks, loss, -np.inf).max(axis=1).sum(axis=1).min())
