"""Export to JSON: the tree file, which Hedgerow reads again."""

__all__ = ["to_json"]

from typing import Any

from hedgerow.saved import SavedTree
from hedgerow.treefile import TreeFile, tree_to_json


def to_json(source: Any) -> str:
    """Return the versioned tree file, with all that belongs to the tree.

    Examples
    --------
    >>> from hedgerow import Tree, TreeFile, tree_from_json
    >>> from hedgerow.export import to_json
    >>> tree = Tree.full([0], [0.1], [[1.0, 0.0], [0.0, 1.0]])
    >>> tree_from_json(to_json(TreeFile(tree, ("bridge", "tunnel")))).tree == tree
    True
    """
    saved = SavedTree.open(source)
    return tree_to_json(TreeFile(saved.tree, saved.feature_names, saved.details)) + "\n"
