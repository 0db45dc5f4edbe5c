"""Dominance between splits whose children are slots: where no move is cheaper, the adversary can only be weaker."""

__all__ = ["drop_dominated"]

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import FloatArray, IntArray


@kernel(inline="always")
def drop_dominated(
    fresh: FloatArray,
    kept: FloatArray,
    splits: IntArray,
    bounds: FloatArray,
    count: int,
    mirrored: bool,
) -> int:
    """Drop listed splits that the fresh one dominates; return how many stay, or −1 − count if it is dominated itself.

    `fresh` has a row of move costs for each of its two slots, `kept` such a pair for each listed split; `splits`
    and `bounds` are kept in step with it. With `mirrored` the slots may change places, as they may where their
    solutions are still to be chosen.
    """
    for place in range(count):
        if _at_least(kept[place, 0], kept[place, 1], fresh[0], fresh[1], mirrored):
            return -1 - count
    stay = 0
    for place in range(count):
        if not _at_least(fresh[0], fresh[1], kept[place, 0], kept[place, 1], mirrored):
            if stay < place:
                copy_into(kept[place, 0], kept[stay, 0])
                copy_into(kept[place, 1], kept[stay, 1])
                splits[stay] = splits[place]
                bounds[stay] = bounds[place]
            stay += 1
    return stay


@kernel
def _at_least(
    left: FloatArray, right: FloatArray, other_left: FloatArray, other_right: FloatArray, mirrored: bool
) -> bool:
    """Return whether all moves cost at least as much as the other split's, as it stands or mirrored."""
    straight = True
    for row in range(left.size):
        straight = straight and left[row] >= other_left[row] and right[row] >= other_right[row]
        mirrored = mirrored and left[row] >= other_right[row] and right[row] >= other_left[row]
        if not (straight or mirrored):
            return False
    return True
