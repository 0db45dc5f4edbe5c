"""A tree that is optimal when nothing is misread: the benchmark that robust trees are compared with."""

import dataclasses
from contextlib import suppress

from hedgerow.instance import Instance
from hedgerow.methods.exact import exact
from hedgerow.methods.start import offer_tree
from hedgerow.run import Options, Run, StopRunError
from hedgerow.uncertainty import Nominal


def nominal(instance: Instance, run: Run, options: Options) -> None:
    """Find an optimal tree for the observations as they are, and see what the adversary makes of it.

    There are many such trees, and this is one of them. Its bound holds for the instance only where that allows no
    misreading.
    """
    unperturbed = dataclasses.replace(instance, uncertainty=Nominal())
    fork = run.fork(unperturbed)
    fork.margin = options.margin_on(unperturbed)
    with suppress(StopRunError):
        exact(unperturbed, fork, options)
    run.count(fork.iterations)
    run.thresholds, run.margin = fork.thresholds, fork.margin
    if fork.tree is None:
        return
    offer_tree(fork.tree, instance, run, "nominal tree")
    if not instance.uncertainty.can_misread:
        run.raise_bound(fork.bound)
