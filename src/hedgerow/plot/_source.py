"""What a figure of a tree may be made from, brought into one form."""

__all__ = [
    "PlotSource",
    "attack_in",
    "feature_name",
    "leaf_samples",
    "n_features",
    "observed_matrix",
    "opened",
    "unit_of",
]

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.arrays import FloatArray, IntArray
from hedgerow.checks import columns_by_name, finite_matrix
from hedgerow.evaluate import Evaluation
from hedgerow.saved import SavedTree
from hedgerow.tree import Tree
from hedgerow.treefile import TreeFile

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree

PlotSource: TypeAlias = "RobustTree | SavedTree | TreeFile | str | Path | Evaluation | Attack | Tree"


def opened(source: PlotSource) -> SavedTree:
    """Return whatever holds a tree as a saved tree: a model, a file, a path, an evaluation, or the bare tree."""
    attack = attack_in(source)
    if attack is not None:
        return _attacked(attack)
    return SavedTree(source, (), {}) if isinstance(source, Tree) else SavedTree.open(source)


def attack_in(source: Any) -> Attack | None:
    """Return the attack that an evaluation holds, or the attack itself; None for everything else."""
    found = source.attack if isinstance(source, Evaluation) else source
    return found if isinstance(found, Attack) else None


def feature_name(saved: SavedTree, item: int) -> str:
    """Return the name of what the tree asks about."""
    return saved.feature_names[item] if saved.feature_names else f"item {item}"


def n_features(saved: SavedTree, samples: FloatArray | None) -> int:
    """Return how many features there are, as far as samples, names or the tree's questions tell."""
    if samples is not None:
        return int(samples.shape[1])
    return len(saved.feature_names) or int(saved.tree.asked_items.max(initial=-1)) + 1


def unit_of(saved: SavedTree) -> str:
    """Return the unit of what the tree asks about; only costs have one."""
    return saved.unit if saved.observes_costs else ""


def leaf_samples(saved: SavedTree) -> IntArray | None:
    """Return how many training samples reach each leaf, if that is known."""
    return saved.training.leaf_samples if "training" in saved.details else None


def observed_matrix(saved: SavedTree, observations: Any) -> FloatArray:
    """Return observations as a matrix that fits the tree; a DataFrame's columns are matched by name."""
    names = saved.feature_names
    if names:
        observations = columns_by_name(observations, names, "observations", "features")
    matrix = finite_matrix(
        observations, "observations", n_columns=len(names) or None, columns="features", column_names=names or None
    )
    saved.tree.apply(matrix[:1])  # says which column is missing, where there are no names
    return matrix


def _attacked(attack: Attack) -> SavedTree:
    """Return the tree of an attack with the names, the words and the samples of what it was evaluated on."""
    tree, instance = attack.tree, attack.instance
    details = {
        "unit": instance.problem.unit,
        "variable_names": list(instance.problem.variable_names),
        "advice": [instance.problem.describe(solution) for solution in tree.solutions],
        "training": {
            "n_samples": instance.n_samples,
            "depth": instance.depth,
            "total_weight": instance.total_weight,
            "observes_costs": instance.observes_costs,
            "minima": instance.observations.min(axis=0).tolist(),
            "maxima": instance.observations.max(axis=0).tolist(),
            "leaf_samples": np.bincount(attack.nominal_leaf, minlength=tree.n_leaves).tolist(),
        },
    }
    return SavedTree(tree, instance.feature_names, details)
