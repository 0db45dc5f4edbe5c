"""What thinning has left out: counted before the search, and measured on the tree that came of it."""

__all__ = ["counted", "measured"]

import dataclasses

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.engine.pool import SolutionPool
from hedgerow.instance import Instance
from hedgerow.methods.start import may_split
from hedgerow.run import Deadline, Interrupt, Options, Run, Thinning
from hedgerow.splits import Splits, candidate_splits
from hedgerow.structure import NO_SPLIT, existing_slots, split_numbers, structure_of, tree_of
from hedgerow.tolerances import VALUE
from hedgerow.tree import Tree
from hedgerow.uncertainty import GlobalBudget

_LEAST_SECONDS = 1.0
"""So long other questions are tried even when time is up."""


def counted(instance: Instance, sought_on: Instance, options: Options) -> Thinning | None:
    """Return how much is left out when the tree is searched for on another instance; None if nothing is."""
    if options.max_thresholds is None and sought_on is instance:
        return None
    kept = every = 0
    if may_split(instance, options):
        kept = len(
            candidate_splits(sought_on.question_values, options.thresholds, options.max_thresholds, sought_on.questions)
        )
        every = len(candidate_splits(instance.question_values, options.thresholds, questions=instance.questions))
    thinning = Thinning(sought_on.n_samples, instance.n_samples, kept, every)
    return thinning if thinning.of_samples or thinning.of_thresholds else None


def measured(
    thinning: Thinning,
    attack: Attack,
    sought_on: Instance,
    options: Options,
    deadline: Deadline,
    interrupt: Interrupt,
) -> Thinning:
    """Return the same with what it cost the tree, as the adversary sees it on all samples.

    At each question of the tree every threshold of every item is tried, solutions and other questions as they are; the
    tree itself stays what it is. Under a global budget not all are looked at closely. An interrupted run, or one
    without memory, ends this at once.
    """
    instance = attack.instance
    thinning = dataclasses.replace(thinning, n_questions=attack.tree.n_leaves - 1)
    if thinning.of_samples:
        here, there = (instance.sign * value for value in (attack.bound, worst_case(attack.tree, sought_on).bound))
        thinning = dataclasses.replace(thinning, samples_missed=_relative(here - there, here))
    if not thinning.of_thresholds:
        return dataclasses.replace(thinning, thresholds_missed=0.0, tried_all=True)
    seconds = Deadline(max(_LEAST_SECONDS, deadline.remaining()))
    run = Run(instance, deadline=seconds, interrupt=interrupt)
    if thinning.n_questions == 0 or run.must_stop():
        return thinning
    try:
        missed = _best_gain(attack, options, run)
    except (KeyboardInterrupt, MemoryError):
        return thinning
    tried_all = not run.must_stop() and not isinstance(instance.uncertainty, GlobalBudget)
    return dataclasses.replace(thinning, thresholds_missed=missed, tried_all=tried_all)


def _best_gain(attack: Attack, options: Options, run: Run) -> float:
    """Return how much better, relative to its size, the tree's worst case gets by the best of all other questions."""
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.search.moves import Moves

    tree, instance = attack.tree, attack.instance
    splits = _with_own(
        tree, candidate_splits(instance.question_values, options.thresholds, questions=instance.questions)
    )
    structure = structure_of(tree, splits, instance.depth)
    pool = SolutionPool(instance)
    choice = np.zeros(structure.size + 1, dtype=np.int64)
    choice[existing_slots(structure)] = pool.add(tree.solutions)
    moves = Moves(instance, options, splits, pool, run)
    now = moves.evaluated(structure, choice)
    before = best = instance.sign * attack.bound
    for node in np.flatnonzero(structure != NO_SPLIT):
        better = None if run.must_stop() else moves.better_split(now, int(node))
        if better is not None:
            changed = tree_of(better.structure, splits, pool.solutions[choice])
            best = min(best, instance.sign * worst_case(changed, instance).bound)
    return _relative(before - best, before)


def _with_own(tree: Tree, splits: Splits) -> Splits:
    """Return the splits and those of the tree, which differ if the search ran on representatives."""
    inner = tree.is_inner
    own = tree.threshold[inner]
    question = np.concatenate([splits.question, split_numbers(tree, splits)[tree.question[inner]]])
    threshold, below, above = (np.concatenate([of, own]) for of in (splits.threshold, splits.below, splits.above))
    order = np.lexsort((threshold, question))  # stable: of equal ones the candidate comes first
    is_new = np.append(True, (np.diff(question[order]) > 0) | (np.diff(threshold[order]) > 0.0))
    kept = order[is_new]
    return Splits(question[kept], threshold[kept], below[kept], above[kept], splits.questions)


def _relative(difference: float, value: float) -> float:
    """Return a difference relative to a value; one that rounding may explain is none."""
    return difference / max(abs(value), 1e-9) if abs(difference) > VALUE * max(1.0, abs(value)) else 0.0
