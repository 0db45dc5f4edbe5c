"""The exact method as a recipe: list or price the solutions, find a strong first tree, settle all others."""

from contextlib import suppress

import numpy as np

from hedgerow.engine.bounds import raise_bound_by_plans
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.listing.lister import settle_wishes, suits_listing
from hedgerow.engine.models.leaves import suits_master
from hedgerow.engine.pool import SolutionPool, complete_pool, near_optimal_pool, optima_pool, vertex_pool
from hedgerow.engine.prove import nothing_moves, on_midpoints, settle, suits_intervals, suits_nominal
from hedgerow.engine.structures import branching
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.engine.structures.subsets import subset_costs_by_oracle, subset_tables
from hedgerow.instance import Instance
from hedgerow.methods.local_search import search_first
from hedgerow.methods.parameters import EXACT
from hedgerow.methods.scenario_generation import scenario_generation
from hedgerow.methods.start import start
from hedgerow.run import Deadline, Options, Run, StopRunError
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.tree.splits import Splits

MAX_BY_ORACLE = 12
"""Most samples for which the oracle is asked about every subset of them."""


def exact(instance: Instance, run: Run, options: Options) -> None:
    """Find the best tree and prove it, as far as the run's limits allow; where something stays open, say so."""
    if options.wishes is not None and options.wishes.shape_trees:
        _prove_with_wishes(instance, run, options)
        return
    _prove(instance, run, options)
    if run.gap > OPTIMALITY_GAP and run.running and not run.message:
        run.say("Some trees could not be settled; the bound holds for these, too.")


def _prove(instance: Instance, run: Run, options: Options) -> None:
    splits = start(instance, run, options)
    if splits is None:
        return
    pool = complete_pool(instance, options.memory_limit, run)
    vertices = vertex_pool(instance) if pool is None else None
    if pool is None and nothing_moves(instance, options):
        pool = vertices
    if pool is None and instance.problem.lists_near_optimal:
        first_tree(instance, run, options)
        run.heed()
        pool = near_optimal_pool(instance, run.value, run)
    if pool is not None:
        _prove_over(pool, instance, run, options, splits)
    elif instance.n_samples <= MAX_BY_ORACLE:
        _prove_by_oracle(instance, run, on_midpoints(instance, run, options), splits)
    elif vertices is not None:
        _best_over(vertices, instance, run, options, splits)
    elif instance.problem.oracle_only or not suits_master(instance):
        # An oracle's answers to samples and pairs of them are all there is to work on.
        pool = optima_pool(instance, run, of_pairs=True)
        _best_over(pool, instance, run, on_midpoints(instance, run, options), splits)
    else:
        # Neither all solutions nor all subsets can be listed: the master MIP is what is left.
        first_tree(instance, run, options)
        scenario_generation(instance, run, on_midpoints(instance, run, options))


def _prove_over(pool: SolutionPool, instance: Instance, run: Run, options: Options, splits: Splits) -> None:
    """Settle all trees where the pool holds every solution that matters."""
    finds_trees = suits_intervals(instance) and instance.n_samples <= ENGINE.most_to_settle
    if len(pool) and not suits_nominal(instance, options) and not finds_trees:
        first_tree(instance, run, options)
    settle(instance, run, options, splits, pool)


def first_tree(instance: Instance, run: Run, options: Options) -> None:
    """Find a good tree to begin with: bounds prune only as well as the best tree known."""
    search_first(instance, run, options, EXACT.share_for_search, iteration_limit=EXACT.descents_first)


def _prove_by_oracle(instance: Instance, run: Run, options: Options, splits: Splits) -> None:
    """Settle all structures with subset costs from the problem's oracle, and leaf problems by MIP.

    Where the problem is its oracle alone, the oracle's answers are all the solutions that there are.
    """
    is_oracle = instance.problem.oracle_only
    pool, costs = subset_costs_by_oracle(instance, run)
    if costs is None or not np.isfinite(costs).all():  # out of time, or an oracle that proves nothing
        if is_oracle:
            _best_over(pool, instance, run, options, splits)
        return
    first_tree(instance, run, options)
    space, tables = SearchSpace(instance, options, splits, pool), subset_tables(costs, instance.depth)
    branching.settle(space, run, tables, branching.on_table if is_oracle else branching.by_leaf_problems)
    if run.gap > OPTIMALITY_GAP and run.running:
        leaves_open = "Some leaf problems could not be settled by the solver; the bound holds for these, too."
        run.say(_others_may_be_better(pool) if is_oracle else leaves_open)


def _best_over(pool: SolutionPool, instance: Instance, run: Run, options: Options, splits: Splits) -> None:
    """Offer the best tree over some solutions; what is proven over them says nothing about others, and stays in a fork.

    The bound holds for all: of as many vertices as leaves, each sample getting its best, or of the samples' optima.
    """
    losses = np.ascontiguousarray(pool.losses) if pool.complete else None
    raise_bound_by_plans(instance, run, options, losses, EXACT.share_for_bound)
    fork = run.fork(instance)
    with suppress(StopRunError):
        settle(instance, fork, options, splits, pool)
    run.count(fork.iterations)
    run.thresholds, run.margin = fork.thresholds, fork.margin
    if fork.tree is not None:
        run.offer(fork.tree, fork.value, f"best over {len(pool)} solutions")
    if run.gap > OPTIMALITY_GAP:
        run.say(_others_may_be_better(pool))


def _others_may_be_better(pool: SolutionPool) -> str:
    if pool.complete:
        return "The tree is the best over the vertices of the model; solutions between them may be better."
    return f"The search used the {len(pool)} solutions that the oracle returned; others may be better."


def _prove_with_wishes(instance: Instance, run: Run, options: Options) -> None:
    """Settle trees with wishes where they can be listed; elsewhere search, with the bound that holds without wishes."""
    reason = suits_listing(instance, options)
    if not reason:
        if instance.n_samples * instance.question_values.size > EXACT.small_with_wishes:
            search_first(instance, run, options, EXACT.share_before_list, stall_limit=EXACT.few_descents)
        settle_wishes(instance, run, options)
        return
    fork = run.fork(instance, Deadline(EXACT.share_for_bound * run.deadline.remaining()))
    with suppress(StopRunError):
        _prove(instance, fork, options.replace(wishes=None))
    run.count(fork.iterations)
    run.raise_bound(fork.bound, "bound without the wishes")
    search_first(instance, run, options, stall_limit=EXACT.many_descents)
    run.say(f"Trees that keep the wishes were searched for, with the bound that holds without them: {reason}.")
