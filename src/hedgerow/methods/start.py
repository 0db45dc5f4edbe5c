"""How most methods start: with one solution for all, and a look at whether there is anything to split."""

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.data.arrays import BoolArray, IntArray
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.tolerances import FEASIBILITY
from hedgerow.tree.splits import Splits
from hedgerow.tree.tree import Tree


def start(instance: Instance, run: Run, options: Options) -> Splits | None:
    """Offer the best single solution and return the candidate splits, or None where no split can make it better.

    In the latter case the single solution is all there is to find, and the run's bound says so.
    """
    splits = instance.splits(options.thresholds)
    promising = may_split(instance, options) and not all_can_meet(instance, splits, options)
    # An oracle that is a hard MIP must leave time for the splits.
    _offer_one(instance, run, run.deadline.share(2) if promising else run.deadline.remaining(), proves=not promising)
    return splits if promising else None


def one_solution(instance: Instance, run: Run, options: Options) -> None:
    """Offer the best single solution (H₁ in the paper), which nothing can mislead; say if there is nothing to ask."""
    _offer_one(instance, run, run.deadline.remaining(), proves=not may_split(instance, options))


def _offer_one(instance: Instance, run: Run, seconds: float, *, proves: bool) -> None:
    best = instance.problem.best_solution(instance.costs, instance.weights, time_limit=seconds)
    run.offer(Tree.single(best.solution), instance.sign * best.value, "one solution")
    if proves:
        run.raise_bound(instance.sign * best.bound)


def may_split(instance: Instance, options: Options) -> bool:
    """Return whether depth and leaf options leave room for a split, and there is something to ask."""
    few_samples = 2 * options.min_samples_leaf > instance.n_samples
    has_room = instance.depth > 0 and options.max_leaves != 1 and not few_samples
    return has_room and bool(np.ptp(instance.question_values, axis=0).any())


def all_can_meet(instance: Instance, splits: Splits, options: Options) -> bool:
    """Return whether in every tree there is a leaf to which all samples can be sent at once (Theorem 4.1).

    No tree then beats one solution. The leaf is that of any sample's own observation: on the way there at most `depth`
    readings change, each by its item's range and a step ε. Leaves narrower than ε, which can't be entered from below,
    must not occur. Nothing is claimed where questions are about several readings.
    """
    uncertainty = instance.uncertainty
    if not uncertainty.can_misread or uncertainty.limits is not None:
        return False
    if any(question.item is None for question in instance.questions):
        return False
    prices = 1.0 if uncertainty.prices is None else uncertainty.prices
    farthest = instance.depth * np.max(prices * (np.ptp(instance.observations, axis=0) + uncertainty.epsilon))
    if not uncertainty.affords(np.full(instance.n_samples, farthest)):
        return False
    if options.thresholds == "continuous":
        return bool(2.0 * options.margin_on(instance) >= uncertainty.epsilon)
    apart = np.diff(splits.threshold)[splits.question[1:] == splits.question[:-1]]
    return bool((apart > uncertainty.epsilon * (1.0 + FEASIBILITY)).all())


def evenly_spread(splits: Splits, count: int, may_have: BoolArray | None = None) -> IntArray:
    """Return at most `count` splits of each question, or of those that a node may have, evenly spread."""
    may_have = np.ones(len(splits), dtype=bool) if may_have is None else may_have
    if not may_have.size:
        return np.empty(0, dtype=np.int64)
    some = np.flatnonzero(may_have)
    sizes = np.add.reduceat(may_have, splits.first, dtype=np.int64)
    last = np.cumsum(sizes) - 1
    many = sizes > count
    chosen = np.repeat(~many, sizes)
    chosen[np.linspace((last - sizes + 1)[many], last[many], count).round().astype(np.int64)] = True
    return some[chosen]


def offer_tree(tree: Tree, instance: Instance, run: Run, detail: str = "") -> Attack:
    """Attack the tree, offer it to the run with what the attack proves; return the attack."""
    attack = worst_case(tree, instance, margin=run.margin)
    run.offer(tree, instance.sign * attack.bound, detail)
    return attack
