"""One solution for every observation (H₁ in the paper): a tree of depth 0, which nothing can mislead."""

__all__ = ["one_solution"]

from hedgerow.instance import Instance
from hedgerow.run import Run, Settings
from hedgerow.tree import Tree


def one_solution(instance: Instance, run: Run, settings: Settings) -> None:
    """Offer the best single solution; it is optimal once the adversary can send every sample to every leaf."""
    del settings
    best = instance.problem.best_solution(instance.costs, instance.weights, time_limit=run.deadline.remaining())
    run.offer(Tree.single(best.solution), instance.sign * best.value, "one solution")
    if instance.depth == 0:
        run.raise_bound(instance.sign * best.bound)
