"""The different solutions of a tree as lettered plans: equal solutions at different leaves are the same advice."""

__all__ = ["Plans", "distinct_plans", "letters"]

from collections.abc import Sequence
from dataclasses import dataclass

from hedgerow.arrays import FloatArray
from hedgerow.tree import Tree


@dataclass(frozen=True, eq=False)
class Plans:
    """The plans in the order in which the leaves bring them up.

    Attributes
    ----------
    of_leaf
        Per leaf the number of its plan.
    solutions
        Per plan its solution.
    words
        Per plan its solution in words.
    """

    of_leaf: tuple[int, ...]
    solutions: tuple[FloatArray, ...]
    words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.solutions)

    def name(self, plan: int) -> str:
        """Return what the plan is called."""
        return f"Plan {letters(plan)}"


def distinct_plans(tree: Tree, words: Sequence[str]) -> Plans:
    """Return the tree's plans; `words` tells the solution of each leaf.

    Examples
    --------
    >>> from hedgerow import Tree
    >>> from hedgerow.report.plans import distinct_plans
    >>> plans = distinct_plans(Tree.full([0, 1, 1], [5.0, 2.0, 3.0], [[1], [0], [1], [0]]), ["go", "stay"] * 2)
    >>> plans.of_leaf, plans.words, plans.name(1)
    ((0, 1, 0, 1), ('go', 'stay'), 'Plan B')
    """
    number_of: dict[bytes, int] = {}
    of_leaf = tuple(number_of.setdefault(solution.tobytes(), len(number_of)) for solution in tree.solutions)
    first = [of_leaf.index(plan) for plan in range(len(number_of))]
    return Plans(of_leaf, tuple(tree.solutions[leaf] for leaf in first), tuple(words[leaf] for leaf in first))


def letters(number: int) -> str:
    """Return a number in letters, as spreadsheets name their columns: A, …, Z, AA, AB and so on."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text
