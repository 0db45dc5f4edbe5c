"""A fitted tree with all that belongs to it, to a tree file and back.

The file holds the tree, the problem (or, for problems that can't be rebuilt, what is needed to show and apply the
tree), names and units, the uncertainty set, ranges and summaries of the training data, and the result.
"""

__all__ = ["SavedTree", "Training", "to_tree_file"]

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from hedgerow.arrays import FloatArray, IntArray, frozen
from hedgerow.checks import finite_vector, integer_between, number_at_least, unique_names
from hedgerow.errors import FileFormatError, InputError
from hedgerow.instance import MAX_DEPTH, Instance
from hedgerow.problem import Problem, Sense
from hedgerow.run import Options, Result, Thinning
from hedgerow.tree import Tree
from hedgerow.treefile import TreeFile, finite_or_none, read_tree
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty, uncertainty_from_dict
from hedgerow.words import printable

_NOT_REBUILT = (
    "This problem can't be rebuilt from the file: the tree can be shown and applied, but to evaluate it on new costs "
    "the problem itself is needed."
)


@dataclass(frozen=True, eq=False)
class Training:
    """What is kept of the training data: no samples, but what a fraction λ refers to.

    Attributes
    ----------
    n_samples
        N: number of samples.
    depth
        The requested depth D.
    ranges
        Smallest and largest value of each feature, features × 2.
    total_weight
        What means divide by.
    observes_costs
        Whether the tree asks about the costs themselves, rather than about other features.
    leaf_samples
        Per leaf of the tree, from left to right, how many samples reach it as read; None where nobody counted.
    weighted
        Whether any sample has another weight than 1; None where that is unknown.
    """

    n_samples: int
    depth: int
    ranges: FloatArray
    total_weight: float
    observes_costs: bool
    leaf_samples: IntArray | None = None
    weighted: bool | None = None

    @classmethod
    def of(cls, instance: Instance, tree: Tree | None = None) -> Self:
        """Return the summary of an instance's data, and of how a tree sorts it."""
        observed = instance.observations
        return cls(
            n_samples=instance.n_samples,
            depth=instance.depth,
            ranges=frozen(np.stack([observed.min(axis=0), observed.max(axis=0)], axis=1)),
            total_weight=instance.total_weight,
            observes_costs=instance.observes_costs,
            leaf_samples=None if tree is None else frozen(np.bincount(tree.apply(observed), minlength=tree.n_leaves)),
            weighted=bool((instance.weights != 1.0).any()),
        )

    def bind(self, uncertainty: Uncertainty) -> Uncertainty:
        """Return the set with absolute budget and prices, as on the training data: what `model.uncertainty_` is.

        Examples
        --------
        >>> import numpy as np
        >>> from hedgerow import GlobalBudget
        >>> from hedgerow.saved import Training
        >>> training = Training(10, 2, np.array([[0.0, 4.0], [1.0, 2.0]]), 10.0, True)
        >>> training.bind(GlobalBudget(fraction=0.5))
        GlobalBudget(40.0)
        """
        # Two rows have the same ranges as all of them; only the number of samples has to be put back.
        extremes = np.ascontiguousarray(self.ranges.T)
        if not isinstance(uncertainty, GlobalBudget) or uncertainty.fraction is None:
            return uncertainty.bind(extremes, self.depth)
        options = {name: getattr(uncertainty, name) for name in ("limits", "prices", "epsilon")}
        each = LocalBudget(fraction=uncertainty.fraction, **options).bind(extremes, self.depth)
        return GlobalBudget(each.budget * self.n_samples, **{**options, "prices": each.prices})


def to_tree_file(
    result: Result,
    problem: Problem,
    *,
    feature_names: Sequence[str],
    training: Training,
    uncertainty: Uncertainty,
    as_given: Uncertainty,
    seed: Any = None,
) -> TreeFile:
    """Return what is written to disk for a fitted tree.

    Parameters
    ----------
    result, problem
        The run's result and the problem it is about.
    feature_names
        Names of what the tree asks about.
    training
        Summary of the training data.
    uncertainty, as_given
        The set with absolute budgets, and as the user gave it, with a fraction perhaps.
    seed
        The seed; kept if it is a number.
    """
    return TreeFile(
        result.tree,
        tuple(feature_names),
        {
            **_problem_details(problem, result.tree),
            "uncertainty": uncertainty.to_dict(),
            "uncertainty_as_given": as_given.to_dict(),
            "training": {
                "n_samples": training.n_samples,
                "depth": training.depth,
                "total_weight": training.total_weight,
                "weighted": training.weighted,
                "observes_costs": training.observes_costs,
                "minima": training.ranges[:, 0].tolist(),
                "maxima": training.ranges[:, 1].tolist(),
                **({} if training.leaf_samples is None else {"leaf_samples": training.leaf_samples.tolist()}),
                "nominal": result.nominal,
                "robust": result.objective,
            },
            "result": _result_details(result, seed),
        },
    )


def _problem_details(problem: Problem, tree: Tree) -> dict[str, Any]:
    description = problem.to_dict()
    try:
        json.dumps(description, allow_nan=False)
    except (TypeError, ValueError):
        # A class of the user's own may describe itself with what JSON can't hold; that must not cost the tree.
        description = {"kind": "custom", "class": type(problem).__name__}
    details = {
        "problem": description,
        "item_names": list(problem.item_names),
        "variable_names": list(problem.variable_names),
        "sense": problem.sense,
        "unit": problem.unit,
        "advice": [problem.describe(solution) for solution in tree.solutions],
    }
    return details if _is_known(description) else {**details, "note": _NOT_REBUILT}


def _result_details(result: Result, seed: Any) -> dict[str, Any]:
    refined = result.refined
    return {
        "objective": finite_or_none(result.objective),
        "nominal": finite_or_none(result.nominal),
        "lower_bound": finite_or_none(result.lower_bound),
        "gap": finite_or_none(result.gap),
        "status": result.status,
        "runtime": result.runtime,
        "method": result.method,
        "thresholds": result.thresholds,
        "iterations": result.iterations,
        "seed": int(seed) if isinstance(seed, int | np.integer) else None,
        "message": result.message,
        "refined": None if refined is None else {"objective": refined.objective, "tree": refined.tree.to_dict()},
        "thinning": None if result.thinning is None else dataclasses.asdict(result.thinning),
        "options": None if result.options is None else result.options.to_dict(),
    }


def _is_known(description: Any) -> bool:
    from hedgerow.problems.kinds import registry

    return isinstance(description, Mapping) and description.get("kind") in list(registry)


@dataclass(frozen=True, eq=False)
class SavedTree:
    """A tree file's content, checked and put together again; a stranger's file may lack any of it but the tree.

    Attributes
    ----------
    tree
        The tree.
    feature_names
        Names of what the tree asks about; empty if the file has none.
    details
        The file's further details as they are.

    Examples
    --------
    >>> from hedgerow import RobustTree
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.saved import SavedTree
    >>> model = RobustTree(Selection(2, 1), method="one_solution").fit([[1.0, 3.0], [4.0, 2.0]])
    >>> saved = SavedTree.of(model.tree_file())
    >>> saved.problem, saved.advice
    (Selection(2, 1), ('x1',))
    """

    tree: Tree
    feature_names: tuple[str, ...]
    details: Mapping[str, Any]

    @classmethod
    def of(cls, content: TreeFile) -> Self:
        """Return the content of a tree file; a tree that asks about features without a name is refused."""
        tree, names = content.tree, content.feature_names
        last = int(tree.asked_items.max(initial=-1))
        if names and last >= len(names):
            raise FileFormatError(
                f"the tree file is damaged: the tree asks about feature {last}, counted from 0, "
                f"but there are {len(names)} names."
            )
        return cls(tree, names, content.details)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a tree file; what is wrong with it is told with the file's name."""
        content = read_tree(path)
        try:
            return cls.of(content)
        except FileFormatError as error:
            raise FileFormatError(f"{path}: {error}") from None

    @classmethod
    def open(cls, source: Any) -> Self:
        """Return a fitted `RobustTree`, a `TreeFile`, a path or a saved tree as a saved tree: what people are shown."""
        if isinstance(source, cls):
            return source
        if isinstance(source, TreeFile):
            return cls.of(source)
        if isinstance(source, str | Path):
            return cls.read(source)
        if callable(getattr(source, "tree_file", None)):
            return cls.of(source.tree_file())
        raise InputError(f"a fitted RobustTree, a TreeFile or the path of one is needed; got {type(source).__name__}.")

    @property
    def asked_names(self) -> tuple[str, ...]:
        """Names of what the tree asks about; of all features where it asks nothing, or they have no names."""
        asked = self.tree.asked_items.tolist()
        return tuple(self.feature_names[item] for item in asked) if asked and self.feature_names else self.feature_names

    @property
    def can_be_rebuilt(self) -> bool:
        """Whether the file says enough to build the problem again."""
        return _is_known(self.details.get("problem"))

    @cached_property
    def problem(self) -> Problem:
        """The problem, built again from its description."""
        description = self.details.get("problem")
        if description is None:
            raise FileFormatError("the tree file doesn't say which problem the tree is for.")
        if not self.can_be_rebuilt and isinstance(description, Mapping) and description.get("kind") == "custom":
            raise FileFormatError(f"{_NOT_REBUILT} Use hedgerow.evaluate in Python, where the problem is at hand.")
        from hedgerow.problems import problem_from_dict

        return problem_from_dict(description)

    @cached_property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries; x1, x2, … if the file has none."""
        n_variables = self.tree.solutions.shape[1]
        if self.can_be_rebuilt:
            names = self.problem.variable_names
            if len(names) != n_variables:
                raise _damaged(f"its solutions have {n_variables} entries, its problem {len(names)}.")
            return names
        names = self._texts("variable_names", n_variables)
        return names or tuple(f"x{number}" for number in range(1, n_variables + 1))

    @cached_property
    def advice(self) -> tuple[str, ...]:
        """Per leaf its solution in words."""
        if self.can_be_rebuilt:
            return tuple(self.problem.describe(solution) for solution in self.tree.solutions)
        return self._texts("advice", self.tree.n_leaves) or tuple(str(row.tolist()) for row in self.tree.solutions)

    @cached_property
    def unit(self) -> str:
        """Unit of the costs; empty if there is none, or the file doesn't say."""
        unit = self.problem.unit if self.can_be_rebuilt else self.details.get("unit", "")
        return printable(unit) if isinstance(unit, str) else ""

    @cached_property
    def sense(self) -> Sense:
        """Whether costs should be small or gains large."""
        sense = self.problem.sense if self.can_be_rebuilt else self.details.get("sense")
        return "max" if sense == "max" else "min"

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """The uncertainty set with absolute budgets; none if the file doesn't say."""
        description = self.details.get("uncertainty")
        return Nominal() if description is None else uncertainty_from_dict(description)

    @property
    def has_training(self) -> bool:
        """Whether the file says something about the training data."""
        return self.details.get("training") is not None

    @cached_property
    def training(self) -> Training:
        """What the file keeps of the training data."""
        data = self.details.get("training")
        if not isinstance(data, Mapping):
            raise FileFormatError("the tree file keeps no ranges of the training data, which a fraction λ refers to.")
        n_features = len(self.feature_names)
        try:
            low, high = (
                finite_vector(data.get(name), f"training {name}", length=n_features, per="features")
                for name in ("minima", "maxima")
            )
            return Training(
                n_samples=integer_between(data.get("n_samples"), "training n_samples", 1),
                depth=integer_between(data.get("depth"), "training depth", 0, MAX_DEPTH),
                ranges=frozen(np.stack([low, np.maximum(low, high)], axis=1)),
                total_weight=number_at_least(data.get("total_weight"), "training total_weight", strict=True),
                observes_costs=data.get("observes_costs") is not False,
                leaf_samples=self._leaf_samples(data.get("leaf_samples")),
                weighted=data.get("weighted") if isinstance(data.get("weighted"), bool) else None,
            )
        except InputError as error:
            raise _damaged(str(error)) from None

    @property
    def observes_costs(self) -> bool:
        """Whether the tree asks about the costs themselves, rather than about other features."""
        data = self.details.get("training")
        return not isinstance(data, Mapping) or data.get("observes_costs") is not False

    @property
    def result(self) -> Mapping[str, Any]:
        """The fields of the result as the file has them; empty if it has none."""
        data = self.details.get("result")
        return data if isinstance(data, Mapping) else {}

    @cached_property
    def options(self) -> Options | None:
        """The options of the run; None in files that don't say."""
        return Options.from_dict(self.result.get("options", self._terms))

    @property
    def _terms(self) -> Any:
        """The options as older files keep them."""
        return self.result.get("terms")

    @cached_property
    def thinning(self) -> Thinning | None:
        """How many samples and thresholds the tree was sought on; None if on all, or the file doesn't say."""
        return Thinning.from_dict(self.result.get("thinning"))

    @property
    def is_weighted(self) -> bool:
        """Whether samples had weights other than 1; inferred from their sum where old files don't say."""
        if isinstance(self._terms, Mapping) or self.details.get("training") is None:
            return isinstance(self._terms, Mapping) and self._terms.get("weighted") is True
        if self.training.weighted is not None:
            return self.training.weighted
        return not math.isclose(self.training.total_weight, self.training.n_samples)

    def with_budget(self, uncertainty: Uncertainty) -> Uncertainty:
        """Return another set for use with this tree: λ means the training data; options not given stay the file's."""
        if isinstance(uncertainty, Nominal):
            return uncertainty
        known = self.uncertainty
        if not isinstance(known, Nominal):
            kept = {name: getattr(known, name) for name in ("limits", "prices") if getattr(uncertainty, name) is None}
            uncertainty = dataclasses.replace(uncertainty, epsilon=known.epsilon, **kept)
        if uncertainty.fraction is None and not isinstance(uncertainty.prices, str):
            return uncertainty
        return self.training.bind(uncertainty)

    def _leaf_samples(self, counts: Any) -> IntArray | None:
        if counts is None:
            return None
        if not isinstance(counts, list) or len(counts) != self.tree.n_leaves:
            raise InputError(f"training leaf_samples must be a list of {self.tree.n_leaves} numbers.")
        whole = [integer_between(count, "training leaf_samples", 0, 2**53) for count in counts]
        return frozen(np.array(whole, dtype=np.int64))

    def _texts(self, field: str, length: int) -> tuple[str, ...]:
        """Return a field that lists printable texts, or nothing if it isn't there."""
        values = self.details.get(field)
        if values is None:
            return ()
        if not isinstance(values, list) or len(values) != length or not all(isinstance(text, str) for text in values):
            raise _damaged(f'"{field}" must be a list of {length} texts.')
        texts = tuple(map(printable, values))
        try:
            return unique_names(texts, field) if field.endswith("names") else texts
        except InputError as error:
            raise _damaged(str(error)) from None


def _damaged(reason: str) -> FileFormatError:
    return FileFormatError(f"the tree file is damaged: {reason}")
