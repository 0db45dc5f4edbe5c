"""Problem, samples, uncertainty and depth together: checked once at the door, then frozen."""

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypeAlias, get_args

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import finite_vector, in_short, integer_between, list_some, unique_names
from hedgerow.data.context import context_features, context_frame, context_matrix
from hedgerow.data.gaps import FillIns
from hedgerow.data.table import column_names, number_columns, number_matrix
from hedgerow.errors import InputError
from hedgerow.tree.question_kinds import QuestionSpec, asked_questions, good_plans
from hedgerow.tree.questions import Feature, Question, values_of
from hedgerow.tree.splits import Splits, ThresholdSet, candidate_splits
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal, Uncertainty, checked_uncertainty

if TYPE_CHECKING:
    from hedgerow.problems import Problem

LearnFrom: TypeAlias = Literal["truth", "readings", "resampled"]
"""What a fit with readings learns from: the truth, the readings, or the truth with errors drawn from the pairs."""

LEARN_FROM: Final[tuple[LearnFrom, ...]] = get_args(LearnFrom)

_MOST_DRAWS: Final = 10
_FEWEST_DRAWS: Final = 2
_ENOUGH_ROWS: Final = 1000


def check_learn_from(learn_from: Any, *, has_readings: bool) -> None:
    """Raise `InputError` if this is no known way to learn, or needs readings that are not there."""
    if learn_from not in LEARN_FROM:
        allowed = ", ".join(f'"{name}"' for name in LEARN_FROM)
        raise InputError(f"learn_from must be one of {allowed}; got {in_short(learn_from)}.")
    if learn_from != "truth" and not has_readings:
        raise InputError(f'learn_from="{learn_from}" needs readings: fit(costs, readings=…).')


def learned(
    truth: FloatArray, readings: FloatArray, learn_from: LearnFrom, rng: np.random.Generator
) -> tuple[FloatArray, int]:
    """Return what a tree is shown, and how many rows of it stand for each sample.

    With "resampled" each row of the truth comes several times, one after the other, each time with the error of a pair
    that is drawn at random: readings that could have been.

    >>> truth, readings = np.array([[1.0], [2.0]]), np.array([[1.5], [2.5]])
    >>> shown, draws = learned(truth, readings, "resampled", np.random.default_rng(0))
    >>> draws, shown[0], shown[-1]
    (10, array([1.5]), array([2.5]))
    """
    if learn_from == "truth":
        return truth, 1
    if learn_from == "readings":
        return readings, 1
    draws = max(_FEWEST_DRAWS, min(_MOST_DRAWS, _ENOUGH_ROWS // len(truth)))
    errors = (readings - truth)[rng.integers(len(truth), size=draws * len(truth))]
    return np.repeat(truth, draws, axis=0) + errors, draws


MAX_DEPTH = 10
"""Deepest tree that can be asked for."""

_PLANS_COMPARED: Final = 4
"""So many good plans are compared where the values of a category are sorted by what plans cost."""


@dataclass(frozen=True, eq=False)
class Instance:
    """What a method gets: everything checked, every array read-only, budgets absolute.

    Costs live in the problem's space, splits and perturbations in the observations'. Build one with `create`.

    Attributes
    ----------
    problem
        What may be decided.
    costs
        True costs, N × items: `c_j` in the paper.
    observations
        What is observed, N × features: the costs or readings of them, then the features of context.
    weights
        Per sample how much its cost counts.
    uncertainty
        The uncertainty set with absolute budget and prices.
    depth
        Largest depth of the tree.
    feature_names
        Names of the observed features.
    questions
        What a tree may ask: candidate questions about the observations; each of them on its own unless given.
    asks
        The kinds of questions as they were asked for, such as "plans:8" or "items,levels"; empty for questions of one's
        own.
    context
        The features of context: the last columns of the observations.
    draws
        How many of these samples stand for each row of the data, with readings drawn at random; 1 if none were drawn.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget
    >>> from hedgerow.problems import Selection
    >>> instance = Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]], uncertainty=LocalBudget(fraction=0.1))
    >>> instance.n_samples, instance.uncertainty
    (2, LocalBudget(0.6000000000000001))
    """

    problem: "Problem"
    costs: FloatArray
    observations: FloatArray
    weights: FloatArray
    uncertainty: Uncertainty
    depth: int
    feature_names: tuple[str, ...]
    questions: tuple[Question, ...]
    context: tuple[Feature, ...] = ()
    draws: int = 1
    asks: str = "items"

    @classmethod
    def create(
        cls,
        problem: "Problem",
        costs: Any,
        *,
        readings: Any = None,
        context: Any = None,
        weights: Any = None,
        uncertainty: Uncertainty | None = None,
        depth: int = 2,
        learn_from: LearnFrom = "truth",
        rng: np.random.Generator | None = None,
        questions: QuestionSpec | None = None,
        features: Sequence[Feature] | None = None,
        observed: Any = None,
    ) -> Self:
        """Check everything once and return the instance.

        Parameters
        ----------
        problem
            What may be decided.
        costs
            N × items: an array, or a DataFrame whose columns are matched to the items by name.
        readings, learn_from
            What was read in place of the costs, and what is learnt from then; as for `RobustTree`.
        context
            What else is known, N × columns: numbers, flags, categories or dates. Without readings trees ask about
            context only.
        weights
            One non-negative number per sample; all 1 if left out. Rows of weight zero are left out.
        uncertainty
            How wrong observations may be; not at all if left out. A fraction is turned into an absolute budget here.
        depth
            Largest depth of the tree, from 0.
        rng
            Draws the errors of "resampled".
        questions
            What a tree may ask: single readings and context if left out; what `RobustTree` takes, or a list of
            `Question`.
        features
            What is asked about context, where a fit has settled that; found in the context if left out.
        observed
            What is observed in place of the costs, N × features: numbers that may all be misread. For experiments with
            the method; models take readings and context.
        """
        _check_problem(problem, costs)
        check_learn_from(learn_from, has_readings=readings is not None)
        depth = integer_between(depth, "depth", 0, MAX_DEPTH)
        problem = problem.named_after(number_columns(costs))
        cost_matrix = number_matrix(costs, problem.item_names, "costs", kind="items")
        problem.check_samples(cost_matrix)
        n_given = len(cost_matrix)
        read = None
        if readings is not None:
            names = problem.item_names
            read = number_matrix(readings, names, "readings", kind="items", gaps=True, n_rows=n_given)
        frame = None if context is None else context_frame(context, n_given)
        weight = _checked_weights(weights, n_given)
        counts = weight > 0.0
        if not counts.all():
            # Rows that don't count are as if they were not there: in N, ranges, thresholds and budgets per sample.
            cost_matrix, weight = cost_matrix[counts], weight[counts]
            read = None if read is None else read[counts]
            frame = None if frame is None else frame[counts]
            if uncertainty is not None:
                uncertainty = checked_uncertainty(uncertainty).of_samples(np.flatnonzero(counts), n_given)
        shown, draws = cost_matrix, 1
        if read is not None:
            if np.isnan(read).any():
                read = FillIns.of(problem.item_names, read, weight).filled(read)
            shown, draws = learned(cost_matrix, read, learn_from, np.random.default_rng(rng))
        names = _feature_names(problem, (), has_readings=True)
        if observed is not None:
            shown = number_matrix(observed, None, "observations", n_rows=n_given)[counts]
            columns = column_names(observed) or [f"feature {place}" for place in range(shown.shape[1])]
            names = unique_names(columns, "feature names")
        elif frame is not None:
            if features is None:
                features = context_features(frame, lambda: _plan_differences(problem, cost_matrix, weight))
            known = np.repeat(context_matrix(features, frame), draws, axis=0)
            shown = known if read is None else np.hstack([shown, known])
            names = _feature_names(problem, features, has_readings=read is not None)
        if draws > 1:
            cost_matrix, weight = np.repeat(cost_matrix, draws, axis=0), np.repeat(weight / draws, draws)
        cost_matrix, is_shown = frozen(cost_matrix), shown is cost_matrix
        unbound = cls(
            problem=problem,
            costs=cost_matrix,
            observations=cost_matrix if is_shown else frozen(shown),
            weights=frozen(weight),
            uncertainty=Nominal(),
            depth=depth,
            feature_names=names,
            questions=(),
            context=tuple(features or ()) if frame is not None else (),
            draws=draws,
        )
        asking = unbound.asking("items" if questions is None else questions)
        return asking.under(Nominal() if uncertainty is None else uncertainty, depth)

    def asking(self, questions: QuestionSpec, seconds_left: Callable[[], float] = lambda: math.inf) -> Self:
        """Return the same data for trees that may ask other questions; see `create`.

        Plans to compare are looked for while `seconds_left` returns more than 0.
        """
        found = asked_questions(questions, self, seconds_left)
        kinds = [questions] if isinstance(questions, str) else questions
        named = not isinstance(kinds, Mapping) and all(isinstance(kind, str) for kind in kinds)
        return dataclasses.replace(self, questions=found, asks=",".join(kinds) if named else "")

    def under(self, uncertainty: Uncertainty, depth: int | None = None) -> Self:
        """Return the same data under another uncertainty set, and for another depth if one is given."""
        depth = self.depth if depth is None else depth
        bound = checked_uncertainty(uncertainty).bind(
            self.observations, depth, names=self.feature_names, context=self.context
        )
        return dataclasses.replace(self, uncertainty=bound, depth=depth)

    @property
    def n_samples(self) -> int:
        """N: number of samples."""
        return int(self.costs.shape[0])

    @property
    def n_features(self) -> int:
        """Number of observed features."""
        return int(self.observations.shape[1])

    @property
    def n_readings(self) -> int:
        """Number of readings among the features; they come first."""
        return self.n_features - len(self.context)

    @property
    def observes_costs(self) -> bool:
        """Whether readings of the costs are observed, or the costs themselves."""
        return self.n_readings > 0 and self.feature_names[: self.n_readings] == tuple(self.problem.item_names)

    @cached_property
    def question_values(self) -> FloatArray:
        """Values of the questions, N × questions; the observations themselves where each is a question."""
        return values_of(self.questions, self.observations)

    def splits(self, thresholds: ThresholdSet | None = None) -> Splits:
        """Return the candidate splits: a threshold in each gap between values of a question, or a grid of them."""
        if thresholds in (None, "midpoints", "continuous"):
            return self._midpoints
        return candidate_splits(self.question_values, thresholds, self.questions)

    @cached_property
    def _midpoints(self) -> Splits:
        return candidate_splits(self.question_values, "midpoints", self.questions)

    @property
    def reading_unit(self) -> str:
        """Unit of what is observed: the problem's for readings; unknown for other features than the costs."""
        unit = self.problem.reading_unit
        return unit if self.observes_costs or unit != self.problem.unit else ""

    @property
    def total_weight(self) -> float:
        """What means divide by: the weights' sum."""
        return float(self.weights.sum())

    @cached_property
    def sign(self) -> float:
        """+1 for a problem that minimises, −1 for one that maximises."""
        return self.problem.sign

    def narrowed(self, *trees: Tree) -> tuple[Self, list[Tree]]:
        """Return the data with only those features of context that some trees ask about, and the trees for it."""
        asked = {int(item) for tree in trees for item in tree.asked_items}
        chosen = [place for place in range(self.n_features) if place < self.n_readings or place in asked] or [0]
        place_of = {place: number for number, place in enumerate(chosen)}

        def moved(questions: Iterable[Question]) -> tuple[Question, ...]:
            return tuple(
                dataclasses.replace(each, items=tuple(place_of[item] for item in each.items))
                for each in questions
                if place_of.keys() >= {*each.items}
            )

        data = dataclasses.replace(
            self,
            observations=frozen(self.observations[:, chosen]),
            uncertainty=self.uncertainty.of_features(chosen),
            feature_names=tuple(self.feature_names[place] for place in chosen),
            questions=moved(self.questions),
            context=tuple(self.context[place - self.n_readings] for place in chosen if place >= self.n_readings),
        )
        return data, [tree.replace(questions=moved(tree.questions), sums=moved(tree.sums)) for tree in trees]

    def losses(self, solutions: FloatArray) -> FloatArray:
        """Return what each solution (column) costs on each sample (row), weighted, and always to be minimised.

        Methods and the adversary work on losses; a loss times `sign` is what users see.
        """
        return self.sign * self.weights[:, None] * self.problem.costs(solutions, self.costs)

    def check_shape(self, tree: Tree) -> None:
        """Raise `InputError` if the tree asks about features that aren't there, or its solutions have another size."""
        last = int(tree.asked_items.max(initial=-1))
        if last >= self.n_features:
            raise InputError(f"the tree asks about item {last}, but there are only {self.n_features}, counted from 0.")
        self._check_size(tree)

    def _check_size(self, tree: Tree) -> None:
        n_variables = len(self.problem.variable_names)
        if tree.solutions.shape[1] != n_variables:
            raise InputError(
                f"the tree's solutions have {tree.solutions.shape[1]} entries, the problem's {n_variables}."
            )

    def check_solutions(self, tree: Tree) -> None:
        """Raise `InputError` if the tree holds a solution that is infeasible, or of another size."""
        self._check_size(tree)
        for leaf, solution in zip(tree.leaf_of.tolist(), tree.solutions, strict=True):
            reason = self.problem.infeasibility(solution)
            if reason is not None:
                raise InputError(f"the solution at leaf {leaf} is not feasible: {reason}.")


def _check_problem(problem: Any, costs: Any) -> None:
    from hedgerow.problems import Problem  # with SciPy, which the help of the command line needs not

    if column_names(problem) is not None or isinstance(problem, np.ndarray | list):
        raise InputError(
            f"the problem comes first, then its costs, as in RobustTree(problem).fit(costs); got {in_short(problem)}."
        )
    if isinstance(costs, Problem):
        raise InputError(f"costs must be a table, as in RobustTree(problem).fit(costs); got {in_short(costs)}.")
    if isinstance(problem, type):
        name = problem.__name__
        raise InputError(f"problem must be an object, not a class; got {name}. Did you mean {name}(…)?")
    if any(hasattr(problem, writer) for writer in ("writeMPS", "to_file", "write")):
        raise InputError(
            f"problem must be one of hedgerow.problems; got a model, {in_short(problem)}. "
            "MixedIntegerProblem.from_model(model, items=…) turns it into one."
        )
    if not isinstance(problem, Problem):
        raise InputError(
            f"problem must be one of hedgerow.problems, or of a class that extends Problem; got {in_short(problem)}."
        )


def _feature_names(problem: "Problem", features: Sequence[Feature], *, has_readings: bool) -> tuple[str, ...]:
    """Return the names of the features: readings, then context."""
    readings = tuple(problem.item_names) if has_readings else ()
    names = {feature.column.name for feature in features} & {*readings}
    if names:
        raise InputError(f"readings and context must have different names; both have {list_some(sorted(names))}.")
    if not readings and not features:
        raise InputError("context must have a column of numbers, or one whose texts differ; got none.")
    return readings + tuple(feature.name for feature in features)


def _plan_differences(problem: "Problem", costs: FloatArray, weights: FloatArray) -> FloatArray:
    """Return per sample what one good plan costs less another, for each pair of a few.

    Values of a category for which the same plan is better belong together.
    """
    plans = good_plans(problem, costs, weights, _PLANS_COMPARED)
    plan_costs = problem.costs(plans, costs)
    pairs = list(combinations(range(len(plans)), 2))
    return np.stack([plan_costs[:, one] - plan_costs[:, two] for one, two in pairs], axis=1) if pairs else costs[:, :0]


def _checked_weights(weights: Any, n_samples: int) -> FloatArray:
    if weights is None:
        return np.ones(n_samples)
    vector = finite_vector(weights, "weights", length=n_samples, per="samples")
    if (vector < 0.0).any():
        sample = int(np.argmax(vector < 0.0))
        raise InputError(f"weights must be zero or more; got {vector[sample]} for sample {sample}, counted from 0.")
    if not vector.any():
        raise InputError("weights must not all be zero.")
    return vector
