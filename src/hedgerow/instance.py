"""Problem, samples, uncertainty and depth together: checked once at the door, then frozen."""

__all__ = ["MAX_DEPTH", "Instance"]

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import finite_vector, in_short, integer_between, list_some, unique_names
from hedgerow.data.columns import column_names
from hedgerow.data.readings import LearnFrom, check_learn_from, checked_readings, learned, shown_to_tree
from hedgerow.data.table import number_columns, number_matrix
from hedgerow.errors import InputError
from hedgerow.problem import Problem, named_after, sign_of
from hedgerow.tree.question_kinds import QuestionSpec, asked_questions
from hedgerow.tree.questions import Question, item_questions, values_of
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal, Uncertainty, checked_uncertainty

MAX_DEPTH = 10
"""Deepest tree that can be asked for."""


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
        What is observed, N × features; the costs themselves unless given.
    weights
        Per sample how much its cost counts.
    uncertainty
        The uncertainty set with absolute budget and prices.
    depth
        Largest depth of the tree.
    feature_names
        Names of the observed features.
    observes_costs
        Whether what is observed are the costs, or readings of them.
    questions
        What a tree may ask: candidate questions about the observations; each of them on its own unless given.
    asks
        The kinds of questions as they were asked for, such as "plans:8" or "items,levels"; empty for questions of one's
        own.
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

    problem: Problem
    costs: FloatArray
    observations: FloatArray
    weights: FloatArray
    uncertainty: Uncertainty
    depth: int
    feature_names: tuple[str, ...]
    questions: tuple[Question, ...]
    observes_costs: bool = True
    draws: int = 1
    asks: str = "items"

    @classmethod
    def create(
        cls,
        problem: Problem,
        costs: Any,
        *,
        context: Any = None,
        weights: Any = None,
        uncertainty: Uncertainty | None = None,
        depth: int = 2,
        feature_names: Sequence[str] | None = None,
        readings: Any = None,
        learn_from: LearnFrom = "truth",
        rng: np.random.Generator | None = None,
        questions: QuestionSpec | None = None,
    ) -> Self:
        """Check everything once and return the instance.

        Parameters
        ----------
        problem
            What may be decided.
        costs
            N × items: an array, or a DataFrame whose columns are matched to the items by name.
        context
            What trees ask about in place of the costs, N × columns.
        weights
            One non-negative number per sample; all 1 if left out. Rows of weight zero are left out.
        uncertainty
            How wrong observations may be; not at all if left out. A fraction is turned into an absolute budget here.
        depth
            Largest depth of the tree, from 0.
        feature_names
            Names of the features; a DataFrame's columns or the items' names if left out.
        readings, learn_from
            What was read in place of the costs, and what is learnt from then; as for `RobustTree`.
        rng
            Draws the errors of "resampled".
        questions
            What a tree may ask: single readings if left out; what `RobustTree` takes, or a list of `Question`.
        """
        _check_problem(problem)
        check_learn_from(learn_from, has_readings=readings is not None)
        shown_to_tree(readings, context)
        depth = integer_between(depth, "depth", 0, MAX_DEPTH)
        problem = named_after(problem, number_columns(costs))
        item_names = problem.item_names
        cost_matrix = number_matrix(costs, item_names, "costs", kind="items")
        problem.check_samples(cost_matrix)
        n_samples = cost_matrix.shape[0]
        cost_matrix = observed = frozen(cost_matrix)
        names = item_names
        if context is not None:
            observed, names = _checked_context(context, feature_names, n_samples)
        elif feature_names is not None:
            names = unique_names(feature_names, "feature names", length=observed.shape[1])
        weight = _checked_weights(weights, n_samples)
        read = None if readings is None else checked_readings(readings, observed, names)
        counts = weight > 0.0
        if not counts.all():
            # Rows that don't count are as if they were not there: in N, ranges, thresholds and budgets per sample.
            observes_itself = observed is cost_matrix
            cost_matrix, weight = frozen(cost_matrix[counts]), weight[counts]
            observed = cost_matrix if observes_itself else frozen(observed[counts])
            read = None if read is None else read[counts]
            if uncertainty is not None:
                uncertainty = checked_uncertainty(uncertainty).of_samples(np.flatnonzero(counts), n_samples)
        draws = 1
        if read is not None:
            shown, draws = learned(observed, read, learn_from, np.random.default_rng(rng))
            if draws > 1:
                cost_matrix = frozen(np.repeat(cost_matrix, draws, axis=0))
                weight = np.repeat(weight / draws, draws)
            observed = observed if shown is observed else frozen(shown)
        unbound = cls(
            problem=problem,
            costs=cost_matrix,
            observations=observed,
            weights=frozen(weight),
            uncertainty=Nominal(),
            depth=depth,
            feature_names=names,
            observes_costs=context is None,
            questions=item_questions(observed.shape[1]),
            draws=draws,
        )
        asking = unbound if questions is None else unbound.asking(questions)
        return asking.under(Nominal() if uncertainty is None else uncertainty, depth)

    def asking(self, questions: QuestionSpec, seconds_left: Callable[[], float] = lambda: math.inf) -> Self:
        """Return the same data for trees that may ask other questions; see `create`.

        Plans to compare are looked for while `seconds_left` returns more than 0.
        """
        observed = self.problem.item_names == self.feature_names or self.observes_costs
        found = asked_questions(
            questions,
            self.problem,
            self.costs,
            self.weights,
            self.feature_names,
            self.depth,
            of_costs=observed,
            seconds_left=seconds_left,
        )
        kinds = [questions] if isinstance(questions, str) else questions
        named = not isinstance(kinds, Mapping) and all(isinstance(kind, str) for kind in kinds)
        return dataclasses.replace(self, questions=found, asks=",".join(kinds) if named else "")

    def under(self, uncertainty: Uncertainty, depth: int | None = None) -> Self:
        """Return the same data under another uncertainty set, and for another depth if one is given."""
        depth = self.depth if depth is None else depth
        bound = checked_uncertainty(uncertainty).bind(self.observations, depth)
        return dataclasses.replace(self, uncertainty=bound, depth=depth)

    @property
    def n_samples(self) -> int:
        """N: number of samples."""
        return int(self.costs.shape[0])

    @property
    def n_features(self) -> int:
        """Number of observed features."""
        return int(self.observations.shape[1])

    @cached_property
    def question_values(self) -> FloatArray:
        """Values of the questions, N × questions; the observations themselves where each is a question."""
        return values_of(self.questions, self.observations)

    @property
    def reading_unit(self) -> str:
        """Unit of what is observed: the problem's for readings; unknown for other features than the costs."""
        unit = getattr(self.problem, "reading_unit", self.problem.unit)
        return unit if self.observes_costs or unit != self.problem.unit else ""

    @property
    def total_weight(self) -> float:
        """What means divide by: the weights' sum."""
        return float(self.weights.sum())

    @cached_property
    def sign(self) -> float:
        """+1 for a problem that minimises, −1 for one that maximises."""
        return sign_of(self.problem)

    def losses(self, solutions: FloatArray) -> FloatArray:
        """Return what each solution (column) costs on each sample (row), weighted, and always to be minimised.

        Methods and the adversary work on losses; a loss times `sign` is what users see.
        """
        return self.sign * self.weights[:, None] * self.problem.costs(solutions, self.costs)

    def check_tree(self, tree: Tree) -> None:
        """Raise `InputError` if the tree asks about features that aren't there, or holds an infeasible solution."""
        self.check_shape(tree)
        for leaf, solution in enumerate(tree.solutions):
            reason = self.problem.infeasibility(solution)
            if reason is not None:
                raise InputError(f"the solution at leaf {leaf} is not feasible: {reason}.")

    def check_shape(self, tree: Tree) -> None:
        """Raise `InputError` if the tree asks about features that aren't there, or its solutions have another size."""
        last = int(tree.asked_items.max(initial=-1))
        if last >= self.n_features:
            raise InputError(f"the tree asks about item {last}, but there are only {self.n_features}, counted from 0.")
        n_variables = len(self.problem.variable_names)
        if tree.solutions.shape[1] != n_variables:
            raise InputError(
                f"the tree's solutions have {tree.solutions.shape[1]} entries, the problem's {n_variables}."
            )


def _check_problem(problem: Any) -> None:
    if isinstance(problem, type):
        name = problem.__name__
        raise InputError(f"problem must be an object, not a class; got {name}. Did you mean {name}(…)?")
    if any(hasattr(problem, writer) for writer in ("writeMPS", "to_file", "write")):
        raise InputError(
            f"problem must be one of hedgerow.problems; got a model, {in_short(problem)}. "
            "MixedIntegerProblem.from_model(model, items=…) turns it into one."
        )
    if not isinstance(problem, Problem):
        asked = sorted(name for name in vars(Problem) if not name.startswith("_"))
        missing = [name for name in asked if not hasattr(problem, name)]
        raise InputError(
            "problem must be one of hedgerow.problems, or fulfil hedgerow.problem.Problem; "
            f"got {in_short(problem)}, which lacks {list_some(missing)}."
        )


def _checked_context(
    context: Any, feature_names: Sequence[str] | None, n_samples: int
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return the context and its columns' names; a DataFrame's columns are matched to names that are given."""
    columns = column_names(context)
    if feature_names is not None and columns is not None:
        feature_names = unique_names(feature_names, "feature names")
        observed = number_matrix(context, feature_names, "context")
    else:
        feature_names = columns if feature_names is None else feature_names
        observed = number_matrix(context, None, "context")
    if observed.shape[0] != n_samples:
        got = observed.shape[0]
        raise InputError(f"context must have one row for each of the {n_samples} samples; got {got}.")
    if feature_names is None:
        feature_names = [f"feature {index}" for index in range(observed.shape[1])]
    return frozen(observed), unique_names(feature_names, "feature names", length=observed.shape[1])


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
