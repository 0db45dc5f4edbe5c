"""One solution for every observation (H₁ in the paper): a tree of depth 0, which nothing can mislead."""

__all__ = ["one_solution"]

import dataclasses

import numpy as np

from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.exact import exact
from hedgerow.methods.start import may_split
from hedgerow.run import Options, Run
from hedgerow.tree.tree import Tree


def one_solution(instance: Instance, run: Run, options: Options) -> None:
    """Offer the best single solution, which is optimal where no question can be asked, and say so where it is."""
    if options.wishes is not None and options.wishes.shape_trees:
        if options.wishes.ask_first is not None or "threshold" in (options.wishes.complete or {}):
            raise InputError("one_solution asks nothing, so that it can't keep ask_first or the questions of complete.")
        alone = dataclasses.replace(instance, depth=0)
        fork = run.fork(alone)
        exact(alone, fork, options)
        if fork.tree is None:
            return
        tree, loss, bound = fork.tree, fork.value, fork.bound
    else:
        best = instance.problem.best_solution(instance.costs, instance.weights, time_limit=run.deadline.remaining())
        tree, loss, bound = Tree.single(best.solution), instance.sign * best.value, instance.sign * best.bound
    run.offer(tree, loss, "one solution")
    if not may_split(instance, options) or not np.ptp(instance.question_values, axis=0).any():
        run.raise_bound(bound)
