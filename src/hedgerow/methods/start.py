"""How most methods start: with one solution for all, and a look at whether there is anything to split."""

__all__ = ["offer_tree", "start"]

from hedgerow.adversary import Attack, worst_case
from hedgerow.instance import Instance
from hedgerow.run import Run, Settings
from hedgerow.splits import Splits, candidate_splits
from hedgerow.tree import Tree


def start(instance: Instance, run: Run, settings: Settings) -> Splits | None:
    """Offer the best single solution and return the candidate splits, or None where no tree can have a split.

    In the latter case the single solution is all there is to find, and the run's bound says so.
    """
    best = instance.problem.best_solution(instance.costs, instance.weights, time_limit=run.deadline.remaining())
    run.offer(Tree.single(best.solution), instance.sign * best.value, "one solution")
    splits = candidate_splits(instance.observations, settings.thresholds)
    if may_split(instance, settings) and len(splits):
        return splits
    run.raise_bound(instance.sign * best.bound)
    return None


def may_split(instance: Instance, settings: Settings) -> bool:
    """Return whether depth and leaf options leave room for a split."""
    few_samples = 2 * settings.min_samples_leaf > instance.n_samples
    return instance.depth > 0 and settings.max_leaves != 1 and not few_samples


def offer_tree(tree: Tree, instance: Instance, run: Run, detail: str = "") -> Attack:
    """Attack the tree, offer it to the run with what the attack proves, and return the attack."""
    attack = worst_case(tree, instance)
    run.offer(tree, instance.sign * attack.bound, detail)
    return attack
