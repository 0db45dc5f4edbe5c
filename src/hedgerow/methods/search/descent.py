"""Down to a tree that no single move makes better, and where the next descent begins: disturbed or new."""

__all__ = ["better_leaves", "descend", "disturbed", "fresh"]

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.engine.structures.space import cutoff_below
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.methods.search.tree_state import TreeState, slots_below
from hedgerow.run import Run
from hedgerow.tree.structure import NO_SPLIT


def descend(moves: Moves, now: TreeState, run: Run) -> TreeState:
    """Return what comes of improving questions and solutions in turn until neither helps, nor growing a node anew."""
    now = better_leaves(moves, now, run)
    while not run.must_stop():
        before = now.value
        for node in run.rng.permutation(moves.n_inner):
            better = None if run.must_stop() else moves.better_split(now, int(node))
            if better is not None:
                now = better_leaves(moves, better, run, *slots_below(int(node), moves.n_inner))
        now = better_leaves(moves, now, run)
        if now.value >= cutoff_below(before):
            grown = _better_growth(moves, now, run)
            if grown is None:
                break
            now = grown
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


def _better_growth(moves: Moves, now: TreeState, run: Run) -> TreeState | None:
    """Return what comes of a new question with two new solutions at a last node, or one that asks nothing."""
    last = np.arange(moves.n_inner // 2, moves.n_inner)
    for node in run.rng.permutation(last):
        if run.must_stop():
            return None
        grown = moves.regrown(now, int(node))
        grown = better_leaves(moves, grown, run, *slots_below(int(node), moves.n_inner))
        if grown.value < cutoff_below(now.value):
            return grown
    return None


def fresh(moves: Moves, rng: np.random.Generator) -> TreeState:
    """Return a new tree: grown greedily on some of the items, or with questions drawn at random."""
    if rng.random() < 0.5:
        return moves.regrown(moves.one_solution(), 0, _some_items(moves, rng), float(rng.choice(SEARCH.cautions)))
    structure = moves.drawn(rng)
    return moves.candidate(structure, rng.integers(len(moves.pool), size=moves.n_inner + 1))


def disturbed(moves: Moves, now: TreeState, rng: np.random.Generator) -> TreeState:
    """Return the tree with one of its parts changed at random, for better or worse."""
    draw = rng.random()
    if draw < SEARCH.regrow:
        node = int(rng.integers(moves.n_inner))
        return moves.regrown(now, node, _some_items(moves, rng), float(rng.choice(SEARCH.cautions)))
    if draw < SEARCH.regrow + SEARCH.other_questions:
        return _other_questions(moves, now, rng)
    choice = now.choice.copy()
    one, other = rng.integers(choice.size, size=2)
    choice[one], choice[other] = choice[other], (choice[one] if one != other else rng.integers(len(moves.pool)))
    return moves.candidate(now.structure, choice, now)


def _other_questions(moves: Moves, now: TreeState, rng: np.random.Generator) -> TreeState:
    """Return the tree with random questions at one or two of the nodes that ask something."""
    asking = np.flatnonzero(now.structure != NO_SPLIT)
    if not asking.size:
        return fresh(moves, rng)
    nodes = rng.choice(asking, size=min(asking.size, int(rng.integers(1, 3))), replace=False)
    structure = now.structure.copy()
    structure[nodes] = moves.drawn(rng)[nodes]
    # A draw may ask nothing where leaves are limited; what lay to the right is then gone.
    return moves.candidate(structure, now.choice, now) if moves.allowed(structure) else fresh(moves, rng)


def _some_items(moves: Moves, rng: np.random.Generator) -> IntArray:
    """Return a third of the items that can be asked about, at least one."""
    items = moves.splits.asked
    return rng.choice(items, size=max(1, items.size // 3), replace=False)
