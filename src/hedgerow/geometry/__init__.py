"""What it takes to mislead a tree: the only home of the ε rule, of move costs and of budget comparisons.

A leaf is described by the questions on its path, each once, with the interval `lower < value <= upper` that is left of
its value. Moving a sample there takes two steps:

1. `kernels.change_range` says by how much each question's value must change, at least and at most (the ε rule).
2. `path_kernels.linked_cost`, or `single_cost` and `pair_cost` for one and two questions, return the least price of a
   change of *readings* that does so. They know the ranges only, so they serve thresholds and intervals of thresholds
   alike: the cost never falls when `least` rises or `most` falls. The largest cost over thresholds from t to u is that
   with u in place of the threshold on the right side (`lower`) and t on the left side (`upper`).

`kernels.geometry_of` prepares questions, prices and limits once. `reach_limit` and `affordable` say what a budget
affords. Compiled modules (`kernels`, `path_kernels`, `pairs`, `least_change`) are imported where they are used: they
import Numba.
"""

__all__ = ["affordable", "entry_from_below", "falls_short", "reach_limit", "separate"]

from hedgerow.geometry.budget import affordable, entry_from_below, falls_short, reach_limit, separate
