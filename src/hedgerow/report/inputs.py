"""What a report is made of: the tree, and the data that it is shown on, checked once."""

__all__ = ["Inputs", "gather"]

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.errors import InputError
from hedgerow.evaluate import Evaluation, evaluate
from hedgerow.problem import Problem, Sense
from hedgerow.report.plans import Plans, distinct_plans
from hedgerow.saved import SavedTree, Training
from hedgerow.tree import Tree
from hedgerow.uncertainty import Nominal, Uncertainty
from hedgerow.words import printable

_SAME = 1e-9
"""Ranges that differ by less than this, relative to their size, are those of the same data."""


_LONGEST_ADVICE = 600


@dataclass(frozen=True, eq=False)
class Inputs:
    """All that a report tells, in the rooms' own terms.

    Attributes
    ----------
    saved
        The tree with all that belongs to it.
    problem
        The problem, None where only the tree file knows it and can't build it again.
    training, test
        The tree on its training data and on held-out data, where these were given.
    test_is_nominal
        Whether the uncertainty set belongs to the training samples, so that the test figures are nominal only.
    include_samples
        Whether samples may be shown.
    title
        The page's title.
    file_names
        What the files are called in commands.
    """

    saved: SavedTree
    problem: Problem | None
    training: Evaluation | None
    test: Evaluation | None
    test_is_nominal: bool
    include_samples: bool
    title: str
    file_names: Mapping[str, str]

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.saved.tree

    @cached_property
    def plans(self) -> Plans:
        """The different solutions at the leaves."""
        return distinct_plans(self.tree, [_in_short(printable(text)) for text in self.saved.advice])

    @cached_property
    def summary(self) -> Training | None:
        """What the tree file keeps of the training data; None if that is nothing."""
        return self.saved.training if self.saved.details.get("training") is not None else None

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """The uncertainty set with absolute budgets."""
        return _bound(self.saved)

    @property
    def unit(self) -> str:
        """Unit of the costs."""
        return self.saved.unit

    @property
    def sense(self) -> Sense:
        """Whether costs should be small or gains large."""
        return self.saved.sense

    @property
    def reading_unit(self) -> str:
        """Unit of what the tree asks about: the costs' where it asks about costs, unknown otherwise."""
        return self.unit if self.saved.observes_costs else ""

    @cached_property
    def asked(self) -> IntArray:
        """The items that the tree asks about, the first questions first."""
        tree = self.tree
        inner = np.flatnonzero(tree.is_inner)
        in_order = inner[np.argsort(tree.node_depth[inner], kind="stable")]
        return np.array(list(dict.fromkeys(tree.item[in_order].tolist())), dtype=np.int64)

    def item_name(self, item: int) -> str:
        """Return the name of what the tree asks about."""
        names = self.saved.feature_names
        return printable(names[item]) if names else f"item {item}"

    @property
    def leaf_samples(self) -> IntArray | None:
        """Per leaf how many training samples reach it; None where nobody knows."""
        if self.training is not None:
            return np.bincount(self.training.attack.nominal_leaf, minlength=self.tree.n_leaves)
        return None if self.summary is None else self.summary.leaf_samples


def gather(
    source: Any,
    costs: Any,
    *,
    test: Any,
    observations: Any,
    test_observations: Any,
    sample_weight: Any,
    include_samples: bool,
    title: str | None,
    file_names: Mapping[str, str],
) -> Inputs:
    """Return the report's inputs; data that doesn't belong to the tree is refused with a sentence."""
    saved = SavedTree.open(source)
    if include_samples and costs is None:
        raise InputError("samples can only be included if they are given: pass the costs that the tree was fitted to.")
    if title is not None and not isinstance(title, str):
        raise InputError(f"title must be a text; got {type(title).__name__}.")
    # A fitted model has its problem at hand, even one that a file couldn't bring back.
    problem = source.problem if callable(getattr(source, "tree_file", None)) else None
    if problem is None and (saved.can_be_rebuilt or costs is not None or test is not None):
        problem = saved.problem
    training = held_out = None
    if costs is not None:
        training = _evaluated(saved, problem, costs, observations, _bound(saved), "costs", sample_weight)
        _refuse_other_data(saved, training)
    test_is_nominal = False
    if test is not None:
        held_out = _evaluated(saved, problem, test, test_observations, Nominal(), "test")
        data = held_out.attack.instance
        try:
            _bound(saved).check_fits(data.n_samples, data.n_features)
        except InputError:
            test_is_nominal = True
        else:
            held_out = _evaluated(saved, problem, test, test_observations, _bound(saved), "test")
    return Inputs(
        saved,
        problem,
        training,
        held_out,
        test_is_nominal,
        include_samples,
        printable(title) if title and title.strip() else _default_title(problem),
        file_names,
    )


def _bound(saved: SavedTree) -> Uncertainty:
    """Return the file's uncertainty set with absolute budgets, even where a stranger's file gives a fraction."""
    return saved.with_budget(saved.uncertainty)


def _evaluated(
    saved: SavedTree,
    problem: Any,
    costs: Any,
    observations: Any,
    uncertainty: Uncertainty,
    what: str,
    weights: Any = None,
) -> Evaluation:
    if observations is None and not saved.observes_costs:
        named = "observations" if what == "costs" else f"{what}_observations"
        raise InputError(f"this tree asks about other features than the costs; pass {named} along with {what}.")
    observed = _in_order(observations, saved.feature_names)
    try:
        return evaluate(saved.tree, problem, costs, uncertainty, observations=observed, weights=weights)
    except InputError as error:
        subject = "the costs don't" if what == "costs" else "the test data doesn't"
        raise InputError(f"{subject} match the tree: {error}") from None


def _in_order(observations: Any, names: tuple[str, ...]) -> Any:
    """Return a DataFrame's columns in the order of the tree's features, if they are all there."""
    columns = getattr(observations, "columns", None)
    if columns is None or not set(names) <= {str(name) for name in columns}:
        return observations
    place = {str(name): number for number, name in enumerate(columns)}
    return observations.iloc[:, [place[name] for name in names]].to_numpy()


def _refuse_other_data(saved: SavedTree, training: Evaluation) -> None:
    """Refuse data that the tree was not fitted to: its figures would be taken for those of the training data."""
    if saved.details.get("training") is None:
        return
    known, observed = saved.training, training.attack.instance.observations
    if known.n_samples != training.n_samples:
        raise InputError(
            f"the costs are not those that the tree was fitted to: it had {known.n_samples} samples, these are "
            f"{training.n_samples}; give other data as test data."
        )
    extremes: FloatArray = np.stack([observed.min(axis=0), observed.max(axis=0)], axis=1)
    if extremes.shape != known.ranges.shape or not np.allclose(extremes, known.ranges, rtol=_SAME, atol=_SAME):
        raise InputError(
            "the costs are not those that the tree was fitted to: their ranges differ from those that the tree file "
            "keeps; give other data as test data."
        )


def _in_short(advice: str) -> str:
    """Return advice that a person can take in; all that a plan uses is listed further down the page."""
    return advice if len(advice) <= _LONGEST_ADVICE else f"{advice[: _LONGEST_ADVICE - 1]}…"


def _default_title(problem: Any) -> str:
    source, target = getattr(problem, "source", None), getattr(problem, "target", None)
    if isinstance(source, str) and isinstance(target, str):
        return printable(f"Rule book: {source} → {target}")
    return "Rule book"
