"""The exact method: branch and bound over structures proves a robust tree optimal."""

__all__ = ["exact", "exact_kernels", "expects_to_finish"]

from hedgerow.instance import Instance
from hedgerow.methods.exact.estimate import expects_to_finish
from hedgerow.run import Run, Settings


def exact(instance: Instance, run: Run, settings: Settings) -> None:
    """Find the best tree over the candidate thresholds and prove that there is none better."""
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.exact.engine import prove

    prove(instance, run, settings)


def exact_kernels(instance: Instance) -> None:
    """Load or compile what `exact` needs for an instance of this kind."""
    from hedgerow.methods.exact.warm_up import warm_up

    warm_up(instance)
