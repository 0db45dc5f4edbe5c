"""Local search: trees improved move by move, over and over from disturbed trees; for any number of samples."""

__all__ = ["local_search", "search_first"]

import numpy as np

from hedgerow.engine.bounds import bound_without_tree, most_plans
from hedgerow.instance import Instance
from hedgerow.methods.cards import CardSearch
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.chain import Chain, Leg, SearchContext, Spot, Walked
from hedgerow.run import Deadline, Options, Run
from hedgerow.run.workers import Workers


def local_search(instance: Instance, run: Run, options: Options) -> None:
    """Improve trees until the run ends.

    An iteration is one descent: from a new or a disturbed tree down to one that no single move makes better. Descents
    form chains, and chains go on in rounds, after each of which they learn of the best tree and of new solutions.
    With several plans per leaf it is a change of one part of the best tree.
    """
    if options.plans_per_leaf > 1:
        cards = CardSearch.begin(instance, run, options)
        cards.raise_bound(run)
        cards.improve(cards.grow(run), run)
        return
    context = SearchContext.begin(instance, run, options)
    if context is None:
        return
    # First, since on a large history time may be up before the first descent is: a gap is reported all the same.
    _raise_bound(context, run)
    if run.running:
        _walk(context, run)


def search_first(
    instance: Instance,
    run: Run,
    options: Options,
    share: float = 1.0,
    *,
    iteration_limit: int | None = None,
    stall_limit: int | None = None,
) -> None:
    """Offer another run what a search finds within a share of its time; its descents are none of that run's steps."""
    search = run.fork(instance, Deadline(share * run.deadline.remaining()), iteration_limit, stall_limit)
    search.raise_bound(run.bound)
    options = options.replace(threshold_margin=options.margin_on(instance))
    context = SearchContext.begin(instance, search, options)
    if context is not None and search.running:
        _walk(context, search)
    if search.tree is not None:
        run.offer(search.tree, search.value, "local search")


def _raise_bound(context: SearchContext, run: Run) -> None:
    """Bound trees without knowing any, by their number of plans."""
    instance, pool = context.instance, context.pool
    if run.must_stop():
        return
    deadline = Deadline(SEARCH.share_for_bound * run.deadline.remaining())
    count, loss = most_plans(instance, context.options), pool.losses if pool.complete else None
    run.raise_bound(bound_without_tree(loss, instance, count, deadline), "bound without a tree")


def _walk(context: SearchContext, run: Run) -> None:
    """Walk from tree to tree until the run ends, in rounds of legs; what they find is taken in the chains' order."""
    instance, pool = context.instance, context.pool.with_more()
    workers, n_at_first = Workers(Chain, context, context.options.n_jobs, run.deadline, run.interrupt), len(pool)
    work = instance.n_samples * instance.n_features << instance.depth
    descents = max(1, min(SEARCH.descents_per_leg, SEARCH.work_per_leg // work))

    def leg(spot: Spot | None, best: float, n_descents: int) -> Leg:
        seed = int(run.rng.integers(1 << 62))
        return Leg(spot, best, run.state, seed, n_descents, pool.solutions[n_at_first:])

    def taken(walked: Walked) -> Walked:
        if walked.found is not None:
            run.offer(*walked.found, "better tree")
        run.count(walked.n_descents, "descents")
        pool.add(walked.solutions)
        return walked

    # The first tree is grown greedily; all chains begin with it.
    (first,) = map(taken, workers.results([leg(None, np.inf, 1)]))
    best, here = first.best, [first.here] * SEARCH.n_chains
    while run.running:
        left = int(min(run.iterations_left, SEARCH.n_chains * descents))
        each, rest = divmod(left, SEARCH.n_chains)
        # The first chain goes on from the best tree, the others from where they stand.
        legs = [leg(spot, best.value, each + (place < rest)) for place, spot in enumerate([best, *here[1:]])]
        round_of = [taken(walked) for walked in workers.results([each for each in legs if each.n_descents])]
        best = min((walked.best for walked in round_of), key=lambda spot: spot.value)  # of equally good ones the first
        here = ([walked.here for walked in round_of] * SEARCH.n_chains)[: SEARCH.n_chains]
