"""What every export is made of: the tree with its names, its unit, and its advice in words."""

__all__ = ["WRITTEN_BY", "Advice", "RuleBook"]

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

from hedgerow._version import __version__
from hedgerow.saved import SavedTree
from hedgerow.tree import Tree
from hedgerow.words import printable, written_number

T = TypeVar("T")

WRITTEN_BY: Final = f"written by hedgerow {__version__}"


@dataclass(frozen=True)
class Advice:
    """What a leaf advises.

    Attributes
    ----------
    text
        The solution in words, on one line.
    entries
        Name and value of the solution's entries, without the zeros.
    """

    text: str
    entries: tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class RuleBook:
    """A tree, put into the words that all exports share.

    Attributes
    ----------
    tree
        The tree.
    names
        The name of each item that the tree asks about, by the item's number, in increasing order.
    unit
        The unit of what is asked about; empty if it has none, or if the tree asks about other things than costs.
    advice
        The distinct advices, in the order of the first leaf that gives them: equal solutions share one.
    advice_of_leaf
        Per leaf the number of its advice.
    leaf_samples
        Per leaf how many samples reached it; None where nobody counted.
    n_samples
        How many samples there were; None where nobody counted.

    Examples
    --------
    >>> from hedgerow import Tree, TreeFile
    >>> from hedgerow.export.rulebook import RuleBook
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 2.0]])
    >>> book = RuleBook.of(TreeFile(tree, ("bridge", "tunnel"), {"advice": ["by bridge", "by tunnel"], "unit": "min"}))
    >>> book.question(0), book.advice[1]
    ('bridge ≤ 35 min', Advice(text='by tunnel', entries=(('x2', 2.0),)))
    """

    tree: Tree
    names: Mapping[int, str]
    unit: str
    advice: tuple[Advice, ...]
    advice_of_leaf: tuple[int, ...]
    leaf_samples: tuple[int, ...] | None = None
    n_samples: int | None = None

    @classmethod
    def of(cls, source: Any) -> Self:
        """Return the rule book of anything that holds a tree and its names."""
        saved = SavedTree.open(source)
        advice: dict[Advice, int] = {}
        of_leaf = tuple(advice.setdefault(given, len(advice)) for given in _advice_per_leaf(saved))
        training = saved.training if isinstance(saved.details.get("training"), Mapping) else None
        counts = None if training is None or training.leaf_samples is None else tuple(training.leaf_samples.tolist())
        return cls(
            tree=saved.tree,
            names={item: _name(saved, item) for item in saved.tree.asked_items.tolist()},
            unit=saved.unit if saved.observes_costs else "",
            advice=tuple(advice),
            advice_of_leaf=of_leaf,
            leaf_samples=counts,
            n_samples=None if training is None or counts is None else training.n_samples,
        )

    def name(self, node: int) -> str:
        """Return the exact name of what a node asks about."""
        return self.names[int(self.tree.item[node])]

    def threshold(self, node: int) -> float:
        """Return a node's threshold as a plain number."""
        return float(self.tree.threshold[node])

    def amount(self, value: float) -> str:
        """Return a reading or threshold with its unit, exact."""
        return f"{written_number(value)} {self.unit}" if self.unit else written_number(value)

    def question(self, node: int) -> str:
        """Return what a node asks, in words: yes goes left."""
        return f"{printable(self.name(node))} ≤ {self.amount(self.threshold(node))}"

    def text(self, leaf: int) -> str:
        """Return a leaf's advice in words."""
        return self.advice[self.advice_of_leaf[leaf]].text

    def basis(self, leaf: int) -> str:
        """Return how many samples stand behind a leaf, such as "54 of 120 samples", or nothing if unknown."""
        return "" if self.leaf_samples is None else f"{self.leaf_samples[leaf]} of {self.n_samples} samples"

    def fold(self, at_leaf: Callable[[int], T], at_question: Callable[[int, T, T], T]) -> T:
        """Return what becomes of the tree if each leaf, and each question with its two answers, is turned into a T.

        Parameters
        ----------
        at_leaf
            Takes a leaf's number.
        at_question
            Takes a node's number, and what became of its left (yes) and right (no) side.
        """
        tree = self.tree
        built: dict[int, T] = {}
        for node in range(tree.n_nodes - 1, -1, -1):
            leaf = int(tree.leaf_number[node])
            if leaf >= 0:
                built[node] = at_leaf(leaf)
            else:
                built[node] = at_question(node, built.pop(int(tree.left[node])), built.pop(int(tree.right[node])))
        return built[0]


def _advice_per_leaf(saved: SavedTree) -> list[Advice]:
    names = saved.variable_names
    return [
        Advice(printable(text), tuple((names[place], float(solution[place])) for place in solution.nonzero()[0]))
        for text, solution in zip(saved.advice, saved.tree.solutions, strict=True)
    ]


def _name(saved: SavedTree, item: int) -> str:
    return saved.feature_names[item] if saved.feature_names else f"item {item}"
