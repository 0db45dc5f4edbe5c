"""Which method suits an instance: the choice behind `method="auto"`, with its reason in words."""

__all__ = ["choose", "expects_to_finish"]

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.engine.pool import MAX_ENUMERATED
from hedgerow.instance import Instance
from hedgerow.methods.parameters import ESTIMATE, PARAMETERS
from hedgerow.methods.start import all_can_meet
from hedgerow.problem import ListsNearOptimal, ListsVertices, Problem
from hedgerow.run import Options


def choose(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    """Return the name of the method to run and the reason in a sentence."""
    choice = _choice if options.plans_per_leaf == 1 else _with_cards
    name, because = choice(instance, options, time_limit)
    return name, f"auto picked {name}: {because}."


def _choice(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    if options.wishes is not None and options.wishes.shape_trees:
        return _with_wishes(instance, options, time_limit)
    if instance.depth == 0 or options.max_leaves == 1:
        return "one_solution", f"a tree {'of depth 0' if instance.depth == 0 else 'with one leaf'} asks nothing"
    if not np.ptp(instance.question_values, axis=0).any():
        return "one_solution", "every item has one value only, so there is nothing to ask"
    if expects_to_finish(instance, options, time_limit):
        within = "without a time limit" if time_limit is None else f"within {time_limit:g} s"
        return "exact", f"a proof of optimality is likely {within}"
    splits = instance.splits(options.thresholds)
    if all_can_meet(instance, splits, options):
        return "one_solution", "the budget can send every sample to every leaf, and then no tree beats one solution"
    # Local search stops only when time or iterations run out, so without a limit it is no choice.
    if time_limit is None:
        return "exact", "it alone ends by itself"
    size = f"with {instance.n_samples} samples, {len(splits)} candidate splits and depth {instance.depth}"
    if len(splits) * instance.n_samples * (2**instance.depth - 1) <= PARAMETERS.most_to_try_a_proof:
        return "exact", f"the instance is small, {size}, so that it may be solved with a proof"
    return "local_search", f"{size} no proof is to be expected within {time_limit:g} s, so it looks for a good tree"


def _with_cards(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    if instance.uncertainty.can_misread and (time_limit is not None or options.iteration_limit is not None):
        return "local_search", "no proof is known for cards of plans, so it looks for good ones"
    return "greedy", "cards are made plan by plan, and little is gained by a longer search"


def _with_wishes(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    from hedgerow.engine.listing.lister import suits_listing

    if (
        time_limit is None
        or instance.n_samples * len(instance.splits(options.thresholds)) ** 2 <= PARAMETERS.most_with_wishes
    ):
        reason = suits_listing(instance, options)
        if not reason:
            return "exact", "it lists all trees that keep the wishes"
        if time_limit is None:
            return "exact", "without a time limit it goes on until it has a bound, and then looks for a good tree"
    return "local_search", f"a proof with these wishes is not to be expected within {time_limit:g} s"


def expects_to_finish(instance: Instance, options: Options, time_limit: float | None) -> bool:
    """Return whether the exact method is likely to have its proof within half the time limit."""
    seconds = _seconds(instance, options)
    return seconds is not None and (time_limit is None or seconds <= time_limit / 2)


def _seconds(instance: Instance, options: Options) -> float | None:
    """Return an estimate, or None where none is to be had."""
    from hedgerow.engine.prove import suits_nominal  # here, since it loads Numba

    n_samples, depth = instance.n_samples, instance.depth
    n_splits = len(instance.splits(options.thresholds))
    is_global = not instance.uncertainty.is_separable
    if suits_nominal(instance, options) and depth >= 1:
        seconds = _nominal_seconds(instance, n_splits)
        if seconds is not None:
            return seconds
    if depth <= 1:
        return (ESTIMATE.seconds_per_split_global if is_global else ESTIMATE.seconds_per_split) * n_splits * n_samples
    if depth > ESTIMATE.deepest or (
        depth == ESTIMATE.deepest and (is_global or n_samples > ESTIMATE.most_samples_at_depth_3)
    ):
        return None
    if is_global and n_samples > ESTIMATE.most_samples_global:
        return None
    single = all(question.item is not None for question in instance.questions)
    local = (
        ESTIMATE.seconds_per_half_in_intervals
        if single and depth == ESTIMATE.in_intervals
        else ESTIMATE.seconds_per_half
    )
    estimate = (ESTIMATE.seconds_per_pair if is_global else local) * n_splits**2 * max(1.0, n_samples / 10)
    if estimate > 1e4 or isinstance(instance.problem, ListsNearOptimal):
        return estimate
    # Where solutions can't be listed, every subset of the samples is a question to the oracle, and leaves are MIPs.
    return None if _few_solutions(instance.problem) is None else estimate


def _nominal_seconds(instance: Instance, n_splits: int) -> float | None:
    """Return an estimate where nothing is misread and the solutions can be listed."""
    solutions = _few_solutions(instance.problem)
    if solutions is None:
        return None
    one_pass = float(instance.n_features * instance.n_samples * len(solutions))
    return ESTIMATE.seconds_per_sum * one_pass * max(1.0, float(n_splits)) ** (instance.depth - 1)


def _few_solutions(problem: Problem) -> FloatArray | None:
    """Return all solutions, or the vertices of a continuous problem, where they can be listed."""
    solutions = problem.all_solutions(MAX_ENUMERATED)
    if solutions is None and isinstance(problem, ListsVertices):
        solutions = problem.vertices(MAX_ENUMERATED)
    return solutions
