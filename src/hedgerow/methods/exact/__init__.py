"""The exact method: branch and bound over structures proves a robust tree optimal."""

__all__ = ["exact", "expects_to_finish"]

from contextlib import suppress
from typing import Final

from hedgerow.instance import Instance
from hedgerow.methods.exact.estimate import expects_to_finish
from hedgerow.run import Deadline, Options, Run, StopRunError

_SHARE_FOR_SEARCH: Final = 0.2
_SHARE_FOR_BOUND: Final = 0.5
"""With wishes: how much of the time that is left may go into a search before a proof, or into a bound before a search.
"""

_FEW_DESCENTS: Final = 8
_DESCENTS: Final = 100
"""Descents of the search before a proof; one that takes its place ends after that many without a better tree."""

_SMALL: Final = 20_000
"""Samples × splits up to which trees with wishes are settled without a search before."""


def exact(instance: Instance, run: Run, options: Options) -> None:
    """Find the best tree over the candidate thresholds and prove that there is none better."""
    # Imported here since compiled kernels are loaded only by those who use them.
    if options.wishes is not None and options.wishes.shape_trees:
        _exact_with_wishes(instance, run, options)
        return
    from hedgerow.methods.exact.engine import prove

    prove(instance, run, options)


def _exact_with_wishes(instance: Instance, run: Run, options: Options) -> None:
    """Settle trees with wishes where they can be listed; elsewhere search, with the bound that holds without wishes."""
    from hedgerow.engine.listing.lister import settle_wishes, suits_listing

    reason = suits_listing(instance, options)
    if not reason:
        if instance.n_samples * instance.question_values.size > _SMALL:
            _search(instance, run, options, _FEW_DESCENTS, _SHARE_FOR_SEARCH)
        settle_wishes(instance, run, options)
        return
    from hedgerow.methods.exact.engine import prove

    fork = run.fork(instance)
    fork.deadline = Deadline(_SHARE_FOR_BOUND * run.deadline.remaining())
    with suppress(StopRunError):
        prove(instance, fork, options.replace(wishes=None))
    run.count(fork.iterations)
    run.raise_bound(fork.bound, "bound without the wishes")
    _search(instance, run, options, _DESCENTS, 1.0)
    run.say(f"Trees that keep the wishes were searched for, with the bound that holds without them: {reason}.")


def _search(instance: Instance, run: Run, options: Options, descents: int, share: float) -> None:
    """Offer what local search finds until some descents in a row find nothing better."""
    from hedgerow.methods.local_search import local_search

    deadline = Deadline(share * run.deadline.remaining())
    sub = Run(instance, deadline=deadline, stall_limit=descents, rng=run.rng, interrupt=run.interrupt)
    sub.margin = run.margin
    sub.raise_bound(run.bound)
    local_search(instance, sub, options)
    run.count(sub.iterations)
    if sub.tree is not None:
        run.offer(sub.tree, sub.value, "local search")
