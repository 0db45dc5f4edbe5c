"""Runs methods by a clock that counts lines of the package, kernels included, and prints how far each one overran.

Run as a program, with NUMBA_DISABLE_JIT=1 so that kernels are lines like any others. Work that is done in batches is
done in the smallest ones, so that what remains is what no look at the clock interrupts:

    python -m tests.methods.step_clock LIMIT METHOD ...
"""

import json
import sys
from pathlib import Path

import numpy as np

import hedgerow
import hedgerow.methods.solve  # the name `solve` of the package hides the module
from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.problems import Selection, ShortestPath
from hedgerow.run import Deadline

solving = sys.modules["hedgerow.methods.solve"]
_PACKAGE = str(Path(hedgerow.__file__).parent)


def smallest_batches():
    """Let every loop that works in batches take them one by one."""
    from hedgerow.engine import deep_trees, leaf_problem, pool, price_intervals
    from hedgerow.engine.engine_parameters import EngineParameters
    from hedgerow.engine.structures import branching, space

    for module, name, work in (
        (space, "ENGINE", EngineParameters(structures_per_call=1)),
        (branching, "ENGINE", EngineParameters(bounds_per_call=1)),
        (deep_trees, "ENGINE", EngineParameters(work_at_once=1)),
        (price_intervals, "ENGINE", EngineParameters(work_at_once=1)),
        (pool, "ENGINE", EngineParameters(compared_at_once=1)),
        (leaf_problem, "MASTER_WORK", 10_000),
        (leaf_problem, "LOCAL_WORK", 100_000),
        (leaf_problem, "_ATTACK_NODES", 100_000),
    ):
        assert hasattr(module, name), f"{module.__name__} has no {name} any more"
        setattr(module, name, work)


class StepClock:
    """Time is the number of lines that were executed in the package; one million lines are a second."""

    def __init__(self):
        self.steps = 0

    def __call__(self):
        return self.steps * 1e-6

    def trace(self, frame, event, argument):
        if not frame.f_code.co_filename.startswith(_PACKAGE):
            return None
        return self._line

    def _line(self, frame, event, argument):
        self.steps += event == "line"
        return self._line


def cases():
    """Yield instances of growing size: many samples, many solutions, deep trees, many columns."""
    rng = np.random.default_rng(0)
    for problem, n_samples, depth, n_columns in (
        (ShortestPath.grid(3), 8, 2, None),
        (ShortestPath.grid(3), 40, 1, None),
        (ShortestPath.grid(3), 30, 3, None),
        (ShortestPath.grid(3), 9, 5, None),
        (Selection(9, 4), 12, 2, None),
        (Selection(11, 5), 6, 2, None),
        (Selection(4, 2), 6, 2, 400),
    ):
        costs = rng.uniform(10.0, 30.0, (n_samples, problem.n_items))
        observations = None if n_columns is None else rng.uniform(10.0, 30.0, (n_samples, n_columns))
        for uncertainty in (LocalBudget(fraction=0.05), GlobalBudget(fraction=0.05)):
            yield Instance.create(problem, costs, observed=observations, uncertainty=uncertainty, depth=depth)


def main(limit, methods):
    clock = StepClock()
    smallest_batches()
    Deadline.__init__.__kwdefaults__["clock"] = clock
    for method in methods:
        for instance in cases():
            clock.steps = 0
            sys.settrace(clock.trace)
            result = solve(instance, method=method, time_limit=limit, random_state=0)
            sys.settrace(None)
            row = {
                "method": method,
                "case": f"{instance.problem!r}, {instance.n_samples} rows, depth {instance.depth}",
                "budget": type(instance.uncertainty).__name__,
                "status": result.status,
                "over": max(0.0, clock() - limit),
            }
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
