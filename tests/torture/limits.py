"""Time limits over sizes: no method takes more CPU than its limit, one second and five percent."""

import time

import numpy as np

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.problems import Selection, ShortestPath

METHODS = (
    *("auto", "exact", "scenario_generation", "fix_tree", "fix_solutions", "alternate", "local_search", "greedy"),
    "nominal",
)


class Limits:
    """One method on one size."""

    name = "limits"

    def draw(self, rng):
        return {
            "problem": str(rng.choice(["grid:3", "grid:4", "grid:6", "grid:10", "selection:18:9"])),
            "n_samples": int(rng.choice([5, 20, 100, 250, 1_000, 5_000, 20_000])),
            "depth": int(rng.integers(1, 6)),
            "budget": str(rng.choice(["local", "global"])),
            "method": str(rng.choice(METHODS)),
            "limit": float(rng.choice([0.5, 1.0, 2.0])),
            "seed": int(rng.integers(1_000)),
        }

    def check(self, case):
        kind, *sizes = case["problem"].split(":")
        problem = ShortestPath.grid(int(sizes[0])) if kind == "grid" else Selection(*map(int, sizes))
        rng = np.random.default_rng(case["seed"])
        base = rng.uniform(10.0, 30.0, (3, problem.n_items))
        costs = base[rng.integers(0, 3, case["n_samples"])] * rng.uniform(
            0.75, 1.25, (case["n_samples"], problem.n_items)
        )
        uncertainty = (LocalBudget if case["budget"] == "local" else GlobalBudget)(fraction=0.05)
        instance = Instance.create(problem, costs, uncertainty=uncertainty, depth=case["depth"])
        few = Instance.create(problem, costs[:4], uncertainty=uncertainty, depth=min(2, case["depth"]))
        # What is loaded once is no overrun, so a run that takes too long is repeated.
        solve(few, method=case["method"], time_limit=0.2, random_state=0)
        solve(instance, method=case["method"], time_limit=0.001, random_state=0)
        allowed = 1.05 * case["limit"] + 1.0
        for _ in range(2):
            before = time.process_time()
            solve(instance, method=case["method"], time_limit=case["limit"], random_state=0)
            spent = time.process_time() - before
            if spent <= allowed:
                return
        raise AssertionError(f"{spent:.2f} s of CPU, {allowed:.2f} s allowed")

    def smaller(self, case):
        for n_samples in (5, 20, 100, 250, 1_000, 5_000):
            if n_samples < case["n_samples"]:
                yield {**case, "n_samples": n_samples}
        if case["depth"] > 1:
            yield {**case, "depth": case["depth"] - 1}

    def told(self, case):
        return repr(case)
