"""Local search: trees improved move by move, over and over from disturbed trees; for any number of samples."""

__all__ = ["local_search", "search_first"]


from hedgerow.engine.bounds import bound_without_tree, most_plans
from hedgerow.instance import Instance
from hedgerow.methods.cards import CardSearch
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.chain import Chain, Leg, SearchContext, Spot, Walked
from hedgerow.methods.search.few_changes import improve_cards
from hedgerow.run import Deadline, Options, Run
from hedgerow.run.workers import Workers


def local_search(instance: Instance, run: Run, options: Options) -> None:
    """Improve trees until the run ends.

    An iteration is one descent: from a new or a disturbed tree down to one that no single move makes better. Descents
    form chains, which begin in rounds with the best tree and all solutions so far.
    With several plans per leaf it is a tree that is grown and changed in one place after the other.
    """
    if options.plans_per_leaf > 1:
        cards = CardSearch.begin(instance, run, options)
        cards.raise_bound(run)
        cards.grow(run)
        improve_cards(cards, run)
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

    def leg(spot: Spot | None, n_descents: int) -> Leg:
        seed = int(run.rng.integers(1 << 62))
        return Leg(spot, run.state, seed, n_descents, pool.solutions[n_at_first:])

    def taken(walked: Walked) -> Walked:
        if walked.found is not None:
            run.offer(*walked.found, "better tree")
        run.count(walked.n_descents, "descents")
        pool.add(walked.solutions)
        return walked

    (first,) = map(taken, workers.results([leg(None, 1)]))
    best = first.best
    while run.running:
        left = int(min(run.iterations_left, SEARCH.n_chains * descents))
        each, rest = divmod(left, SEARCH.n_chains)
        legs = [leg(best, each + (place < rest)) for place in range(SEARCH.n_chains)]
        walks = [taken(walked) for walked in workers.results([each for each in legs if each.n_descents])]
        best = min((walked.best for walked in walks), key=lambda spot: spot.value)  # of equally good ones the first
