"""Tree files by the names of old: thin functions around `RuleBook.load` and `RuleBook.save`."""

__all__ = ["read_tree", "tree_from_json", "tree_to_json", "write_tree"]

from pathlib import Path

from hedgerow.rulebook.book import RuleBook
from hedgerow.rulebook.file import parsed
from hedgerow.tree import Tree


def tree_to_json(content: RuleBook | Tree) -> str:
    """Return a rule book or a tree as JSON; floats are written so that they read back exactly.

    Examples
    --------
    >>> from hedgerow import Tree, tree_from_json, tree_to_json
    >>> tree = Tree.single([1.0, 0.1])
    >>> tree_from_json(tree_to_json(tree)).tree == tree
    True
    """
    return RuleBook.of(content).to_json()


def tree_from_json(text: str) -> RuleBook:
    """Return the rule book that `tree_to_json` wrote; raise `FileFormatError` for anything else.

    Examples
    --------
    >>> from hedgerow import tree_from_json
    >>> text = '{"format": "hedgerow-tree", "version": 1, "tree": {"solution": [1, 0]}}'
    >>> tree_from_json(text).tree.solutions.tolist()
    [[1.0, 0.0]]
    """
    return RuleBook(*parsed(text))


def write_tree(path: str | Path, content: RuleBook | Tree) -> None:
    """Write a rule book or a tree in one step: either the file is there as a whole, or nothing is changed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow import Tree, read_tree, write_tree
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_tree(Path(folder) / "tree.json", Tree.single([1.0, 0.0]))
    ...     read_tree(Path(folder) / "tree.json").tree
    Tree(depth=0, n_leaves=1)
    """
    RuleBook.of(content).write(path)


def read_tree(path: str | Path) -> RuleBook:
    """Read a tree file: the same as `RuleBook.load`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow import RuleBook, Tree, read_tree
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     RuleBook(Tree.single([1.0]), details={"unit": "min"}).save(Path(folder) / "tree.json")
    ...     read_tree(Path(folder) / "tree.json").unit
    'min'
    """
    return RuleBook.load(path)
