"""Loads or compiles the exact method's kernels on a tiny instance."""

__all__ = ["warm_up"]

import dataclasses

from hedgerow.instance import Instance
from hedgerow.methods.exact import branching, wide
from hedgerow.methods.exact.engine import first_trees, suits_halves
from hedgerow.methods.exact.evaluators import on_table
from hedgerow.methods.exact.frontier import prices_of
from hedgerow.methods.exact.nominal_search import settle_nominal, suits_nominal
from hedgerow.methods.tables.subsets import subset_tables
from hedgerow.methods.tables.warm_up import tiny_space
from hedgerow.run import Run
from hedgerow.uncertainty import Nominal


def warm_up(instance: Instance) -> None:
    """Go once through all that the method will do on an instance of this kind."""
    space = tiny_space(instance)
    # Without a first tree nothing is pruned, and every kernel gets its turn.
    run = Run(space.instance)
    if suits_nominal(instance, space.settings):
        unperturbed = dataclasses.replace(space.instance, uncertainty=Nominal(), depth=3)
        settle_nominal(unperturbed, run, space.settings, space.splits, space.pool)
        return
    if suits_halves(instance):
        wide.settle(space, run, stay_here=True)
    else:
        tables = subset_tables(space.table.subset_costs[0], 2)
        branching.settle(space, run, prices_of(tables=tables), on_table, stay_here=True)
    first_trees(space, run)
