"""Compiled kernels are made ready before the clock starts; the first time on a machine this is announced."""

__all__ = ["warm_up", "warm_up_refinement"]

import logging
import threading
import time
from collections.abc import Callable

import numpy as np

from hedgerow.adversary.global_budget import worst_choice
from hedgerow.instance import Instance
from hedgerow.methods.registry import Method
from hedgerow.uncertainty import GlobalBudget

_LOG = logging.getLogger("hedgerow")

# Loading kernels from numba's cache takes a fraction of a second; what takes longer than this is compilation.
_LOADING = 2.0


def warm_up(method: Method, instance: Instance) -> bool:
    """Load or compile what method and adversary need; return whether it was compiled, which is also announced."""

    def load() -> None:
        if method.warm_up is not None:
            method.warm_up(instance)
        if isinstance(instance.uncertainty, GlobalBudget):
            _warm_up_adversary(instance.n_samples)

    return _announced(load)


def warm_up_refinement(instance: Instance) -> bool:
    """Load or compile what refinement needs; return whether it was compiled, which is also announced."""
    from hedgerow.methods import refine  # its kernels are loaded only by those who use them

    return _announced(lambda: refine.warm_up(instance))


def _announced(load: Callable[[], None]) -> bool:
    # A timer sees what looking for cache files would miss: a cache that is there but out of date.
    announcement = threading.Timer(_LOADING, _LOG.info, ("compiling kernels once for this machine …",))
    announcement.daemon = True
    announcement.start()
    start = time.monotonic()
    try:
        load()
    finally:
        announcement.cancel()
    seconds = time.monotonic() - start
    if seconds <= _LOADING:
        return False
    _LOG.info("kernels are ready after %.0f s", seconds)
    return True


def _warm_up_adversary(n_samples: int) -> None:
    # As many samples as there will be, since few and many go different ways.
    gain = np.tile([0.0, 1.0], (n_samples, 1))
    worst_choice(gain, gain, 1.0)
