"""The exact method: branch and bound over structures proves a robust tree optimal."""

__all__ = ["exact"]

from contextlib import suppress

from hedgerow.instance import Instance
from hedgerow.methods.parameters import EXACT
from hedgerow.run import Deadline, Options, Run, StopRunError


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
    from hedgerow.methods.exact.engine import prove
    from hedgerow.methods.local_search import search_first

    reason = suits_listing(instance, options)
    if not reason:
        if instance.n_samples * instance.question_values.size > EXACT.small_with_wishes:
            search_first(instance, run, options, EXACT.share_before_list, stall_limit=EXACT.few_descents)
        settle_wishes(instance, run, options)
        return
    fork = run.fork(instance)
    fork.deadline = Deadline(EXACT.share_for_bound * run.deadline.remaining())
    with suppress(StopRunError):
        prove(instance, fork, options.replace(wishes=None))
    run.count(fork.iterations)
    run.raise_bound(fork.bound, "bound without the wishes")
    search_first(instance, run, options, stall_limit=EXACT.many_descents)
    run.say(f"Trees that keep the wishes were searched for, with the bound that holds without them: {reason}.")
