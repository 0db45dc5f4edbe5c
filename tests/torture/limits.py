"""Time limits over calls, sizes, problems, budgets and questions: a call ends 0.6 s and 5 % after its limit.

Limits and overruns are in seconds of CPU, so that a busy machine changes neither.
"""

import time
from unittest.mock import patch

import numpy as np

from hedgerow import (
    GlobalBudget,
    InputError,
    Instance,
    LocalBudget,
    Nominal,
    RobustTree,
    alternatives,
    compare,
    tune,
    watch,
)
from hedgerow.problems import Assignment, Knapsack, Scheduling, Selection, ShortestPath
from hedgerow.run import Deadline
from tests.problems.models import model_of
from tests.torture.world import Kind

METHODS = (
    *("auto", "exact", "scenario_generation", "fix_tree", "fix_solutions", "alternate", "local_search", "greedy"),
    "nominal",
)

CALLS = ("fit", "fit", "fit", "alternatives", "tune", "compare", "watch")
QUESTIONS = ("items", "items", "plans", "pairs", "levels")
BUDGETS = {"none": Nominal(), "local": LocalBudget(fraction=0.05), "global": GlobalBudget(fraction=0.05)}
PROBLEMS = {
    "grid:3": lambda: ShortestPath.grid(3),
    "grid:4": lambda: ShortestPath.grid(4),
    "grid:6": lambda: ShortestPath.grid(6),
    "selection:18:9": lambda: Selection(18, 9),
    "knapsack": lambda: Knapsack(np.arange(1.0, 13.0), 30.0),
    "assignment": lambda: Assignment(4),
    "scheduling": lambda: Scheduling(5, 2),
    "mip": lambda: _model(25, whole=True),
    "lp": lambda: _model(12, whole=False),
}
SLACK = 0.6


def _model(n, whole):
    """Cover ten rows at least cost; with whole numbers or with parts of them."""
    rows = np.random.default_rng(0).random((10, n)) < 0.3
    rows[:, 0] = True
    return model_of(np.zeros(n), (rows.astype(float), 1.0, np.inf), int(whole), (0.0, 2.0))


class Limits(Kind):
    """One call on one size."""

    name = "limits"

    def draw(self, rng):
        return {
            "call": str(rng.choice(CALLS)),
            "problem": str(rng.choice(list(PROBLEMS))),
            "n_samples": int(rng.choice([5, 20, 100, 250, 1_000, 5_000])),
            "depth": int(rng.integers(1, 5)),
            "budget": str(rng.choice(list(BUDGETS))),
            "method": str(rng.choice(METHODS)),
            "questions": str(rng.choice(QUESTIONS)),
            "limit": float(rng.choice([0.5, 1.0, 2.0])),
            "seed": int(rng.integers(1_000)),
        }

    def check(self, case):
        problem = PROBLEMS[case["problem"]]()
        rng = np.random.default_rng(case["seed"])
        n = case["n_samples"]
        base = rng.uniform(10.0, 30.0, (3, len(problem.item_names)))
        costs = base[rng.integers(0, 3, n)] * rng.uniform(0.75, 1.25, (n, len(problem.item_names)))
        allowed = 1.05 * case["limit"] + SLACK
        for _ in range(3):  # what is loaded or compiled once is no overrun
            with patch.dict(Deadline.__init__.__kwdefaults__, clock=time.process_time):
                spent = self._spent(problem, costs, case)
            if spent <= allowed:
                return
        raise AssertionError(f"{spent:.2f} s of CPU, {allowed:.2f} s allowed")

    def _spent(self, problem, costs, case):
        """Return how much CPU time a call takes, be it one that is refused."""
        limit = case["limit"]
        fit = {"method": case["method"], "questions": case["questions"], "random_state": 0}
        tree = {"depth": case["depth"], "uncertainty": BUDGETS[case["budget"]]}
        call = case["call"]
        if call == "watch":
            rules = RobustTree(problem, depth=1, method="greedy", time_limit=1.0, random_state=0).fit(costs[:5])
        before = time.process_time()
        try:
            if call == "fit":
                RobustTree(problem, time_limit=limit, **fit, **tree).fit(costs)
            elif call == "alternatives":
                instance = Instance.create(problem, costs, questions=case["questions"], **tree)
                before = time.process_time()
                alternatives(instance, time_limit=limit, random_state=0)
            elif call == "tune":
                tune(RobustTree(problem, **fit), costs, questions=[case["questions"]], depths=[1, 2], time_limit=limit)
            elif call == "compare":
                compare(problem, costs, questions=[case["questions"]], time_limit=limit, **tree)
            else:
                watch(rules, costs + 0.5, time_limit=limit)
        except InputError:  # not every method takes every problem, and a limit may be too short for a comparison
            pass
        return time.process_time() - before
