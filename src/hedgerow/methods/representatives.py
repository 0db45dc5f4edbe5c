"""Fewer samples and thresholds to search with: weighted representatives, and a bound that holds for all samples."""

__all__ = ["bound_on_all_samples", "check_thinning", "left_out", "representatives", "thinned"]

import dataclasses
import warnings

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.bounds import bound_without_tree, listed_losses
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.methods.start import may_split, most_leaves, splits_of
from hedgerow.run import Deadline, Options, Thinning
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import candidate_splits

_SEEDS = 2**31 - 1


def thinned(instance: Instance, options: Options, rng: np.random.Generator) -> Instance:
    """Return what the search runs on: the instance itself unless it has more than `max_samples` samples."""
    check_thinning(instance, options)
    if options.max_samples is None or instance.n_samples <= options.max_samples:
        return instance
    return representatives(instance, options.max_samples, rng)


def check_thinning(instance: Instance, options: Options) -> None:
    """Raise `InputError` if representatives can't stand for the samples.

    A weight multiplies a sample's cost, but not what it takes to move it. Under a global budget one representative is
    therefore cheaper to mislead than the samples it stands for, so that is refused.
    """
    if options.max_samples is None or instance.n_samples <= options.max_samples:
        return
    if not instance.uncertainty.is_separable:
        raise InputError(
            "max_samples can't be used with a GlobalBudget: a weighted sample would be moved for the price of one. "
            "Use a LocalBudget, or all samples."
        )
    if options.min_samples_leaf:
        raise InputError(
            "max_samples can't be used with min_samples_leaf, which counts samples; "
            f"got {options.max_samples} and {options.min_samples_leaf}."
        )


def representatives(instance: Instance, count: int, rng: np.random.Generator) -> Instance:
    """Return the instance with at most `count` samples that stand for groups of similar ones.

    Each is read like the member that is nearest to the middle of its group, with that one's budget and limits; it
    costs what the group costs on average, and weighs as much as all of it. For costs that are linear, a group that
    goes one way costs exactly the same as before.
    """
    group = _groups(instance, count, rng)
    n_groups = int(group.max()) + 1
    weight = np.bincount(group, weights=instance.weights, minlength=n_groups)
    # Groups without weight still have a middle.
    share = np.where(weight[group] > 0.0, instance.weights, 1.0)
    total = np.bincount(group, weights=share, minlength=n_groups)
    costs = np.zeros((n_groups, instance.costs.shape[1]))
    middle = np.zeros((n_groups, instance.n_features))
    np.add.at(costs, group, share[:, None] * instance.costs)
    np.add.at(middle, group, share[:, None] * instance.observations)
    costs, middle = costs / total[:, None], middle / total[:, None]
    spread = _spread(instance.observations)
    distance = (((instance.observations - middle[group]) / spread) ** 2).sum(axis=1)
    order = np.lexsort((distance, group))
    member = order[np.flatnonzero(np.diff(group[order], prepend=-1))]
    return Instance.create(
        instance.problem,
        costs,
        context=instance.observations[member],
        weights=weight,
        uncertainty=instance.uncertainty.of_samples(member, instance.n_samples),
        depth=instance.depth,
        feature_names=instance.feature_names,
        questions=instance.questions,
    )


def bound_on_all_samples(instance: Instance, options: Options, deadline: Deadline) -> float:
    """Return a bound on the losses of all samples: what was proven for representatives is not proven for these.

    So it is the one without a tree.
    """
    seconds = Deadline(max(PARAMETERS.least_seconds_for_bound, deadline.remaining()))
    return bound_without_tree(listed_losses(instance), instance, most_leaves(instance, options), seconds)


def _groups(instance: Instance, count: int, rng: np.random.Generator) -> IntArray:
    """Return the group of each sample, numbered from 0 without gaps: similar costs, similar readings."""
    from sklearn.cluster import MiniBatchKMeans

    parts = [instance.observations / _spread(instance.observations)]
    if instance.observations is not instance.costs:
        parts.append(instance.costs / _spread(instance.costs))
    means = MiniBatchKMeans(count, n_init=1, random_state=int(rng.integers(_SEEDS)))
    with warnings.catch_warnings():
        # Fewer different samples than groups are no problem.
        warnings.simplefilter("ignore")
        labels = means.fit(np.hstack(parts)).labels_
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _spread(columns: FloatArray) -> FloatArray:
    """Return what to divide columns by so that they compare: their standard deviations, 1 where that is 0."""
    deviation = columns.std(axis=0)
    return np.where(deviation > 0.0, deviation, 1.0)


def left_out(instance: Instance, searched: Instance, options: Options, attack: Attack) -> Thinning | None:
    """Return how much the search for the attacked tree left out; None if nothing."""
    if options.max_thresholds is None and searched is instance:
        return None
    kept = every = 0
    if may_split(instance, options):
        kept = len(splits_of(searched, options))
        every = len(candidate_splits(instance.question_values, options.thresholds, questions=instance.questions))
    thinning = Thinning(searched.n_samples, instance.n_samples, kept, every)
    if thinning.of_samples:
        here, there = (instance.sign * value for value in (attack.bound, worst_case(attack.tree, searched).bound))
        missed = (here - there) / max(abs(here), VALUE) if abs(here - there) > VALUE * max(1.0, abs(here)) else 0.0
        thinning = dataclasses.replace(thinning, samples_missed=missed)
    return thinning if thinning.of_samples or thinning.of_thresholds else None
