"""The estimator that users call: a problem and its history in, a robust tree out, in scikit-learn's manner."""

__all__ = ["RobustTree"]

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.checks import list_some, unique_names
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods import solve
from hedgerow.observed import observed_matrix
from hedgerow.pairs import LearnFrom
from hedgerow.problem import Problem, sign_of
from hedgerow.question_kinds import QuestionSpec
from hedgerow.run import Monitor, Options, Result
from hedgerow.run.options import generator
from hedgerow.saved import Training, to_tree_file
from hedgerow.splits import ThresholdSet
from hedgerow.tree import Tree
from hedgerow.treefile import TreeFile, write_tree
from hedgerow.uncertainty import Nominal, Uncertainty

if TYPE_CHECKING:
    from hedgerow.explain import Explanation

_NO_UNCERTAINTY = Nominal()


class RobustTree(BaseEstimator):
    """A decision tree of solutions whose total cost stays low even when observations are misread.

    Parameters
    ----------
    problem
        What may be decided, such as a `hedgerow.problems.ShortestPath`.
    depth
        Most questions on the way to a leaf, from 0.
    uncertainty
        How wrong observations may be: `Nominal`, `LocalBudget` or `GlobalBudget`.
    method
        How the tree is found; "auto" picks a method and says why in `result_.message`.
    questions
        What the tree may ask: "items" (single readings), "plans" or "plans:8" (differences between the costs of that
        many good plans, by the readings), "levels" (a reading less the mean of all), "pairs" (a reading less another),
        a mapping `{name: {item: coefficient}}`, or a list of these.
    learn_from
        What a fit with readings learns from: "truth" (the default), where budgets stand for wrong readings; "readings",
        each with the costs that turned out to be true; or "resampled", the truth with errors drawn from the pairs.
    thresholds
        The candidate thresholds, "midpoints" or "grid"; an optimality claim is about these.
    refine
        Whether to move the best tree's thresholds inside their intervals afterwards. The refined tree is kept in
        `result_.refined`, beside `tree_`, since no bound speaks of it.
    time_limit
        Seconds; None for no limit. The one-time compilation of kernels on a new machine does not count.
    iteration_limit
        Most iterations of the method; with it, the same seed gives the same tree.
    gap_limit
        Stop once the relative gap between tree and bound is at most this.
    min_samples_leaf
        Fewest unperturbed rows that a leaf may serve. Leaves without any may be what keeps samples apart.
    max_leaves
        Most leaves; None for no limit beyond the depth's.
    solver
        The MIP solver, where the method uses one.
    n_jobs
        How many processes may work at once, where the method can use them; -1 for all processors, None for as many
        as `joblib.parallel_config` says.
    max_thresholds
        Most candidate thresholds per item, evenly spread among them; None for all. A proof is then about these alone,
        and `result_.thinning` tells what one question over all of them would be worth.
    max_samples
        Seek the tree on at most so many weighted representatives of the samples; None for all samples. Values are
        those on all samples, and `result_.thinning` tells what was lost. Not for a global budget.
    random_state
        A seed or a `numpy.random.Generator`.
    monitor
        A function that is called with each new row of statistics; one that returns False stops the run.

    Attributes
    ----------
    tree_
        The best tree.
    result_
        The run's result: objective, bound, gap, status, statistics.
    uncertainty_
        The uncertainty set with absolute budgets, for use on other data.
    n_features_in_, feature_names_in_
        Number of observed features, and their names where `fit` got a DataFrame.
    n_samples_in_, ranges_
        Number of training samples, and per feature the smallest and largest value among them.
    training_
        These and more of the training data, but no samples.

    Examples
    --------
    >>> from hedgerow import LocalBudget, RobustTree
    >>> from hedgerow.problems import Selection
    >>> history = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    >>> model = RobustTree(Selection(2, 1), depth=0, uncertainty=LocalBudget(0.5)).fit(history)
    >>> model.result_.objective, model.result_.status
    (7.5, 'optimal')
    >>> model.predict([[9.0, 9.0]])
    array([[0., 1.]])
    """

    def __init__(
        self,
        problem: Problem,
        *,
        depth: int = 2,
        uncertainty: Uncertainty = _NO_UNCERTAINTY,
        method: str = "auto",
        questions: QuestionSpec = "items",
        learn_from: LearnFrom = "truth",
        thresholds: ThresholdSet = "midpoints",
        refine: bool = False,
        time_limit: float | None = 60.0,
        iteration_limit: int | None = None,
        gap_limit: float = 0.0,
        min_samples_leaf: int = 0,
        max_leaves: int | None = None,
        solver: str = "highs",
        n_jobs: int | None = 1,
        max_thresholds: int | None = None,
        max_samples: int | None = None,
        random_state: int | np.random.Generator | None = None,
        monitor: Monitor | None = None,
    ) -> None:
        # Stored untouched, as scikit-learn's clone demands; `fit` checks them.
        self.problem = problem
        self.depth = depth
        self.uncertainty = uncertainty
        self.method = method
        self.questions = questions
        self.learn_from = learn_from
        self.thresholds = thresholds
        self.refine = refine
        self.time_limit = time_limit
        self.iteration_limit = iteration_limit
        self.gap_limit = gap_limit
        self.min_samples_leaf = min_samples_leaf
        self.max_leaves = max_leaves
        self.solver = solver
        self.n_jobs = n_jobs
        self.max_thresholds = max_thresholds
        self.max_samples = max_samples
        self.random_state = random_state
        self.monitor = monitor

    def fit(self, costs: Any, observations: Any = None, sample_weight: Any = None, *, readings: Any = None) -> Self:
        """Find the tree.

        Parameters
        ----------
        costs
            True costs, N × items: an array, or a DataFrame whose columns are matched to the items by name.
        observations
            What is observed, N × features; the costs if left out.
        sample_weight
            One non-negative number per sample; it multiplies the sample's cost.
        readings
            What was read in place of the observations (by default of the costs), such as forecasts: same rows, same
            columns. `learn_from` says what is made of them.

        Returns
        -------
        The model itself.
        """
        instance = Instance.create(
            self.problem,
            costs,
            observations=observations,
            weights=sample_weight,
            uncertainty=self.uncertainty,
            depth=self.depth,
            readings=readings,
            learn_from=self.learn_from,
            rng=generator(self.random_state) if self.learn_from == "resampled" else None,
            questions=self.questions,
        )
        result = solve(
            instance,
            Options.of(self),
            random_state=self.random_state,
            monitor=self.monitor,
        )
        self._keep(instance, result, named=hasattr(costs if observations is None else observations, "columns"))
        return self

    def _keep(self, instance: Instance, result: Result, *, named: bool) -> None:
        self.result_: Result = result
        self.tree_: Tree = result.tree
        self.uncertainty_: Uncertainty = instance.uncertainty
        self.training_ = Training.of(instance, result.tree)
        self.ranges_: FloatArray = self.training_.ranges
        self.n_samples_in_: int = instance.n_samples
        self.n_features_in_: int = instance.n_features
        self._feature_names = instance.feature_names
        # Columns can be matched by name if names were given: a DataFrame's, or the items' own.
        self._has_names = named or self.training_.observes_costs
        if named:
            self.feature_names_in_ = np.array(instance.feature_names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def predict(self, observations: Any) -> FloatArray:
        """Return the advised solution of each observation, m × variables.

        A DataFrame's columns are matched to the features by name, in any order; columns beyond these are ignored.
        """
        check_is_fitted(self)
        return self.tree_.predict(self._observed(observations))

    def apply(self, observations: Any) -> IntArray:
        """Return the number of the leaf that each observation reaches, counted from 0, left to right."""
        check_is_fitted(self)
        return self.tree_.apply(self._observed(observations))

    def score(self, costs: Any, observations: Any = None, sample_weight: Any = None, *, readings: Any = None) -> float:
        """Return minus the mean nominal cost per sample, or plus the mean gain where the problem maximises.

        Larger is better. The budget is no part of it, so a search may choose depth and budget by it, on unseen data.

        Parameters
        ----------
        costs
            True costs, m × items.
        observations
            What is observed, m × features; the costs if left out.
        sample_weight
            One non-negative number per sample.
        readings
            What was read in place of the observations; advice then follows the readings.
        """
        check_is_fitted(self)
        observations = observations if readings is None else readings
        if observations is None and not self.training_.observes_costs:
            raise InputError("this model was fitted on observations of its own; pass the observations to score, too.")
        data = Instance.create(self.problem, costs, weights=sample_weight, depth=0)
        observed = data.costs if observations is None else self._observed(observations)
        if observed.shape[0] != data.n_samples:
            raise InputError(
                f"observations must have one row for each of the {data.n_samples} samples; got {observed.shape[0]}."
            )
        cost = self.problem.costs(self.tree_.solutions, data.costs)
        paid = cost[np.arange(data.n_samples), self.tree_.apply(observed)]
        return -sign_of(self.problem) * float(data.weights @ paid) / data.total_weight

    def explain(self, observations: Any, costs: Any = None) -> "list[Explanation]":
        """Explain the advice for each observation; see `hedgerow.explain.explain`.

        Parameters
        ----------
        observations
            What is observed, m × features; readings may be missing.
        costs
            True costs, m × items; where the tree asks about the costs, complete observations are taken as such.
        """
        from hedgerow.explain import explain

        check_is_fitted(self)
        return explain(self, observations if self._has_names else np.asarray(observations), costs)

    def tree_file(self) -> TreeFile:
        """Return what `save` writes: tree, problem, uncertainty, summary of the training data, result."""
        check_is_fitted(self)
        return to_tree_file(
            self.result_,
            self.problem,
            feature_names=self._feature_names,
            training=self.training_,
            uncertainty=self.uncertainty_,
            as_given=self.uncertainty,
            seed=self.random_state,
        )

    def save(self, path: str | Path) -> None:
        """Write the tree file: versioned JSON, safe to load from strangers, in one step."""
        write_tree(path, self.tree_file())

    def _observed(self, observations: Any) -> FloatArray:
        """Return the observations as a matrix with the features of the fit, in their order."""
        columns = getattr(observations, "columns", None)
        if columns is not None and self._has_names:
            names = unique_names(columns, "column names")
            missing = [name for name in self._feature_names if name not in set(names)]
            if missing:
                raise InputError(f"observations have no column for these features: {list_some(missing)}.")
            position = {name: index for index, name in enumerate(names)}
            observations = observations.iloc[:, [position[name] for name in self._feature_names]]
        return observed_matrix(observations, n_columns=self.n_features_in_)
