"""Which questions matter: what a tree would cost if one of them were not asked."""

__all__ = ["Worth", "without_question", "worth_of_questions"]

from dataclasses import dataclass

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.arrays import IntArray
from hedgerow.tree import Tree


@dataclass(frozen=True)
class Worth:
    """What a question is worth on given data.

    Without it, all samples that would be asked are treated as if they had the same answer: the one with which the
    tree's worst case is better (of equal ones, with which its cost as read is better).

    Attributes
    ----------
    nominal, robust
        How much worse the tree then is, as read and in the worst case: more cost, or less gain. Below zero if the tree
        is better off without the question.
    """

    nominal: float
    robust: float


def worth_of_questions(attack: Attack) -> dict[int, Worth]:
    """Return what each question of an attacked tree is worth, by its node's number.

    >>> from hedgerow import Instance, Tree
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> worth_of_questions(worst_case(tree, Instance.create(problem, costs)))
    {0: Worth(nominal=21.0, robust=21.0)}
    """
    tree, instance = attack.tree, attack.instance
    before = _losses(attack)
    worths = {}
    for node in np.flatnonzero(tree.is_inner).tolist():
        others = (worst_case(without_question(tree, node, goes_left=left), instance) for left in (True, False))
        robust, nominal = min(_losses(other) for other in others)
        worths[node] = Worth(nominal=nominal - before[1], robust=robust - before[0])
    return worths


def _losses(attack: Attack) -> tuple[float, float]:
    """Return the worst case and the cost as read, both to be minimised."""
    sign = attack.instance.sign
    return sign * attack.bound, sign * float(attack.nominal_cost.sum())


def without_question(tree: Tree, node: int, *, goes_left: bool) -> Tree:
    """Return the tree in which an inner node has given way to one of its subtrees.

    >>> tree = Tree.full([0, 1, 2], [5.0, 3.0, 4.0], [[0.0], [1.0], [2.0], [3.0]])
    >>> without_question(tree, 0, goes_left=False).to_dict()["item"]
    2
    """
    end = _subtree_ends(tree)
    child = int(tree.left[node] if goes_left else tree.right[node])
    kept = np.r_[0:node, child : end[child], end[node] : tree.n_nodes]
    number = np.full(tree.n_nodes, -1)
    number[kept] = np.arange(kept.size)
    number[node] = number[child]
    inner = tree.is_inner[kept]
    leaves = tree.leaf_number[kept]
    return Tree(
        question=tree.question[kept],
        threshold=tree.threshold[kept],
        left=np.where(inner, number[tree.left[kept]], -1),
        right=np.where(inner, number[tree.right[kept]], -1),
        solutions=tree.solutions[leaves[leaves >= 0]],
        questions=tree.questions,
    )


def _subtree_ends(tree: Tree) -> IntArray:
    """Return per node the number after the last node below it: numbers are depth-first, so subtrees are stretches."""
    end = np.arange(1, tree.n_nodes + 1)
    for node in np.flatnonzero(tree.is_inner)[::-1]:
        end[node] = end[tree.right[node]]
    return end
