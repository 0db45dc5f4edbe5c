"""Down to a tree that no single move makes better."""

__all__ = ["better_leaves", "descend"]

import numpy as np

from hedgerow.engine.tables.space import cutoff_below
from hedgerow.methods.search.candidate import Candidate, slots_below
from hedgerow.methods.search.moves import Moves
from hedgerow.run import Run


def descend(moves: Moves, now: Candidate, run: Run) -> Candidate:
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


def better_leaves(moves: Moves, now: Candidate, run: Run, begin: int = 0, end: int | None = None) -> Candidate:
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


def _better_growth(moves: Moves, now: Candidate, run: Run) -> Candidate | None:
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
