"""Greedy trees: the best single question at each node, from the top down; seconds on a hundred thousand samples."""

from hedgerow.instance import Instance
from hedgerow.methods.cards import grow_cards
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.descent import better_leaves
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.methods.start import offer_tree
from hedgerow.run import Options, Run


def greedy(instance: Instance, run: Run, options: Options) -> None:
    """Grow a few trees, each question chosen together with the best solution for either side of it.

    A tree grows with all of the budget in mind, with half of it, or as if nothing were misread; the adversary decides
    which one is best. An iteration is one tree.
    """
    if options.plans_per_leaf > 1:
        grow_cards(instance, run, options)
        return
    moves = Moves.begin(instance, run, options)
    if moves is None:
        return
    for caution in SEARCH.cautions[: None if instance.uncertainty.can_misread else 1]:
        if not run.running or run.must_stop():
            return
        grown = better_leaves(moves, moves.regrown(moves.one_solution(), 0, caution=caution), run)
        offer_tree(moves.tree(grown), instance, run, "greedy tree")
        run.count(1)
