"""Small random worlds over problem kinds, senses, budgets, options and scales, and the code that makes one again.

Values lie on a lattice, thresholds between its points and budgets off it, so that no comparison hangs on rounding.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal
from hedgerow.problems import Assignment, ExplicitSet, Knapsack, Scheduling, Selection, ShortestPath, SpanningTree


@dataclass(frozen=True)
class World:
    """What an instance is made of, as plain values."""

    problem: Any
    costs: np.ndarray
    observations: np.ndarray | None
    weights: np.ndarray
    kind: str
    budget: Any
    options: dict[str, Any] = field(default_factory=dict)
    depth: int = 2

    @cached_property
    def instance(self):
        sets = {"local": LocalBudget, "global": GlobalBudget}
        uncertainty = sets[self.kind](self.budget, **self.options) if self.kind in sets else Nominal()
        return Instance.create(
            self.problem,
            self.costs,
            observations=self.observations,
            weights=self.weights,
            uncertainty=uncertainty,
            depth=self.depth,
        )

    def without_row(self, row):
        """Return the world without one sample, or None if it is the last one."""
        if len(self.costs) == 1:
            return None

        def drop(array):
            return np.delete(array, row, axis=0) if isinstance(array, np.ndarray) and array.ndim else array

        limits = self.options.get("limits")
        options = dict(self.options)
        if isinstance(limits, np.ndarray) and limits.ndim == 2:
            options["limits"] = drop(limits)
        return replace(
            self,
            costs=drop(self.costs),
            observations=drop(self.observations),
            weights=drop(self.weights),
            budget=drop(self.budget),
            options=options,
        )

    def code(self):
        """Return the Python code of the instance."""
        sets = {"local": "LocalBudget", "global": "GlobalBudget"}

        def text(value):
            return repr(value.tolist() if isinstance(value, np.ndarray) else value)

        options = "".join(f", {name}={text(value)}" for name, value in self.options.items())
        chosen = f"{sets[self.kind]}({text(self.budget)}{options})" if self.kind in sets else "Nominal()"
        return (
            f"problem_from_dict({self.problem.to_dict()!r}); Instance.create(problem, {text(self.costs)}, "
            f"observations={text(self.observations)}, weights={text(self.weights)}, uncertainty={chosen}, "
            f"depth={self.depth})"
        )


def problem(rng, most_solutions):
    """Draw a problem with few solutions."""
    sense = str(rng.choice(["min", "max"]))
    makers = [
        lambda: Selection(int(rng.integers(2, 5)), 1, sense=sense),
        lambda: Selection(3, 2, sense=sense),
        lambda: ShortestPath.grid(2),
        lambda: ShortestPath(list("ssab"), list("abtt"), "s", "t"),
        lambda: ExplicitSet(rng.integers(-2, 3, (int(rng.integers(1, 5)), 3)).astype(float), sense=sense),
        lambda: Knapsack([1.0, 2.0], 2.0, sense=sense),
        lambda: Assignment(["a", "b"], ["c", "d"], sense=sense),
        lambda: SpanningTree(list("aab"), list("bcc"), sense=sense),
        lambda: Scheduling(3, 2),
    ]
    while True:
        found = makers[rng.integers(len(makers))]()
        listed = found.all_solutions(most_solutions)
        if listed is not None and len(listed):
            return found


def world(rng, *, most_samples, most_solutions, depths, most_features=3):
    """Draw a world."""
    chosen = problem(rng, most_solutions)
    n, n_items = int(rng.integers(1, most_samples + 1)), len(chosen.item_names)
    scale = float(10.0 ** rng.integers(-4, 5))
    low = 0 if isinstance(chosen, ShortestPath | Scheduling) else -6
    costs = rng.integers(low, 15, (n, n_items)) * scale
    observations = None
    if n_items > most_features or rng.random() < 0.3:
        observations = rng.integers(-6, 15, (n, int(rng.integers(1, most_features + 1)))) * scale
    n_features = n_items if observations is None else observations.shape[1]
    weights = np.ones(n) if rng.random() < 0.6 else rng.integers(1, 4, n).astype(float)
    kind = str(rng.choice(["local", "global", "nominal"], p=[0.45, 0.45, 0.1]))
    options: dict[str, Any] = {"epsilon": 0.001 * scale}
    if rng.random() < 0.3:
        options["prices"] = rng.choice([0.5, 1.0, 2.0], n_features)
    if rng.random() < 0.3:
        shape = [(), (n_features,), (n, n_features)][rng.integers(3)]
        options["limits"] = np.asarray((rng.integers(0, 8, shape) + 0.3) * scale)
    budget: Any = 0.0 if rng.random() < 0.1 else (float(rng.integers(0, 16)) + 0.1) * scale
    if kind == "local" and rng.random() < 0.3:
        budget = (rng.integers(0, 10, n) + 0.1) * scale
    return World(chosen, costs, observations, weights, kind, budget, options, int(rng.choice(depths)))
