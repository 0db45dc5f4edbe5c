"""Down to a tree that no single move makes better, and where the next descent begins: disturbed or new."""

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.engine.structures.space import cutoff_below
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.growing_pool import grow_for
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.methods.search.tree_state import TreeState
from hedgerow.methods.start import offer_tree
from hedgerow.run import Run
from hedgerow.tree.structure import slots_below


def descent(moves: Moves, begin: TreeState, run: Run) -> TreeState:
    """Improve a tree as far as moves and new solutions go, and offer it if it is the best so far."""
    tree = moves.polished(descend(moves, begin, run))
    while tree.value <= run.value + SEARCH.near * abs(run.value) and grow_for(moves.pool, tree, moves.limit, run):
        if run.must_stop():
            break
        moves.reload()
        before, tree = tree, descend(moves, tree, run)
        if tree.value >= before.value:
            break
    if tree.value < run.value:
        offer_tree(moves.tree(tree), moves.instance, run, "better tree")
    return tree


def descend(moves: Moves, now: TreeState, run: Run) -> TreeState:
    """Return what comes of improving questions and solutions in turn until neither helps."""
    now = better_leaves(moves, now, run)
    while not run.must_stop():
        before = now.value
        for node in run.rng.permutation(moves.n_inner):
            better = None if run.must_stop() else moves.better_split(now, int(node))
            if better is not None:
                now = better_leaves(moves, better, run, *slots_below(int(node), moves.n_inner))
        now = better_leaves(moves, now, run)
        if now.value >= cutoff_below(before):
            break
    return now


def better_leaves(moves: Moves, now: TreeState, run: Run, begin: int = 0, end: int | None = None) -> TreeState:
    """Improve one leaf at a time until nothing changes."""
    slots = range(begin, moves.n_inner + 1 if end is None else end)
    quiet = 0
    while quiet < len(slots):
        for slot in slots:
            if quiet >= len(slots) or run.must_stop():
                return now
            better = moves.better_leaf(now, slot)
            quiet = quiet + 1 if better is None else 1
            now = now if better is None else better
    return now


def fresh(moves: Moves, rng: np.random.Generator) -> TreeState:
    """Return a new tree: grown greedily on some of the items, or with questions drawn at random."""
    if rng.random() < 0.5:
        return moves.regrown(moves.one_solution(), 0, _some_items(moves, rng), float(rng.choice(SEARCH.cautions)))
    structure = moves.drawn(rng)
    return moves.candidate(structure, rng.integers(len(moves.pool), size=moves.n_inner + 1))


def disturbed(moves: Moves, now: TreeState, rng: np.random.Generator) -> TreeState:
    """Return the tree with a part grown anew on some of the items, for better or worse."""
    node = int(rng.integers(moves.n_inner))
    return moves.regrown(now, node, _some_items(moves, rng), float(rng.choice(SEARCH.cautions)))


def _some_items(moves: Moves, rng: np.random.Generator) -> IntArray:
    items = moves.splits.asked
    return rng.choice(items, size=max(1, items.size // 3), replace=False)
