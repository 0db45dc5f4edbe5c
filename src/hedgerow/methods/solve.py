"""The façade of all methods: one call, one result, read as a recipe."""

__all__ = ["solve"]

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.checks import integer_between, number_at_least
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.one_solution import one_solution
from hedgerow.methods.registry import METHODS, method_named
from hedgerow.run import Deadline, Interrupt, Monitor, Result, Run, Settings


def solve(
    instance: Instance,
    *,
    method: str = "auto",
    settings: Settings | None = None,
    refine: bool = False,
    time_limit: float | None = 60.0,
    iteration_limit: int | None = None,
    gap_limit: float = 0.0,
    stall_limit: int | None = None,
    random_state: int | np.random.Generator | None = None,
    monitor: Monitor | None = None,
    interrupt: Interrupt | None = None,
) -> Result:
    """Return the best tree that the method finds for the instance within its limits.

    Every value is recomputed by the adversary; Ctrl-C ends the run with the best tree kept.
    """
    settings = Settings() if settings is None else settings
    chosen, reason = method, ""
    entry = method_named(chosen)
    if entry.warm_up is not None:
        entry.warm_up()
    interrupt = Interrupt() if interrupt is None else interrupt
    run = Run(
        instance,
        deadline=Deadline(time_limit),
        iteration_limit=iteration_limit,
        gap_limit=gap_limit,
        stall_limit=stall_limit,
        rng=np.random.default_rng(random_state),
        interrupt=interrupt,
        monitor=monitor,
    )
    with interrupt:
        entry.function(instance, run, settings)
    if run.tree is None:
        one_solution(instance, run, settings)
    tree = run.tree
    assert tree is not None
    attack = worst_case(tree, instance)
    return Result(
        tree=tree,
        objective=attack.bound,
        nominal=float(attack.nominal_cost.sum()),
        lower_bound=instance.sign * run.bound,
        status=run.status,
        runtime=run.deadline.elapsed(),
        method=chosen,
        thresholds=settings.thresholds,
        iterations=run.iterations,
        statistics=run.statistics,
        message=" ".join(part for part in (reason, run.message) if part),
    )
