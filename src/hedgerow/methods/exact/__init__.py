"""The exact method: branch and bound over structures proves a robust tree optimal."""

__all__ = ["exact", "expects_to_finish"]

from hedgerow.instance import Instance
from hedgerow.methods.exact.estimate import expects_to_finish
from hedgerow.run import Options, Run


def exact(instance: Instance, run: Run, options: Options) -> None:
    """Find the best tree over the candidate thresholds and prove that there is none better."""
    if options.wishes is not None and options.wishes.shape_trees:
        from hedgerow.engine.listing.wished import settle_wishes

        settle_wishes(instance, run, options)
        return
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.exact.engine import prove

    prove(instance, run, options)
