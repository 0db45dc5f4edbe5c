"""The explanation of a whole tree: use of leaves, what questions are worth, and whom wrong readings hurt."""

__all__ = ["explain_tree", "hurt_samples", "worth_of_questions"]

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import in_short, list_some
from hedgerow.data.readings import shown_to_tree
from hedgerow.errors import InputError
from hedgerow.explain.given import labelled_readings
from hedgerow.explain.parts import Change
from hedgerow.explain.tree_explanation import Hurt, LeafUse, QuestionUse, TreeExplanation
from hedgerow.rules import RuleBook
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty
from hedgerow.wording.numbers import printable


def explain_tree(
    source: Any,
    costs: Any = None,
    uncertainty: Uncertainty | None = None,
    *,
    readings: Any = None,
    context: Any = None,
    labels: Sequence[str] | None = None,
) -> TreeExplanation:
    """Explain a tree: how often each leaf is used, which questions matter, and which samples the adversary hurts most.

    A question matters by what the tree would lose without it: its node gives way to one of its two subtrees, the one
    that leaves the better worst case, and the tree is evaluated anew.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    costs
        True costs of some samples, N × items. Without them, only the use of leaves and questions is explained.
    uncertainty
        How wrong readings may be; what the tree was fitted for if left out. A fraction refers to the training data.
    readings, context
        What was read in place of the costs, or the context that the rules ask about. Without costs and these, the
        numbers are those of the training data, where the tree file keeps them.
    labels
        What people call the samples; a DataFrame's index or their numbers if left out.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, RuleBook, Tree
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.explain import explain_tree
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> rules = RuleBook(tree, problem.item_names, known_problem=problem)
    >>> print(explain_tree(rules, costs, GlobalBudget(5.0)).to_text())
    1 question, 2 leaves, 2 different solutions, 5 samples; cost 36 as read, 50 at worst
    <BLANKLINE>
    Leaves
      leaf 0: s → 1 → t if e1 ≤ 5  (2 samples, 40 %)
      leaf 1: s → 2 → t if e1 > 5  (3 samples, 60 %)
    <BLANKLINE>
    Questions (what the tree would lose without them)
      e1 ≤ 5? 21 as read, 7 at worst  (5 samples asked)
    <BLANKLINE>
    Samples that wrong readings hurt most, where all samples together may be misread by up to 5 in total
      sample 4: e1 read as 5 instead of 10 leads to s → 1 → t instead of s → 2 → t, +14 (18 instead of 4)
    """
    book = RuleBook.of(source)
    if not isinstance(uncertainty, Nominal | LocalBudget | GlobalBudget | None):
        raise InputError(f"uncertainty must be Nominal, LocalBudget or GlobalBudget; got {in_short(uncertainty)}.")
    chosen = book.uncertainty if uncertainty is None else book.with_budget(uncertainty)
    matrix, names = _readings(book, costs, shown_to_tree(readings, context), labels)
    if matrix is None:
        found, counts = None, book.leaf_samples
    else:
        found = None if costs is None else book.evaluate(costs, uncertainty, **_as_shown(book, matrix))
        counts = np.bincount(book.tree.apply(matrix), minlength=book.tree.n_leaves)
    attack = None if found is None else found.attack
    return TreeExplanation(
        leaves=tuple(_leaves(book, counts)),
        questions=_questions(book, counts, attack),
        hurt=() if attack is None else hurt_samples(book, attack, names),
        n_samples=None if counts is None else int(counts.sum()),
        of_training=counts is not None and matrix is None,
        nominal=None if found is None else found.nominal,
        robust=None if found is None else found.robust,
        uncertainty=chosen if attack is None else attack.instance.uncertainty,
        unit=book.unit,
        maximises=book.sense == "max",
        reading_unit=book.reading_unit,
    )


# -- data ----------------------------------------------------------------------------------------------------------


def _as_shown(book: RuleBook, matrix: FloatArray) -> dict[str, FloatArray]:
    """Return the matrix of what was read, by the name that `evaluate` has for it."""
    return {"readings" if book.observes_costs else "context": matrix}


def _readings(
    book: RuleBook, costs: Any, shown: Any, labels: Sequence[str] | None
) -> tuple[FloatArray | None, tuple[str, ...]]:
    """Return the samples' readings, and what the samples are called; None if no samples are given."""
    if shown is None and costs is not None and not book.observes_costs:
        asked = list_some(book.asked_names)
        raise InputError(f"these rules ask about {asked}, which are no costs; pass the context, too.")
    rows = costs if shown is None else shown
    if rows is None:
        return None, ()
    readings, names = labelled_readings(book, rows, labels, called="sample")
    if np.isnan(readings[:, book.tree.asked_items]).any():
        raise InputError(
            "samples must not be missing (NaN) what the tree asks about; fill or drop them, or use explain for each."
        )
    return readings, names


# -- parts ---------------------------------------------------------------------------------------------------------


def _leaves(book: RuleBook, counts: IntArray | None) -> Iterator[LeafUse]:
    words, same_as = book.plans, book.plans.same_as
    for leaf in range(book.tree.n_leaves):
        path = book.intervals_at(leaf)
        conditions = " and ".join(book.conditions(leaf))
        rule = f"if {conditions}" if conditions else "always"
        if any(lower >= upper for _, lower, upper in path):
            rule = f"never, since no reading has {conditions}"
        first = int(same_as[leaf])
        yield LeafUse(
            leaf=leaf,
            advice=words.in_words(leaf),
            rule=rule,
            comparison=words.comparison(leaf),
            same_as=None if first == leaf else first,
            n_samples=None if counts is None else int(counts[leaf]),
        )


def _questions(book: RuleBook, counts: IntArray | None, attack: Attack | None) -> tuple[QuestionUse, ...]:
    tree = book.tree
    worth = {} if attack is None else worth_of_questions(attack)
    asked = None if counts is None else _asked_samples(book, counts)
    questions = [
        QuestionUse(
            node=node,
            item=-1 if book.asks(node).item is None else book.asks(node).items[0],
            name=printable(book.label(book.asks(node))),
            threshold=float(tree.threshold[node]),
            question=f"{book.question(node)}?",
            cell=book.cell(node),
            n_samples=None if asked is None else int(asked[node]),
            robust=worth[node][0] if worth else None,
            nominal=worth[node][1] if worth else None,
        )
        for node in np.flatnonzero(tree.is_inner).tolist()
    ]
    # Those that matter most come first; the order in the tree decides between equals.
    return tuple(
        sorted(
            questions,
            key=lambda each: (-(each.robust or 0.0), -(each.nominal or 0.0), -(each.n_samples or 0), each.node),
        )
    )


def _asked_samples(book: RuleBook, counts: IntArray) -> IntArray:
    """Return per node how many samples come by."""
    tree = book.tree
    asked = np.where(tree.leaf_number >= 0, counts[tree.leaf_number], 0)
    for node in np.flatnonzero(tree.is_inner)[::-1]:
        asked[node] = asked[tree.left[node]] + asked[tree.right[node]]
    return asked


def hurt_samples(book: RuleBook, attack: Attack, labels: Sequence[str], most: int | None = None) -> tuple[Hurt, ...]:
    """Return the samples that an attack hurts, the worst hurt first; `most` of them if that is given."""
    loss = attack.instance.sign * (attack.cost - attack.nominal_cost)
    words, tree = book.plans, attack.tree

    def changes(sample: int) -> Iterator[Change]:
        leaf = int(attack.leaf[sample])
        if not tree.asks_single_items:
            before, after = attack.instance.observations[sample], attack.observations[sample]
            for item in np.flatnonzero(before != after).tolist():
                yield Change(item, book.names[item], float(before[item]), float(after[item]), -math.inf, math.inf)
            return
        bounds = tree.item_bounds
        for place, item in enumerate(bounds.item[leaf].tolist()):
            old, new = float(attack.instance.observations[sample, item]), float(attack.observations[sample, item])
            lower, upper = float(bounds.lower[leaf, place]), float(bounds.upper[leaf, place])
            if old != new and not (math.isinf(lower) and math.isinf(upper)):
                yield Change(item, book.names[item], old, new, lower, upper)

    return tuple(
        Hurt(
            sample=sample,
            label=labels[sample],
            changes=tuple(changes(sample)),
            leaf=int(attack.leaf[sample]),
            advice=words.in_words(int(attack.leaf[sample])),
            nominal_leaf=int(attack.nominal_leaf[sample]),
            nominal_advice=words.in_words(int(attack.nominal_leaf[sample])),
            cost=float(attack.cost[sample]),
            nominal_cost=float(attack.nominal_cost[sample]),
            loss=float(loss[sample]),
        )
        for sample in sorted(attack.moved.tolist(), key=lambda sample: (-loss[sample], sample))[:most]
    )


def worth_of_questions(attack: Attack) -> dict[int, tuple[float, float]]:
    """Return what each question of an attacked tree is worth, by its node's number, in the worst case and as read.

    That is how much worse the tree is without it; below zero if it is better off. All samples that would be asked are
    then treated as if they had the same answer: the one with which the tree's worst case is better (of equal ones, with
    which its cost as read is better).

    >>> from hedgerow import Instance, Tree
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> worth_of_questions(worst_case(tree, Instance.create(problem, costs)))
    {0: (21.0, 21.0)}
    """
    tree, instance = attack.tree, attack.instance
    robust_before, nominal_before = _losses(attack)
    worths = {}
    for node in np.flatnonzero(tree.is_inner).tolist():
        others = (worst_case(tree.without_question(node, goes_left=left), instance) for left in (True, False))
        robust, nominal = min(_losses(other) for other in others)
        worths[node] = robust - robust_before, nominal - nominal_before
    return worths


def _losses(attack: Attack) -> tuple[float, float]:
    """Return the worst case and the cost as read, both to be minimised."""
    sign = attack.instance.sign
    return sign * attack.bound, sign * float(attack.nominal_cost.sum())
