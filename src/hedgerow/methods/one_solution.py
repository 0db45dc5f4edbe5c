"""One solution for every observation (H₁ in the paper): a tree of depth 0, which nothing can mislead."""

from hedgerow.instance import Instance
from hedgerow.methods.start import may_split
from hedgerow.run import Options, Run
from hedgerow.tree.tree import Tree


def one_solution(instance: Instance, run: Run, options: Options) -> None:
    """Offer the best single solution, which is optimal where no question can be asked, and say so where it is."""
    best = instance.problem.best_solution(instance.costs, instance.weights, time_limit=run.deadline.remaining())
    run.offer(Tree.single(best.solution), instance.sign * best.value, "one solution")
    if not may_split(instance, options):
        run.raise_bound(instance.sign * best.bound)
