"""Scenario generation (SG): a master proposes a tree, the adversary attacks it, and the attack joins the master."""

from hedgerow.adversary import worst_case
from hedgerow.engine.models.master import Master
from hedgerow.engine.unreached import filled
from hedgerow.instance import Instance
from hedgerow.methods.start import start
from hedgerow.run import Options, Run
from hedgerow.tolerances import VALUE


def scenario_generation(instance: Instance, run: Run, options: Options) -> None:
    """Alternate master and adversary until the master's dual bound meets the best attacked tree."""
    splits = start(instance, run, options)
    if splits is None:
        return
    master = Master(instance, splits, options, run)
    while run.running:
        solved = master.solve(run)
        run.count(detail=f"{master.n_flows} observations")
        # A solver's bound is right up to its tolerances, and no bound lies above a tree's value.
        run.raise_bound(min(solved.bound - VALUE * abs(solved.bound), run.value))
        # An optimum of zero has no relative gap: what is left is compared with the costs that cancel or vanish in it.
        if run.value - run.bound <= VALUE * master.total_loss:
            run.raise_bound(run.value)
        if solved.tree is None:
            run.message = solved.message
            return
        master.raise_bound(run.bound)
        # Without a margin: misreadings that it alone allows are no observations.
        tree = filled(solved.tree, instance)
        attack = worst_case(tree, instance)
        run.offer(tree, instance.sign * attack.bound)
        if not master.add_scenario(attack.observations):
            if run.running:  # where questions share readings, misreadings within ε of a threshold may be of no use
                run.message = "The model of all trees can't make use of the last attack, so no more is proven."
            return
