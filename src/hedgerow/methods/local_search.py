"""Local search: trees improved move by move, over and over from disturbed trees; for any number of samples."""

from hedgerow.engine.bounds import raise_bound_by_plans
from hedgerow.instance import Instance
from hedgerow.methods.cards import grow_cards
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.descent import descent, disturbed, fresh
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.run import Deadline, Options, Run


def local_search(instance: Instance, run: Run, options: Options) -> None:
    """Improve trees until the run ends.

    An iteration is one descent: from a new or a disturbed tree down to one that no single move makes better.
    With several plans per leaf it is a tree that is grown from some of the samples.
    """
    if options.plans_per_leaf > 1:
        grow_cards(instance, run, options).grow_more(run)
        return
    moves = Moves.begin(instance, run, options)
    if moves is None:
        return
    # First, since on a large history time may be up before the first descent is: a gap is reported all the same.
    if not run.must_stop():
        losses = moves.pool.losses if moves.pool.complete else None
        raise_bound_by_plans(instance, run, options, losses, SEARCH.share_for_bound)
    if run.running:
        _walk(moves, run)


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
    moves = Moves.begin(instance, search, options.replace(threshold_margin=options.margin_on(instance)))
    if moves is not None and search.running:
        _walk(moves, search)
    if search.tree is not None:
        run.offer(search.tree, search.value, "local search")


def _walk(moves: Moves, run: Run) -> None:
    here = best = descent(moves, moves.regrown(moves.one_solution(), 0), run)
    run.count(1, "descents")
    while run.running:
        if run.iterations % SEARCH.descents_from_best == 0:
            here = best
        begin = fresh(moves, run.rng) if run.rng.random() < SEARCH.fresh else disturbed(moves, here, run.rng)
        reached = descent(moves, begin, run)
        best = min(best, reached, key=lambda tree: tree.value)
        if reached.value <= max(here.value, best.value + SEARCH.good * abs(best.value)):
            here = reached
        run.count(1, "descents")
