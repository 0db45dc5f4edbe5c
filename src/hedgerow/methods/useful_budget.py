"""Where a budget leaves nothing to ask: up to which budget a tree would be better than one solution."""

__all__ = ["too_large"]

import dataclasses
from typing import Final

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.instance import Instance
from hedgerow.methods.greedy import greedy
from hedgerow.run import Deadline, Options, Run
from hedgerow.tolerances import VALUE
from hedgerow.tree import Tree
from hedgerow.uncertainty import Nominal
from hedgerow.words import number

_HALVINGS: Final = 12
_GRACE: Final = 1.0
"""Seconds that this may take even if time is up."""

_MOST_READINGS: Final = 2_000_000
"""Most readings for which it may: growing a tree on more takes longer."""


def too_large(tree: Tree, instance: Instance, options: Options, run: Run) -> str:
    """Return a sentence if the budget makes the tree ask nothing while a smaller one would not; else nothing.

    The useful budget is found by halving: up to it a tree grown as if nothing were misread is better than one solution
    in the worst case. Other trees may be better under larger budgets, too.
    """
    uncertainty = instance.uncertainty
    if isinstance(uncertainty, Nominal) or tree.n_leaves > 1 or instance.depth == 0 or options.max_leaves == 1:
        return ""
    if not np.any(uncertainty.budget) or run.interrupt.requested:
        return ""
    if instance.question_values.size > _MOST_READINGS and run.deadline.remaining() < _GRACE:
        return ""
    nominal = dataclasses.replace(instance, uncertainty=Nominal())
    fork = Run(nominal, deadline=Deadline(max(_GRACE, run.deadline.remaining())), interrupt=run.interrupt)
    greedy(nominal, fork, options)
    grown = fork.tree
    if grown is None or grown.n_leaves == 1:
        return ""
    one = instance.sign * worst_case(tree, nominal).bound
    useful, share, step = 0.0, 0.5, 0.25
    for _ in range(_HALVINGS):
        scaled = dataclasses.replace(uncertainty, budget=share * uncertainty.budget)
        value = instance.sign * worst_case(grown, dataclasses.replace(instance, uncertainty=scaled)).bound
        is_useful = value < one - VALUE * max(1.0, abs(one))
        useful = share if is_useful else useful
        share, step = share + step if is_useful else share - step, step / 2
    nothing = "no tree that is better than one solution under this budget."
    said = f"There is {nothing}" if run.status == "optimal" else f"The search found {nothing}"
    if useful:
        said += f" Up to a budget of about {number(useful * float(np.max(uncertainty.budget)), 2)} there is one."
    return said
