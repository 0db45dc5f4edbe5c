"""Small methods for tests of what surrounds every method: they need neither a solver nor a kernel."""

import signal

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.errors import SolverError
from hedgerow.instance import Instance
from hedgerow.methods.registry import METHODS, Method
from hedgerow.run import Options, Run
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.tree import Tree


def draw(instance: Instance, run: Run, settings: Options) -> None:
    """Draw trees of depth 1 until something says stop."""
    splits = candidate_splits(instance.observations, settings.thresholds)
    while run.running:
        offer_random(instance, run, splits)


def offer_random(instance, run, splits):
    at = int(run.rng.integers(len(splits)))
    item, threshold = int(splits.question[at]), float(splits.threshold[at])
    left = instance.observations[:, item] <= threshold
    tree = Tree.full([item], [threshold], np.array([best_for(instance, left), best_for(instance, ~left)]))
    run.count()
    run.offer(tree, instance.sign * worst_case(tree, instance).bound, "drawn")


def best_for(instance, rows):
    return instance.problem.best_solution(instance.costs[rows], instance.weights[rows]).solution


def fail_midway(instance: Instance, run: Run, settings: Options) -> None:
    offer_random(instance, run, candidate_splits(instance.observations))
    raise SolverError("the solver lost its licence")


def fail_at_once(instance: Instance, run: Run, settings: Options) -> None:
    raise SolverError("the solver has no licence")


def out_of_memory(instance: Instance, run: Run, settings: Options) -> None:
    offer_random(instance, run, candidate_splits(instance.observations))
    raise MemoryError


def idle(instance: Instance, run: Run, settings: Options) -> None:
    """Find nothing until it is stopped."""
    while run.running:
        run.count()


def give_up(instance: Instance, run: Run, settings: Options) -> None:
    """Find nothing and stop."""


def ctrl_c(instance: Instance, run: Run, settings: Options) -> None:
    """A user who presses Ctrl-C after the first tree."""
    offer_random(instance, run, candidate_splits(instance.observations))
    signal.raise_signal(signal.SIGINT)
    draw(instance, run, settings)


TOYS = {
    "draw": draw,
    "fail_midway": fail_midway,
    "fail_at_once": fail_at_once,
    "out_of_memory": out_of_memory,
    "idle": idle,
    "give_up": give_up,
    "ctrl_c": ctrl_c,
}


def register() -> None:
    """Enter the toys into the table of methods of this process."""
    for name, function in TOYS.items():
        METHODS[name] = Method(function)
