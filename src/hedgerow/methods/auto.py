"""Which method suits an instance: the choice behind `method="auto"`, with its reason in words."""

__all__ = ["choose"]

from importlib import import_module

import numpy as np

from hedgerow.instance import Instance
from hedgerow.methods.registry import METHODS
from hedgerow.methods.start import all_can_meet
from hedgerow.problem import is_oracle_only
from hedgerow.run import Options
from hedgerow.splits import candidate_splits

# Scenario generation has one binary per inner node and split and one flow per sample and leaf in each scenario. Up to
# about this product of the three its first master is a matter of seconds with HiGHS.
_SMALL_MASTER = 3_000
_SHORTEST_TIME_FOR_MASTERS = 10.0

# Alternating solves a MIP over structures in every second step; below this it would not get through one restart.
_SHORTEST_TIME_FOR_ALTERNATING = 2.0
_LARGEST_MASTER_TO_ALTERNATE = 30_000


def choose(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    """Return the name of the method to run and the reason in a sentence.

    Parameters
    ----------
    instance
        What is to be solved.
    options
        Thresholds and limits on leaves.
    time_limit
        Seconds; None for no limit.

    Examples
    --------
    >>> from hedgerow import Instance
    >>> from hedgerow.methods.auto import choose
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.run import Options
    >>> choose(Instance.create(Selection(2, 1), [[1.0, 3.0]], depth=2), Options(), 60.0)
    ('one_solution', 'auto picked one_solution: every item has one value only, so there is nothing to ask.')
    """
    name, because = _choice(instance, options, time_limit)
    return name, f"auto picked {name}: {because}."


def _choice(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    if options.wishes is not None and options.wishes.shape_trees:
        return "exact", "it alone can grant these wishes"
    nothing_to_ask = _nothing_to_ask(instance, options)
    if nothing_to_ask:
        return "one_solution", nothing_to_ask
    if "exact" in METHODS:
        finishes = _exact_expects_to_finish(instance, options, time_limit)
        if finishes is None:
            return "exact", "it goes on until it has a proof of optimality or has to stop"
        if is_oracle_only(instance.problem) and (finishes or time_limit is None):
            return "exact", "it ends by itself, with the best tree over the oracle's answers"
        if time_limit is None and not _suits_master(instance):
            return "exact", "it alone ends by itself where the cost of a solution has no bound"
        if finishes:
            return "exact", f"a proof of optimality is likely {_within(time_limit)}"
    splits = candidate_splits(instance.question_values, options.thresholds, options.max_thresholds, instance.questions)
    if all_can_meet(instance, splits, options):
        return "one_solution", "the budget can send every sample to every leaf, and then no tree beats one solution"
    return _heuristic(instance, len(splits), time_limit)


def _heuristic(instance: Instance, n_splits: int, time_limit: float | None) -> tuple[str, str]:
    master = n_splits * instance.n_samples * (2**instance.depth - 1)
    seconds = np.inf if time_limit is None else time_limit
    size = f"with {instance.n_samples} samples, {n_splits} candidate splits and depth {instance.depth}"
    small = master <= _SMALL_MASTER and seconds >= _SHORTEST_TIME_FOR_MASTERS
    if "scenario_generation" in METHODS and (small or time_limit is None) and _suits_master(instance):
        # The methods below stop only when time or iterations run out, so without a limit they are no choice.
        if time_limit is None:
            return "scenario_generation", "without a time limit it can go on until it has a proof"
        return "scenario_generation", f"the instance is small, {size}, so that it may be solved with a proof"
    preferred = ["local_search"]
    if master <= _LARGEST_MASTER_TO_ALTERNATE and seconds >= _SHORTEST_TIME_FOR_ALTERNATING:
        preferred.append("alternate")
    preferred += ["fix_tree", "fix_solutions", "exact", "nominal"]
    for name in preferred:
        if name in METHODS:
            return name, f"{size} a proof is not to be expected {_within(time_limit)}, so it looks for a good tree"
    return "one_solution", "no method that asks questions is installed"


def _suits_master(instance: Instance) -> bool:
    """Return whether the problem can be written into a MIP over trees."""
    if is_oracle_only(instance.problem):
        return False
    from hedgerow.engine.models.leaves import suits_master

    return suits_master(instance)


def _nothing_to_ask(instance: Instance, options: Options) -> str:
    if instance.depth == 0:
        return "a tree of depth 0 asks nothing"
    if options.max_leaves == 1:
        return "a tree with one leaf asks nothing"
    if not np.ptp(instance.question_values, axis=0).any():
        return "every item has one value only, so there is nothing to ask"
    return ""


def _exact_expects_to_finish(instance: Instance, options: Options, time_limit: float | None) -> bool | None:
    """Return the exact method's own estimate, None if it makes none."""
    # Loaded by name, since the exact method's room is heavy and its estimate its own affair.
    try:
        estimate = getattr(import_module("hedgerow.methods.exact"), "expects_to_finish", None)
    except ModuleNotFoundError:
        return None
    return None if estimate is None else bool(estimate(instance, options, time_limit))


def _within(time_limit: float | None) -> str:
    return "without a time limit" if time_limit is None else f"within {time_limit:g} s"
