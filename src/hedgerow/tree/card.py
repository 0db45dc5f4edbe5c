"""Cards: several plans at one leaf, of which the reader follows the cheapest by today's readings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import finite_number, in_short, number_array
from hedgerow.errors import InputError
from hedgerow.tree.questions import Question

MOST_PLANS_PER_LEAF: Final = 100
"""Most plans that a card may list."""

_LARGEST: Final = "largest"
_PLAN_KEYS: Final = {"solution", "handicap", "coefficients"}


@dataclass(frozen=True)
class Card:
    """Several plans, of which the one with the best total is followed; of equally good ones the first.

    Attributes
    ----------
    solutions
        One row per plan.
    sums
        Per plan the sum over readings to which its handicap is added.
    handicap
        Per plan what makes its total worse: zero or more, the smallest zero. Gains are lowered by it.
    takes_largest
        Whether the largest total is the best one, as where plans bring gains.
    """

    solutions: FloatArray
    sums: tuple[Question, ...]
    handicap: FloatArray
    takes_largest: bool = False

    @classmethod
    def from_dict(cls, node: Mapping[str, Any], item_names: Sequence[str] | None = None) -> Self:
        """Return the card that `to_dict` described; a plan's coefficients are its solution's entries by default."""
        plans, take = node["plans"], node.get("take", _LARGEST)
        if set(node) - {"plans", "take"} or take != _LARGEST:
            raise InputError(f'a leaf with several plans must have "plans", and perhaps "take": "{_LARGEST}".')
        if not isinstance(plans, list) or not 1 <= len(plans) <= MOST_PLANS_PER_LEAF:
            raise InputError(f'"plans" must be a list of 1 to {MOST_PLANS_PER_LEAF} plans; got {in_short(plans)}.')
        solutions, sums, handicap = list[FloatArray](), list[Question](), list[float]()
        for plan in plans:
            if not isinstance(plan, Mapping) or not {"solution"} <= set(plan) <= _PLAN_KEYS:
                raise InputError(
                    f'a plan must have "solution", and perhaps "handicap" and "coefficients"; got {in_short(plan)}.'
                )
            solutions.append(solution_vector(plan["solution"]))
            handicap.append(finite_number(plan.get("handicap", 0.0), "a handicap must be a finite number"))
            given = plan.get("coefficients", dict(enumerate(solutions[-1].tolist())))
            sums.append(Question.total(given, item_names))
        if len({solution.size for solution in solutions}) > 1:
            raise InputError("the plans at a leaf must have equally many entries.")
        return cls(np.array(solutions), tuple(sums), np.array(handicap), "take" in node)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        plans = []
        for solution, total, handicap in zip(self.solutions.tolist(), self.sums, self.handicap.tolist(), strict=True):
            plan = {"solution": solution, "handicap": handicap}
            if total != Question.total(dict(enumerate(solution))):
                plan["coefficients"] = total.to_dict()["coefficients"]
            plans.append(plan)
        return {"plans": plans, **({"take": _LARGEST} if self.takes_largest else {})}


def difference(one: Question, other: Question) -> Question:
    """Return one sum less another; terms that cancel out are gone."""
    terms = dict(zip(one.items, one.coefficients, strict=True))
    for item, value in zip(other.items, other.coefficients, strict=True):
        terms[item] = terms.get(item, 0.0) - value
    return Question.total(terms)


def solution_vector(solution: Any) -> FloatArray:
    """Return a solution as a vector, or raise `InputError`."""
    vector = number_array(solution, "a leaf's solution")
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise InputError(f"a leaf's solution must be a list of finite numbers; got {in_short(solution)}.")
    return vector
