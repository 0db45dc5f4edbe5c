"""A tree in the making: structure and solutions with all that moves need to know about it."""

__all__ = ["Candidate", "slots_below"]

from dataclasses import dataclass

from hedgerow.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Candidate:
    """A structure whose slots hold solutions of a pool. Moves make new ones; arrays that don't change are shared."""

    structure: IntArray  # one split per inner node, level by level; see `hedgerow.structure`
    choice: IntArray  # per slot its solution's place in the pool
    # Slots × samples: what it takes to send a sample to the slot, and what that costs.
    move_cost: FloatArray
    slot_loss: FloatArray
    value: float  # the worst-case loss, or a number just above it where the adversary is relaxed
    rate: float  # what a unit of a global budget is worth to the adversary


def slots_below(node: int, n_inner: int) -> tuple[int, int]:
    """Return the first slot below a node and the one after the last.

    Examples
    --------
    >>> from hedgerow.methods.search.candidate import slots_below
    >>> [slots_below(node, 3) for node in range(3)]
    [(0, 4), (0, 2), (2, 4)]
    """
    begin = end = node
    while begin < n_inner:
        begin, end = 2 * begin + 1, 2 * end + 2
    return begin - n_inner, end - n_inner + 1
