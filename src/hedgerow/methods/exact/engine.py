"""The exact method as a recipe: list or price the solutions, find a strong first tree, settle all structures."""

__all__ = ["first_trees", "prove", "suits_intervals"]

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.engine.bounds import bound_without_tree
from hedgerow.engine.meetings import bound_by_meetings
from hedgerow.engine.models.leaves import suits_master
from hedgerow.engine.pool import SolutionPool, complete_pool, near_optimal_pool, optima_pool, oracle_pool, vertex_pool
from hedgerow.engine.price_intervals import suits_prices
from hedgerow.engine.prove import (
    nothing_moves,
    root_floors,
    settle_global_halves,
    settle_local,
    settle_nominal,
    suits_depth_three,
    suits_nominal,
)
from hedgerow.engine.samples import is_single
from hedgerow.engine.structures import branching
from hedgerow.engine.structures.attacks import set_costs_of
from hedgerow.engine.structures.evaluators import ByLeafProblem, on_table, over_answers
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.engine.structures.subsets import MAX_DENSE, subset_costs, subset_costs_by_oracle, subset_tables
from hedgerow.instance import Instance
from hedgerow.methods.local_search import search_first
from hedgerow.methods.parameters import EXACT
from hedgerow.methods.start import most_leaves, start
from hedgerow.problem import is_oracle_only
from hedgerow.run import Deadline, Options, Run
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.tree.splits import Splits

MAX_BY_ORACLE = 12
"""Most samples for which the oracle is asked about every subset of them."""


def prove(instance: Instance, run: Run, options: Options) -> None:
    """Find the best tree and prove it, as far as the run's limits allow; where something stays open, say so."""
    _prove(instance, run, options)
    if run.gap > OPTIMALITY_GAP and run.running and not run.message:
        run.say("Some trees could not be settled; the bound holds for these, too.")


def _prove(instance: Instance, run: Run, options: Options) -> None:
    splits = start(instance, run, options)
    if splits is None:
        return
    if is_oracle_only(instance.problem):
        options = _on_midpoints(instance, run, options)
        _prove_by_oracle_alone(instance, run, options, splits)
        return
    pool = complete_pool(instance, options.memory_limit, run)
    vertices = vertex_pool(instance) if pool is None else None
    if vertices is not None and nothing_moves(instance, options):
        pool = vertices
    if pool is None:
        first_trees(SearchSpace(instance, options, splits, optima_pool(instance, run)), run)
        run.heed()
        pool = near_optimal_pool(instance, run.value, run)
    if pool is not None:
        _prove_on_table(instance, run, options, splits, pool)
        return
    if vertices is not None and instance.n_samples > MAX_BY_ORACLE:
        _best_over_vertices(instance, run, options, splits, vertices)
        return
    options = _on_midpoints(instance, run, options)
    if instance.n_samples <= MAX_BY_ORACLE:
        _prove_by_oracle(instance, run, options, splits)
    elif not suits_master(instance):
        _best_over_pool(instance, run, options, splits, oracle_pool(instance, run))
    else:
        # Neither all solutions nor all subsets can be listed: the master MIP is what is left.
        from hedgerow.methods.scenario_generation import scenario_generation

        scenario_generation(instance, run, options)


def _prove_on_table(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Settle all structures where the pool holds every solution that matters."""
    if not len(pool):
        run.raise_bound(run.value)
        return
    if suits_nominal(instance, options):
        # Where nothing is misread, one threshold between two neighbouring values is as good as any other.
        settle_nominal(instance, run, options, splits, pool)
        return
    if suits_intervals(instance):
        if not _takes_all_thresholds(instance, run):
            options = _on_midpoints(instance, run, options)
        settle_local(instance, run, options, splits, pool)
        return
    if suits_boxes(instance, options, run):
        from hedgerow.engine.structures.all_thresholds import settle_global

        settle_global(instance, run, options, splits, pool, first_trees)
        return
    options = _on_midpoints(instance, run, options)
    loss = np.ascontiguousarray(pool.losses)
    # Nothing is better than each sample's own best solution: a first bound, should time be up before there is another.
    run.raise_bound(min(run.value, float(loss.min(axis=1).sum())), "bound without a tree")
    if instance.depth > 2:
        _raise_bounds_of_any_depth(instance, run, options, splits, loss)
    costs = None
    if instance.n_samples <= MAX_DENSE:
        if _table_bytes(instance) > options.memory_limit:
            run.end("memory_limit")
            return
        if loss.shape[1] << instance.n_samples > EXACT.many_sums:
            first_trees(SearchSpace(instance, options, splits, pool), run)
        costs = subset_costs(loss, run.heed)
    space = SearchSpace(instance, options, splits, pool, costs)
    if instance.n_samples > MAX_DENSE and suits_prices(space):
        search_first(instance, run, options, EXACT.share_for_search, iteration_limit=EXACT.descents_first)
        settle_global_halves(space, run)
        return
    first_trees(space, run)
    floors = None
    if suits_depth_three(space):
        search_first(instance, run, options, EXACT.share_for_search, iteration_limit=EXACT.descents_first)
        share = EXACT.share_for_floors if costs is not None else EXACT.share_for_floors_alone
        floors = root_floors(space, run, share * run.deadline.remaining())
    tables = None if costs is None else subset_tables(costs, instance.depth, loss)
    branching.settle(space, run, set_costs_of(tables=tables, loss=loss), on_table, floors)


def _raise_bounds_of_any_depth(
    instance: Instance, run: Run, options: Options, splits: Splits, loss: FloatArray
) -> None:
    """Begin with bounds that need no structure: of as many solutions as leaves, and of samples that can meet."""
    deadline, count = Deadline(EXACT.share_for_first_bounds * run.deadline.remaining()), most_leaves(instance, options)
    run.raise_bound(min(run.value, bound_without_tree(loss, instance, count, deadline)), "bound without a tree")
    met = bound_by_meetings(instance, loss, splits, run.margin, count, lambda: deadline.passed() or run.must_stop())
    run.raise_bound(min(run.value, met), "bound by meetings")


def _on_midpoints(instance: Instance, run: Run, options: Options) -> Options:
    """Go on with midpoints where it is not known how to do with all thresholds."""
    if options.thresholds != "continuous":
        return options
    options = options.replace(thresholds="midpoints")
    run.thresholds, run.margin = "midpoints", options.margin_on(instance)
    if run.asked_for_all:
        run.say("The exact method could not settle all thresholds here; what is proven is about midpoints.")
    return options


def _table_bytes(instance: Instance) -> int:
    return 8 * (1 << instance.n_samples) * (instance.depth + 1)


def suits_intervals(instance: Instance) -> bool:
    """Return whether trees are settled by intervals of thresholds: local budgets, or none, and at most two levels."""
    uncertainty = instance.uncertainty
    return instance.depth <= 2 and (uncertainty.is_separable or not uncertainty.can_misread)


def _takes_all_thresholds(instance: Instance, run: Run) -> bool:
    """Return whether intervals may end anywhere.

    Entry limits of questions about several readings need candidates, and more samples take long: only if asked for.
    """
    if is_single(instance):
        return True
    limited = instance.uncertainty.limits is not None
    return not limited and (run.asked_for_all or instance.n_samples <= MAX_DENSE)


def suits_boxes(instance: Instance, options: Options, run: Run) -> bool:
    """Return whether a global budget is settled over all thresholds; more samples only if that is asked for.

    Questions must be about single readings: bounds of open boxes know how far one reading is from an interval.
    """
    most = MAX_DENSE if run.asked_for_all else EXACT.most_samples_in_boxes
    fits = instance.n_samples <= most and _table_bytes(instance) <= options.memory_limit
    return fits and is_single(instance) and instance.depth <= 2 and options.thresholds == "continuous"


def _prove_by_oracle(instance: Instance, run: Run, options: Options, splits: Splits) -> None:
    """Settle all structures with subset costs from the problem's oracle, and leaf problems by MIP."""
    pool, costs = subset_costs_by_oracle(instance, run, options.n_jobs)
    if costs is None:
        return
    space = SearchSpace(instance, options, splits, pool)
    first_trees(space, run)
    if not np.isfinite(costs).all():  # the oracle had no time to prove anything
        return
    branching.settle(
        space, run, set_costs_of(tables=subset_tables(costs, instance.depth)), ByLeafProblem(instance, options, splits)
    )
    if run.gap > OPTIMALITY_GAP and run.running:
        run.say("Some leaf problems could not be settled by the solver; the bound holds for these, too.")


def _prove_by_oracle_alone(instance: Instance, run: Run, options: Options, splits: Splits) -> None:
    """Find the best tree over the oracle's answers, with no more proven than the oracle proves."""
    if instance.n_samples > MAX_BY_ORACLE:
        _best_over_pool(instance, run, options, splits, oracle_pool(instance, run))
        return
    pool, costs = subset_costs_by_oracle(instance, run, options.n_jobs)
    if costs is None or not np.isfinite(costs).all():  # out of time, or an oracle that proves nothing
        _best_over_pool(instance, run, options, splits, pool)
        return
    space = SearchSpace(instance, options, splits, pool)
    first_trees(space, run)
    branching.settle(space, run, set_costs_of(tables=subset_tables(costs, instance.depth)), over_answers)
    _tell_what_is_open(run, pool)


def _best_over_pool(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Take the oracle's answers for all of X; what is proven over them says nothing beyond, and stays in a fork."""
    fork = run.fork(instance)
    _prove_on_table(instance, fork, options, splits, pool)
    run.count(fork.iterations)
    if fork.tree is not None:
        run.offer(fork.tree, fork.value, f"best over {len(pool)} solutions")
    counting = np.flatnonzero(instance.weights)
    seconds = run.deadline.remaining()
    each = [instance.problem.best_solution(instance.costs[[row]], time_limit=seconds).bound for row in counting]
    run.raise_bound(min(run.value, float(instance.sign * (instance.weights[counting] @ each))))
    _tell_what_is_open(run, pool)


def _tell_what_is_open(run: Run, pool: SolutionPool) -> None:
    if run.gap > OPTIMALITY_GAP:
        run.say(f"The search used the {len(pool)} solutions that the oracle returned; others may be better.")


def _best_over_vertices(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Offer the best tree over vertices; it is not proven, since points between them may be better under a budget.

    The bound holds for all points: of as many solutions as leaves, each sample getting its best, all are vertices.
    """
    deadline = Deadline(EXACT.share_for_first_bounds * run.deadline.remaining())
    bound = bound_without_tree(np.ascontiguousarray(pool.losses), instance, most_leaves(instance, options), deadline)
    run.raise_bound(min(run.value, bound), "bound without a tree")
    fork = run.fork(instance)
    _prove_on_table(instance, fork, options, splits, pool)
    run.count(fork.iterations)
    run.thresholds, run.margin = fork.thresholds, fork.margin
    if fork.tree is not None:
        run.offer(fork.tree, fork.value, f"best over {len(pool)} vertices")
    if run.gap > OPTIMALITY_GAP:
        run.say("The tree is the best over the vertices of the model; solutions between them may be better.")


def first_trees(space: SearchSpace, run: Run) -> None:
    """Find good trees to begin with: bounds prune only as well as the best tree known."""
    for _ in range(EXACT.n_starts):
        if run.must_stop():
            return
        found = space.best_in_time(space.draw(run.rng, EXACT.drawn_per_start), run)
        if found is not None:
            found = space.improve(found, run)
            run.offer(space.tree(found), found.value, "local search")
