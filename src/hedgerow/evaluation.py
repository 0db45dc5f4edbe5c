"""What a tree costs on given data: as read, and under the worst misreading."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from hedgerow.adversary import Attack, worst_case
from hedgerow.data.display import Shown
from hedgerow.data.table import column_names, number_matrix
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal, Uncertainty
from hedgerow.wording.numbers import amount, percentage

if TYPE_CHECKING:
    from hedgerow.problems import Problem


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Shown):
    """Nominal and worst-case cost of a tree, in the problem's own sign.

    Attributes
    ----------
    nominal, robust
        Sums of weighted costs over the samples: as read, and under the worst attack. Should the worst attack not be
        proven (`attack.exact`), `robust` is the bound that no attack exceeds.
    n_samples
        Number of samples.
    total_weight
        Sum of the samples' weights, which the means divide by.
    attack
        The worst attack.
    missing
        The share of readings that were left out at random, and filled in as the rules say.
    lost
        How much worse than with all readings the advice is as read, summed over the samples.

    Examples
    --------
    >>> from hedgerow import LocalBudget, Tree, evaluate
    >>> from hedgerow.problems import Selection
    >>> result = evaluate(Tree.single([1, 0]), Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]], LocalBudget(0.5))
    >>> result.nominal, result.robust, result.robust_mean, result.attack.moved.tolist()
    (5.0, 5.0, 2.5, [])
    >>> result.summary
    '2.5 per sample as read, 2.5 in the worst case.'
    """

    nominal: float
    robust: float
    n_samples: int
    total_weight: float
    attack: Attack
    missing: float = 0.0
    lost: float = 0.0

    def __repr__(self) -> str:
        moved = int(self.attack.moved.size)
        values = f"nominal={self.nominal:.6g}, robust={self.robust:.6g}"
        return f"Evaluation({values}, n_samples={self.n_samples}, moved={moved})"

    @property
    def summary(self) -> str:
        """What the tree costs per sample, as read and in the worst case, in a sentence."""
        unit = self.attack.instance.problem.unit
        nominal, robust = (amount(mean, unit) for mean in (self.nominal_mean, self.robust_mean))
        sentence = f"{nominal} per sample as read, {robust} in the worst case."
        if not self.missing:
            return sentence
        lost = amount(self.lost / self.total_weight, unit)
        return f"{sentence} With {percentage(self.missing)} of the readings missing, that is {lost} worse as read."

    @property
    def nominal_mean(self) -> float:
        """Nominal cost per unit of weight; per sample where all weights are 1."""
        return self.nominal / self.total_weight

    @property
    def robust_mean(self) -> float:
        """Worst-case cost per unit of weight; per sample where all weights are 1."""
        return self.robust / self.total_weight


@runtime_checkable
class Evaluates(Protocol):
    """A fitted model or a rule book: what knows its own problem, names and uncertainty set."""

    def evaluate(self, costs: Any, uncertainty: Uncertainty | None = None, **options: Any) -> Evaluation:
        """Return what the advice costs on these samples."""


def evaluate(tree: Any, problem: Any, costs: Any = None, uncertainty: Any = None, **options: Any) -> Evaluation:
    """Return what a tree costs on these samples, as read and under the worst misreading within the uncertainty set.

    `evaluate(tree, problem, costs, uncertainty)` takes a bare tree. `evaluate(model, costs)` or
    `evaluate(rules, costs)` takes a fitted model or a rule book, which know problem, names and uncertainty set; another
    set may follow.

    Parameters
    ----------
    tree
        The tree, or a fitted `RobustTree` or `RuleBook`.
    problem
        The problem that the tree's solutions belong to; left out for a model or a rule book.
    costs
        True costs, N × items.
    uncertainty
        The uncertainty set. For a bare tree none if left out, and a fraction refers to these samples and the tree's
        depth. For a model or a rule book the set that it was fitted for, and a fraction refers to its training data.
    readings
        What was read in place of the costs, N × items.
    context
        For trees that ask about context: its rows, N × columns. For a bare tree whose items are no costs: the columns
        that its items stand for, all of which may be misread.
    sample_weight
        One non-negative number per sample.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, RobustTree, Tree, evaluate
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> tree = Tree.from_dict(
    ...     {"item": 0, "threshold": 5.0, "left": {"solution": [1, 1, 0, 0]}, "right": {"solution": [0, 0, 1, 1]}}
    ... )
    >>> result = evaluate(tree, problem, costs, GlobalBudget(5.0))
    >>> result.nominal, result.robust, result.nominal_mean
    (36.0, 50.0, 7.2)
    >>> model = RobustTree(problem, uncertainty=GlobalBudget(5.0), random_state=0).fit(costs)
    >>> evaluate(model, costs).robust
    43.0
    """
    if not isinstance(tree, Tree) and isinstance(tree, Evaluates):
        return tree.evaluate(problem, costs if uncertainty is None else uncertainty, **options)
    chosen = Nominal() if uncertainty is None else uncertainty
    return evaluation_of(tree, _instance(tree, problem, costs, **options), chosen)


def _instance(
    tree: Tree, problem: "Problem", costs: Any, readings: Any = None, context: Any = None, sample_weight: Any = None
) -> Instance:
    """Return the rows as an instance that the tree can be evaluated on."""
    if not isinstance(tree, Tree):
        raise InputError(f"tree must be a hedgerow.Tree, a fitted model or a rule book; got {type(tree).__name__}.")
    shown: dict[str, Any] = {}
    if tree.context:
        after_readings = min(question.items[0] for question in tree.questions if question.about is not None) > 0
        readings = costs if after_readings and readings is None else readings
        shown = {"context": context, "features": tree.context}
    elif context is not None:
        # Such a tree has no names of its own: the columns of a table can only be those of the problem's items.
        names = None if column_names(context) is None else problem.item_names
        shown = {"observed": number_matrix(context, names, "context")}
    if readings is not None:
        shown |= {"readings": readings, "learn_from": "readings"}
    return Instance.create(problem, costs, weights=sample_weight, depth=0, **shown)


def evaluation_of(tree: Tree, data: Instance, uncertainty: Uncertainty) -> Evaluation:
    """Return the tree's evaluation on checked data under an uncertainty set."""
    data.check_solutions(tree)
    instance = data.under(uncertainty, tree.depth)
    attack = worst_case(tree, instance)
    nominal = float(attack.nominal_cost.sum())
    return Evaluation(nominal, attack.bound, instance.n_samples, instance.total_weight, attack)
