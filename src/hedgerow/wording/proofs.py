"""Proofs in words: why a run ended, and what that says about its tree."""

from collections.abc import Sequence
from typing import Final

from hedgerow.wording.numbers import joined, number, percentage, sentence

ENDINGS: Final = {
    "optimal": "proven optimal",
    "gap_limit": "stopped at the gap limit",
    "time_limit": "stopped at the time limit",
    "iteration_limit": "stopped at the iteration limit",
    "memory_limit": "stopped at the memory limit",
    "stalled": "stopped without further progress",
    "interrupted": "interrupted",
    "feasible": "ended without a proof",
}
"""Why a run ended, by its status."""

THRESHOLDS: Final = {
    "midpoints": "thresholds midway between neighbouring training values",
    "grid": "thresholds on the grid of candidate values",
    "continuous": "thresholds anywhere",
}
"""Where the thresholds lie that a proof is about."""


def ending(status: str, runtime: float) -> str:
    """Return why a run ended, and after how long.

    >>> ending("time_limit", 60.02)
    'stopped at the time limit after 60 s'
    """
    return f"{ENDINGS.get(status, 'ended')} after {number(runtime, 2)} s"


def proof_in_words(
    end: str, *, is_optimal: bool, gap: float, depth: int, limits: Sequence[str], thresholds: str
) -> str:
    """Return why a run ended and what is proven about its tree, in one sentence.

    Parameters
    ----------
    end
        Why the run ended, as `ending` says it.
    is_optimal, gap
        Whether the tree is proven to be best, and by how much it may be worse, relative to its size; infinite if
        nothing is proven.
    depth, limits, thresholds
        The trees that the proof is about.

    Examples
    --------
    >>> about = {"depth": 2, "limits": (), "thresholds": "grid"}
    >>> proof_in_words("proven optimal after 0.1 s", is_optimal=True, gap=0.0, **about)
    'Proven optimal after 0.1 s: no tree of depth 2 over the same thresholds (grid) has a better worst case.'
    """
    trees = f"tree of depth {depth}{f' with {joined(limits)}' if limits else ''}"
    over = "" if thresholds == "continuous" else " over the same thresholds"
    if is_optimal:
        where = f" ({thresholds})" if over else ""
        anywhere = "" if over else ", wherever its thresholds lie"
        return sentence(f"{end}: no {trees}{over}{where} has a better worst case{anywhere}")
    if gap < float("inf"):
        return sentence(f"{end}: a {trees}{over} may be better, by {percentage(gap)} at most")
    return sentence(f"{end}: a better tree may exist, since no bound is proven")
