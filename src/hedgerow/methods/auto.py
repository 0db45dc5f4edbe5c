"""Which method suits an instance: the choice behind `method="auto"`, with its reason in words."""

from hedgerow.engine.pool import MAX_ENUMERATED
from hedgerow.instance import Instance
from hedgerow.methods.parameters import ESTIMATE, PARAMETERS
from hedgerow.methods.start import may_split
from hedgerow.problems.base import Problem
from hedgerow.run import Options


def choose(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    """Return the name of the method to run and the reason in a sentence."""
    choice = _choice if options.plans_per_leaf == 1 else _with_cards
    name, because = choice(instance, options, time_limit)
    return name, f"auto picked {name}: {because}."


def _choice(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    if options.wishes is not None and options.wishes.shape_trees:
        return _with_wishes(instance, options, time_limit)
    if not may_split(instance, options):
        return "one_solution", "there is nothing to ask"
    # Local search stops only when time or iterations run out, so without a limit it is no choice.
    if time_limit is None:
        return "exact", "without a time limit it alone ends by itself"
    if expects_to_finish(instance, options, time_limit):
        return "exact", f"a proof of optimality is likely within {time_limit:g} s"
    n_splits = len(instance.splits(options.thresholds))
    size = f"with {instance.n_samples} samples, {n_splits} candidate splits and depth {instance.depth}"
    if n_splits * instance.n_samples * (2**instance.depth - 1) <= PARAMETERS.most_to_try_a_proof:
        return "exact", f"the instance is small, {size}, so that it may be solved with a proof"
    return "local_search", f"{size} no proof is to be expected within {time_limit:g} s, so it looks for a good tree"


def _with_cards(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    if instance.uncertainty.can_misread and (time_limit is not None or options.iteration_limit is not None):
        return "local_search", "no proof is known for cards of plans, so it looks for good ones"
    return "greedy", "cards are made plan by plan, and little is gained by a longer search"


def _with_wishes(instance: Instance, options: Options, time_limit: float | None) -> tuple[str, str]:
    from hedgerow.engine.listing.lister import suits_listing

    if time_limit is None:
        return "exact", "without a time limit it goes on until it has a bound"
    few = instance.n_samples * len(instance.splits(options.thresholds)) ** 2 <= PARAMETERS.most_with_wishes
    if few and not suits_listing(instance, options):
        return "exact", "it lists all trees that keep the wishes"
    return "local_search", f"a proof with these wishes is not to be expected within {time_limit:g} s"


def expects_to_finish(instance: Instance, options: Options, time_limit: float) -> bool:
    """Return whether the exact method is likely to have its proof within half the time limit."""
    from hedgerow.engine.prove import suits_nominal  # here, since it loads Numba

    problem, n_samples, n_splits = instance.problem, instance.n_samples, len(instance.splits(options.thresholds))
    if suits_nominal(instance, options) and (n_plans := _n_plans(problem)):
        return bool(ESTIMATE.seconds_per_sum * n_plans * n_splits**instance.depth <= time_limit / 2)
    kind = "local" if instance.uncertainty.is_separable else "global"
    if kind == "local" and any(question.item is None for question in instance.questions):
        kind = "sums"
    most_samples, seconds = ESTIMATE.proofs.get((kind, instance.depth), (0, 0.0))
    if n_samples > most_samples or seconds * n_samples * n_splits ** min(instance.depth, 2) > time_limit / 2:
        return False
    # Where solutions can't be listed, every subset of the samples is a question to the oracle, and leaves are MIPs.
    return problem.lists_near_optimal or _n_plans(problem) > 0


def _n_plans(problem: Problem) -> int:
    """Return how many solutions there are, or vertices of a continuous problem; 0 where they can't be listed."""
    solutions = problem.all_solutions(MAX_ENUMERATED)
    if solutions is None:
        solutions = problem.vertices(MAX_ENUMERATED)
    return 0 if solutions is None else len(solutions)
