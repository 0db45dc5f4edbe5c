"""Leaves that hold a named set of plans, such as "any way over the north bridge"; somebody chooses inside it."""

import numpy as np

from hedgerow.errors import InputError
from hedgerow.problem import CostRows
from hedgerow.problems.explicit import ListedProblem


class PlanSets(ListedProblem):
    """A problem whose leaves may also hold a named set of its solutions; its solutions must be few enough to list.

    A set is one more solution: all of the problem's variables are 0 and a variable of its own is 1. It costs what its
    members (one per row) cost on a sample: the "best" of them where the planner will know the truth, the "worst" where
    one is taken blindly, or their "mean".
    """

    def __init__(self, problem, sets, *, inside="best"):
        plans = problem.all_solutions(20_000)
        if plans is None or inside not in ("best", "worst", "mean"):
            raise InputError('sets of plans need a problem with few solutions, and inside "best", "worst" or "mean".')
        self._width, self._inside, self._names = plans.shape[1], inside, (*problem.variable_names, *sets)
        self._sets = {name: np.array(rows, dtype=float) for name, rows in sets.items()}
        alone = np.hstack([plans, np.zeros((len(plans), len(sets)))])
        super().__init__(problem, np.vstack([alone, np.eye(len(sets), alone.shape[1], k=self._width)]))

    @property
    def variable_names(self):
        return self._names

    def costs(self, solutions, samples):
        plans, chosen = np.split(solutions, [self._width], axis=1)
        return np.where(chosen.any(axis=1), self._set_costs(samples) @ chosen.T, self.whole.costs(plans, samples))

    def _set_costs(self, samples):
        smallest = (self._inside == "best") == (self.sense == "min")
        reduced = np.mean if self._inside == "mean" else np.min if smallest else np.max
        return np.column_stack([reduced(self.whole.costs(rows, samples), axis=1) for rows in self._sets.values()])

    def infeasibility(self, solution):
        if len(solution) != len(self.variable_names):
            return f"it has {len(solution)} entries, and there are {len(self.variable_names)} variables"
        if not np.any(solution[self._width :]):
            return self.whole.infeasibility(solution[: self._width])
        alone = np.count_nonzero(solution) == 1 and solution.max() == 1.0
        return None if alone else "a set stands alone, with a single 1"

    def cost_rows(self, sample):
        rows = self.whole.cost_rows(sample)
        # All variables of the problem are 0 in a set, so that the constants alone would count.
        constant = rows.constants.max() if self.sense == "min" else rows.constants.min()
        own = np.repeat(self._set_costs(np.atleast_2d(sample)) - constant, len(rows.constants), axis=0)
        return CostRows(np.hstack([rows.coefficients, own]), rows.constants)

    def describe(self, solution):
        if not np.any(solution[self._width :]):
            return self.whole.describe(solution[: self._width])
        name, members = list(self._sets.items())[int(np.argmax(solution[self._width :]))]
        counted = f"{len(members)} on average" if self._inside == "mean" else f"the {self._inside} of {len(members)}"
        return f"{name} ({counted})"

    def to_dict(self):
        return {"kind": "custom", "class": "PlanSets"}


def sets_by_item(problem, items, words="any plan with {}"):
    """Return for each item the solutions that use it, as sets for `PlanSets`."""
    plans = problem.all_solutions(20_000)
    return {words.format(item): plans[plans[:, problem.item_names.index(item)] != 0.0] for item in items}
