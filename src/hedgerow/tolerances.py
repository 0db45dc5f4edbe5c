"""Every tolerance has a name, and this is their home."""

from typing import Final

BUDGET: Final = 1e-9
"""A move is affordable if its cost exceeds the budget by no more than this share; see `hedgerow.geometry.budget`."""

FEASIBILITY: Final = 1e-6
"""How far a solution's values may lie off integrality, bounds and rows."""

ROUNDED_FEASIBILITY: Final = 10 * FEASIBILITY
"""How far rows may give way once a solver's integer values were rounded: each of them moves every row it is in."""

OPTIMALITY_GAP: Final = 1e-6
"""A relative gap at most this large counts as proof of optimality."""

VALUE: Final = 1e-9
"""Two objective values closer than this, relative to their size, count as equal."""

SOLVED_VALUE: Final = 10 * VALUE
"""A solver's bound may lie below the value that it proves by this share of the losses that are added up."""

SAME_TANGENT: Final = 1e-12
"""A convex function this close to its tangents, relative to its size, has its lowest point where they meet."""

KNAPSACK_MARGIN: Final = VALUE / 4
"""What promises no more than this beyond a knapsack's best value, relative to its size, is not followed.

Rounding of equal gains may lose as much again, and both stay below the tolerance for equal values.
"""

ROUNDING: Final = 2.0**-52
"""The relative error of one sum or product, doubled."""

ROUNDED_SUM: Final = 1e-12
"""The relative error of a sum of a few numbers."""

GRID_NOISE: Final = 1e-7
"""How far off a decimal grid, in steps, a number may lie that was computed from numbers on it."""

PARALLEL: Final = 1e-12
"""Two directions whose cross product is this small, relative to their size, are parallel."""

PIVOT: Final = 1e-11
"""The smallest entry that the simplex method divides by."""

PIVOT_FEASIBILITY: Final = 1e-12
"""How far a row of the simplex method may lie outside its bounds, relative to the largest of them."""

PRICE_PERTURBATION: Final = 1e-13
"""By how much prices are changed, relative to them and to their places, so that no two bases are equally good."""
