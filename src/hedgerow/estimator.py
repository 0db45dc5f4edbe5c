"""The estimator that users call: a problem and its history in, a robust tree out, in scikit-learn's manner."""

import dataclasses
import inspect
from collections.abc import Sequence
from contextlib import nullcontext
from html import escape
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hedgerow.data.display import reader
from hedgerow.errors import InputError
from hedgerow.instance import Instance, LearnFrom
from hedgerow.methods import solve
from hedgerow.methods.fitted_budget import fitted_budget
from hedgerow.methods.question_choice import AUTO, chosen_questions
from hedgerow.methods.warm_up import prepare
from hedgerow.problems.base import Problem
from hedgerow.rules import RuleBook
from hedgerow.rules.verbs import Verbs
from hedgerow.run import Deadline, Monitor, Options, Result, interruptible
from hedgerow.run.options import generator
from hedgerow.run.progress import Progress, row_in_words
from hedgerow.run.wishes import Wishes
from hedgerow.tree.question_kinds import QuestionSpec
from hedgerow.tree.splits import ThresholdSet
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal, Uncertainty
from hedgerow.wording.verdicts import lowering_in_words

_NO_UNCERTAINTY = Nominal()
_NOT_IN_CALLS = {"problem", "monitor", "verbose", "interruptible"}
"""Arguments that are written apart, or that change nothing about the rules."""


class RobustTree(Verbs, BaseEstimator):
    """A decision tree of solutions whose total cost stays low even when readings are wrong.

    Parameters
    ----------
    problem
        What may be decided, such as a `hedgerow.problems.ShortestPath`.
    depth
        Most questions on the way to a leaf, from 0.
    plans_per_leaf
        Most plans at a leaf. With several a leaf is a card: the plan that is cheapest by the readings is followed,
        after a handicap where it has one. A tree of depth 0 is then a single card.
    uncertainty
        How wrong readings may be: `Nominal`, `LocalBudget` or `GlobalBudget`.
    method
        How the tree is found; "auto" picks a method and says why in `result_.message`.
    questions
        What the tree may ask: "items" (single readings), "plans" or "plans:8" (differences between the costs of that
        many good plans and those that a greedy tree over them uses, by the readings), "levels" (a reading less the mean
        of all), "pairs" (a reading less another), a mapping `{name: {item: coefficient}}`, or a list of these.
        "auto" is "items" where the costs themselves are read, "context" where nothing else is known, and otherwise
        "plans", unless another kind costs clearly less on rows held out.
    learn_from
        What a fit with readings learns from: "truth" (the default), where budgets stand for wrong readings; "readings",
        each with the costs that turned out to be true; or "resampled", the truth with errors drawn from the pairs.
    thresholds
        "midpoints" or "grid" between the samples' values, or "continuous", any number: what a proof of optimality is
        about. None for the widest set that the method takes by itself; `result_.thresholds` says which.
    round_thresholds
        Whether to move thresholds to the roundest numbers that change neither the worst case nor any sample's leaf.
        `result_.cells` says how far each of them may move.
    threshold_margin
        The worst case holds wherever each threshold is moved by at most this much; None for 2ε with continuous
        thresholds and 0 otherwise.
    refine
        Whether to move the best tree's thresholds inside their intervals afterwards. The refined tree is kept in
        `result_.refined`, beside `tree_`, since no bound speaks of it.
    time_limit
        Seconds; None for no limit. The one-time compilation of kernels on a new machine does not count. A twentieth is
        for refinement, with `refine`.
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
    random_state
        A seed or a `numpy.random.Generator`.
    monitor
        A function that is called with each new row of statistics; one that returns False stops the run. Without one
        terminals and notebooks show the progress of fits that take longer than two seconds.
    wishes
        What the tree should be like besides, such as `Wishes(must_not_ask=["Old Bridge"])`; `result_.wish_cost` says
        what that costs.
    verbose
        Whether to show the progress in scripts, too, where standard error is no terminal: a line every half minute.
    interruptible
        Whether the first Ctrl-C during `fit` keeps the best tree: the model is fitted with it, with status
        "interrupted", before KeyboardInterrupt is raised. A second one ends the fit at once. By default signals are
        left alone.

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
    rulebook_
        The tree with all that belongs to it: what `save` writes, and what every reader of the tree takes. Its
        `training` sums up the training data: number of samples, ranges, use of leaves.

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
        plans_per_leaf: int = 1,
        uncertainty: Uncertainty = _NO_UNCERTAINTY,
        method: str = "auto",
        questions: QuestionSpec = AUTO,
        learn_from: LearnFrom = "truth",
        thresholds: ThresholdSet | None = None,
        threshold_margin: float | None = None,
        round_thresholds: bool = True,
        refine: bool = False,
        time_limit: float | None = 60.0,
        iteration_limit: int | None = None,
        gap_limit: float = 0.0,
        min_samples_leaf: int = 0,
        max_leaves: int | None = None,
        solver: str = "highs",
        random_state: int | np.random.Generator | None = None,
        monitor: Monitor | None = None,
        wishes: Wishes | None = None,
        verbose: bool = False,
        interruptible: bool = False,
    ) -> None:
        # Stored untouched, as scikit-learn's clone demands; `fit` checks them.
        self.problem = problem
        self.depth = depth
        self.plans_per_leaf = plans_per_leaf
        self.uncertainty = uncertainty
        self.method = method
        self.questions = questions
        self.learn_from = learn_from
        self.thresholds = thresholds
        self.threshold_margin = threshold_margin
        self.round_thresholds = round_thresholds
        self.refine = refine
        self.time_limit = time_limit
        self.iteration_limit = iteration_limit
        self.gap_limit = gap_limit
        self.min_samples_leaf = min_samples_leaf
        self.max_leaves = max_leaves
        self.solver = solver
        self.random_state = random_state
        self.monitor = monitor
        self.wishes = wishes
        self.verbose = verbose
        self.interruptible = interruptible

    def fit(
        self, costs: Any, y: Any = None, *, readings: Any = None, context: Any = None, sample_weight: Any = None
    ) -> Self:
        """Find the tree.

        Parameters
        ----------
        costs
            True costs, N × items: an array, or a DataFrame whose columns are matched to the items by name.
        y
            Not used; it is there because scikit-learn passes it. A matrix is refused: readings and context are passed
            by name.
        readings
            What was read in place of the costs, such as forecasts: same rows, same columns. `learn_from` says what is
            made of them.
        context
            What else is known, N × columns: numbers, flags, categories or dates. A date gives weekday, month,
            half-year and, with a time, hour. Without readings the tree asks about context only, since the costs would
            give the truth away; pass readings=costs to ask about both.
        sample_weight
            One non-negative number per sample; it multiplies the sample's cost.

        Returns
        -------
        The model itself.
        """
        if y is not None and np.asarray(y).ndim == 2:
            raise InputError("fit takes one table of costs; pass others by name, as readings=… or context=….")
        instance = self._rows(costs, readings, context, sample_weight, self.learn_from)
        options = Options.of(self)
        chooses = self.questions == AUTO and readings is not None
        if chooses or self.uncertainty.errors is not None:
            # Kernels that choose questions and fit the budget.
            prepare(instance, options.replace(method="greedy"), "plans" if chooses else self.questions)
        clock = Deadline(options.time_limit)  # one for all of the fit
        asking = ""
        if self.questions == AUTO:
            as_read = self._rows(costs, readings, context, sample_weight, "readings") if chooses else None
            instance, asking = chosen_questions(instance, as_read, options, clock)
        else:
            instance = instance.asking(self.questions, clock.remaining)
        as_given, instance = instance, fitted_budget(instance, self.uncertainty, options, clock)
        line, unit = Progress(self.time_limit), instance.problem.unit
        shown = nullcontext() if self.monitor else line.shown(verbose=self.verbose)
        with interruptible(self.interruptible) as interrupt, shown:
            result = solve(
                instance,
                options,
                random_state=self.random_state,
                monitor=self.monitor or (lambda row: line.say(row_in_words(row, unit), row.runtime)),
                interrupt=interrupt,
                spent=clock.elapsed(),
            )
            lowering = lowering_in_words(as_given.uncertainty, instance.uncertainty, instance.reading_unit)
            result = dataclasses.replace(result, message=" ".join(filter(None, (asking, lowering, result.message))))
            others = {"readings": readings, "context": context, "sample_weight": sample_weight}
            tables = ["costs", *(name for name, table in others.items() if table is not None)]
            named = hasattr(context if readings is None and context is not None else costs, "columns")
            self._keep(instance, result, tables, named=named)
        return self

    def _rows(self, costs: Any, readings: Any, context: Any, weights: Any, learn_from: LearnFrom) -> Instance:
        return Instance.create(
            self.problem,
            costs,
            context=context,
            weights=weights,
            uncertainty=self.uncertainty,
            depth=self.depth,
            readings=readings,
            learn_from=learn_from,
            rng=generator(self.random_state) if learn_from == "resampled" else None,
        )

    def _keep(self, instance: Instance, result: Result, tables: list[str], *, named: bool) -> None:
        self._instance: Instance | None = instance  # for `hedgerow.alternatives`; never pickled
        made = {"made_by": call_in_python(self, tables), "tables": tuple(tables)}
        rules = self._rulebook = RuleBook.of_fit(result, instance, as_given=self.uncertainty, **made)
        assert rules.result is not None
        self.result_: Result = dataclasses.replace(rules.result, statistics=result.statistics)
        self.tree_: Tree = rules.tree
        self.uncertainty_: Uncertainty = rules.uncertainty
        columns = dict.fromkeys(each.column.date or each.column.name for each in instance.context)
        names = [*instance.feature_names[: instance.n_readings], *columns]
        self.n_features_in_: int = len(names)
        if named:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the samples."""
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_instance": None} if "_instance" in state else state

    @property
    def rulebook_(self) -> RuleBook:
        """The rule book: the tree with names, units, problem, uncertainty set, training summary and proof."""
        check_is_fitted(self)
        return self._rulebook

    def __str__(self) -> str:
        return str(reader("export.text", "text_of")(self)) if hasattr(self, "_rulebook") else repr(self)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        """Return what notebooks show: scikit-learn's diagram, below the tree and its figures once it is fitted."""
        shown: dict[str, str] = super()._repr_mimebundle_(**options)
        if "text/html" in shown and hasattr(self, "_rulebook"):
            shown["text/html"] = f"<pre>{escape(str(self))}</pre>" + shown["text/html"]
        return shown

    def score(
        self, costs: Any, y: None = None, *, readings: Any = None, context: Any = None, sample_weight: Any = None
    ) -> float:
        """Return minus the mean nominal cost per sample, or plus the mean gain where the problem maximises.

        Larger is better. The budget is no part of it, so a search may choose depth and budget by it, on unseen data.

        Parameters
        ----------
        costs
            True costs, m × items.
        y
            Not used; it is there because scikit-learn passes it.
        readings
            What was read in place of the costs; advice then follows the readings.
        context
            What else is known, for rules that ask about it.
        sample_weight
            One non-negative number per sample.
        """
        result = self.evaluate(costs, Nominal(), readings=readings, context=context, sample_weight=sample_weight)
        return -self.problem.sign * result.nominal_mean


def call_in_python(model: RobustTree, tables: Sequence[str]) -> str:
    """Return the call that fits a model like this one to these tables.

    >>> from hedgerow import LocalBudget
    >>> from hedgerow.problems import Selection
    >>> model = RobustTree(Selection(2, 1), depth=3, uncertainty=LocalBudget(1.5), random_state=0)
    >>> call_in_python(model, ["costs", "readings"])
    'RobustTree(problem, depth=3, uncertainty=LocalBudget(1.5), random_state=0).fit(costs, readings=readings)'
    """
    arguments = {
        name: repr(getattr(model, name))
        for name, parameter in inspect.signature(RobustTree).parameters.items()
        if name not in _NOT_IN_CALLS and repr(getattr(model, name)) != repr(parameter.default)
    }
    if not isinstance(model.random_state, int | np.integer):
        arguments.pop("random_state", None)  # a generator can't be written down
    made = ", ".join(["problem", *(f"{name}={text}" for name, text in arguments.items())])
    fitted = ", ".join(name if name == "costs" else f"{name}={name}" for name in tables)
    return f"RobustTree({made}).fit({fitted})"
