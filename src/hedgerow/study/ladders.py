"""The ladder: what knowing everything, a few solutions, a tree, and one solution cost, and so what a tree is worth."""

__all__ = ["Ladder", "Rung", "ladder"]

import math
from dataclasses import dataclass
from typing import Any

from hedgerow.adversary import worst_case
from hedgerow.engine.bounds import clairvoyant_losses, k_solutions_bound, listed_losses, spread_out
from hedgerow.instance import Instance
from hedgerow.methods import solve
from hedgerow.methods.start import most_leaves
from hedgerow.problem import Problem
from hedgerow.run import Deadline, Options, Result
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal, Uncertainty
from hedgerow.wording.numbers import percentage

_SHARE_FOR_BOUNDS = 0.2
_SAME = 1e-6


@dataclass(frozen=True)
class Rung:
    """One step of the ladder: the sum over the samples, in the problem's own sign.

    Attributes
    ----------
    value
        The best that was found; NaN where there is only a bound.
    bound
        Nothing of this kind is better than that.
    """

    value: float
    bound: float

    @property
    def proven(self) -> bool:
        """Whether value and bound agree."""
        return abs(self.value - self.bound) <= _SAME * max(1.0, abs(self.value))

    def __str__(self) -> str:
        if math.isnan(self.value):
            return f"at best {self.bound:.8g}"
        return f"{self.value:.8g}" + ("" if self.proven else f"  (at best {self.bound:.8g})")


@dataclass(frozen=True, eq=False)
class Ladder:
    """What the samples cost in sum, from knowing everything to asking nothing.

    For a problem that minimises, clairvoyant ≤ K solutions ≤ nominal tree ≤ one solution when nothing is misread, and
    robust tree ≤ one solution in the worst case; for one that maximises it is the other way round.

    Attributes
    ----------
    clairvoyant
        Every sample is served by its own optimum.
    k_solutions
        As many solutions as the tree may have leaves, every sample served by the best of them.
    nominal_tree
        The best tree found for readings that are always right.
    one_solution
        One solution for all samples; nothing can mislead it, so this is its worst case, too.
    robust_tree
        The best tree found for the worst case: its worst-case cost.
    robust_tree_nominal, nominal_tree_robust
        What the robust tree costs if nothing is misread, and the nominal tree in the worst case.
    n_solutions
        K: the number of solutions, or leaves.
    nominal, robust
        The two trees.
    unit
        Unit of the costs.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, ladder
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> steps = ladder(problem, costs, depth=2, uncertainty=GlobalBudget(5.0), random_state=0)
    >>> steps.clairvoyant.value, steps.nominal_tree.value, steps.one_solution.value, steps.robust_tree.value
    (36.0, 36.0, 57.0, 43.0)
    >>> steps.price_of_interpretability, steps.price_of_robustness
    (0.0, 0.0)
    """

    clairvoyant: Rung
    k_solutions: Rung
    nominal_tree: Rung
    one_solution: Rung
    robust_tree: Rung
    robust_tree_nominal: float
    nominal_tree_robust: float
    n_solutions: int
    nominal: Tree
    robust: Tree
    unit: str = ""

    @property
    def price_of_interpretability(self) -> float:
        """What the nominal tree costs more than knowing everything, as a share of the latter's size.

        If the clairvoyant's cost is only bounded, this is at most that much.
        """
        return _more(self.nominal_tree.value, self.clairvoyant.bound)

    @property
    def price_of_robustness(self) -> float:
        """What the robust tree costs more than the nominal one if nothing is misread, as a share of the latter's."""
        return _more(self.robust_tree_nominal, self.nominal_tree.value)

    def to_text(self) -> str:
        """Return the ladder as a table for a terminal; "at best" marks what is only bounded."""
        lines = [
            f"nothing is misread{f' (sums in {self.unit})' if self.unit else ''}",
            f"  clairvoyant             {self.clairvoyant}",
            f"{f'  {self.n_solutions} solutions, no tree':<26}{self.k_solutions}",
            f"  nominal tree            {self.nominal_tree}",
            f"  one solution            {self.one_solution}",
            "worst case",
            f"  robust tree             {self.robust_tree}",
            f"  one solution            {self.one_solution}",
            f"price of interpretability {_percent(self.price_of_interpretability, not self.clairvoyant.proven)}",
            f"price of robustness       {_percent(self.price_of_robustness, False)}",
        ]
        return "\n".join(lines)


def ladder(
    problem: Problem,
    costs: Any,
    *,
    depth: int = 2,
    uncertainty: Uncertainty | None = None,
    context: Any = None,
    sample_weight: Any = None,
    options: Options | None = None,
    random_state: int | None = None,
    **changes: Any,
) -> Ladder:
    """Return what the samples cost with all knowledge, some solutions, a tree, and one solution.

    Parameters
    ----------
    problem, costs, depth, uncertainty, context, sample_weight
        As for `RobustTree`.
    options, random_state, **changes
        How both trees are fitted, as for `solve`. The time limit covers everything: a fifth of it is for the bounds,
        the rest for the two trees.

    Examples
    --------
    >>> from hedgerow import LocalBudget, ladder
    >>> from hedgerow.problems import Selection
    >>> history = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    >>> print(ladder(Selection(2, 1), history, depth=1, uncertainty=LocalBudget(0.5), random_state=0).to_text())
    nothing is misread
      clairvoyant             5.5
      2 solutions, no tree    5.5
      nominal tree            5.5
      one solution            7.5
    worst case
      robust tree             5.5
      one solution            7.5
    price of interpretability 0 %
    price of robustness       0 %
    """
    instance = Instance.create(
        problem, costs, context=context, weights=sample_weight, uncertainty=uncertainty, depth=depth
    )
    options = (Options() if options is None else options).replace(**changes)
    limit = options.time_limit
    as_read = instance.under(Nominal())
    each = options.replace(time_limit=None if limit is None else (1.0 - _SHARE_FOR_BOUNDS) / 2.0 * limit)
    robust, nominal = (solve(data, each, random_state=random_state) for data in (instance, as_read))
    single = problem.best_solution(instance.costs, instance.weights, time_limit=limit)
    deadline = Deadline(None if limit is None else _SHARE_FOR_BOUNDS * limit)
    count = most_leaves(instance, options)
    loss = listed_losses(instance)
    own = clairvoyant_losses(instance, deadline) if loss is None else loss.min(axis=1)
    alone = instance.sign * float(own.sum())
    clairvoyant = Rung(alone if loss is not None or not deadline.passed() else math.nan, alone)
    least = alone if loss is None else instance.sign * k_solutions_bound(loss, count, deadline)
    nominal_tree = min((nominal.tree, robust.tree), key=lambda tree: instance.sign * _nominal(tree, as_read))
    # The best of some solutions: those of a tree, and those that a greedy choice spreads out.
    tables = [instance.losses(nominal_tree.solutions), *([] if loss is None else [loss[:, spread_out(loss, count)]])]
    served = min(float(table.min(axis=1).sum()) for table in tables)
    return Ladder(
        clairvoyant=clairvoyant,
        k_solutions=Rung(instance.sign * served, least),
        nominal_tree=Rung(_nominal(nominal_tree, as_read), _better_bound(nominal, least, instance.sign)),
        one_solution=Rung(single.value, single.bound),
        robust_tree=Rung(robust.objective, _better_bound(robust, least, instance.sign)),
        robust_tree_nominal=_nominal(robust.tree, as_read),
        nominal_tree_robust=worst_case(nominal_tree, instance).bound,
        n_solutions=count,
        nominal=nominal_tree,
        robust=robust.tree,
        unit=problem.unit,
    )


def _nominal(tree: Tree, as_read: Instance) -> float:
    return worst_case(tree, as_read).value


def _better_bound(result: Result, least: float, sign: float) -> float:
    return float(sign * max(sign * result.lower_bound, sign * least))


def _more(value: float, reference: float) -> float:
    """Return by how much a value differs from a better one, as a share of the latter's size."""
    return float(abs(value - reference) / max(abs(reference), 1e-9))


def _percent(share: float, is_bound: bool) -> str:
    return f"{'at most ' if is_bound else ''}{percentage(share)}"
