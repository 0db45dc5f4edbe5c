"""The explanation of a whole tree: `explain_tree`."""

__all__ = ["explain_tree"]

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.arrays import IntArray
from hedgerow.checks import in_short, list_some
from hedgerow.errors import InputError
from hedgerow.explain.parts import Change
from hedgerow.explain.questions import worth_of_questions
from hedgerow.explain.subject import Readings, Subject
from hedgerow.explain.tree_explanation import Hurt, LeafUse, Question, TreeExplanation
from hedgerow.explain.words import interval
from hedgerow.instance import Instance
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty


def explain_tree(
    source: Any,
    costs: Any = None,
    uncertainty: Uncertainty | None = None,
    observations: Any = None,
    *,
    labels: Sequence[str] | None = None,
) -> TreeExplanation:
    """Explain a tree: how often each leaf is used, which questions matter, and which samples the adversary hurts most.

    A question matters by what the tree would lose without it: its node gives way to one of its two subtrees, the one
    that leaves the better worst case, and the tree is evaluated anew.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a tree file or its path.
    costs
        True costs of some samples, N × items. Without them, only the use of leaves and questions is told.
    uncertainty
        How wrong readings may be; what the tree was fitted for if left out. A fraction refers to the training data.
    observations
        What is observed on these samples, N × features; the costs if left out. Without either, the numbers are those
        of the training data, where the tree file keeps them.
    labels
        What people call the samples; a DataFrame's index or their numbers if left out.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, Tree, TreeFile
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.explain import explain_tree
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> rules = TreeFile(tree, problem.item_names, {"problem": problem.to_dict()})
    >>> print(explain_tree(rules, costs, GlobalBudget(5.0)).to_text())
    1 question, 2 leaves, 2 different solutions, 5 samples; cost 36 as read, 50 at worst
    <BLANKLINE>
    Leaves
      leaf 0: s → 1 → t if e1 ≤ 5  (2 samples, 40%)
      leaf 1: s → 2 → t if e1 > 5  (3 samples, 60%)
    <BLANKLINE>
    Questions (what the tree would lose without them)
      e1 ≤ 5? 21 as read, 7 at worst  (5 samples asked)
    <BLANKLINE>
    Samples that wrong readings hurt most, where all samples together may be misread by up to 5 in total
      sample 4: e1 read as 5 instead of 10 leads to s → 1 → t instead of s → 2 → t, +14 (18 instead of 4)
    """
    subject = Subject.open(source)
    if not isinstance(uncertainty, Nominal | LocalBudget | GlobalBudget | None):
        raise InputError(f"uncertainty must be Nominal, LocalBudget or GlobalBudget; got {in_short(uncertainty)}.")
    chosen = subject.saved.uncertainty if uncertainty is None else subject.saved.with_budget(uncertainty)
    readings = _readings(subject, costs, observations, labels)
    attack = None if costs is None else _attack(subject, costs, readings, chosen)
    counts = _leaf_counts(subject, readings)
    return TreeExplanation(
        leaves=tuple(_leaves(subject, counts)),
        questions=_questions(subject, counts, attack),
        hurt=() if attack is None or readings is None else _hurt(subject, attack, readings),
        n_samples=None if counts is None else int(counts.sum()),
        of_training=counts is not None and readings is None,
        nominal=None if attack is None else float(attack.nominal_cost.sum()),
        robust=None if attack is None else attack.bound,
        uncertainty=chosen if attack is None else attack.instance.uncertainty,
        unit=subject.unit,
        maximises=subject.maximises,
        reading_unit=subject.reading_unit,
    )


# -- data ----------------------------------------------------------------------------------------------------------


def _readings(subject: Subject, costs: Any, observations: Any, labels: Sequence[str] | None) -> Readings | None:
    """Return the samples' readings, None if no samples are given."""
    if observations is None and costs is not None and not subject.saved.observes_costs:
        names = list_some(subject.saved.asked_names)
        raise InputError(f"this tree asks about {names}, which are no costs; pass the observations, too.")
    given = costs if observations is None else observations
    if given is None:
        return None
    readings = subject.readings(given, labels, called="sample")
    if np.isnan(readings.values[:, subject.tree.asked_items]).any():
        raise InputError(
            "samples must not be missing (NaN) what the tree asks about; fill or drop them, or use explain for each."
        )
    return readings


def _attack(subject: Subject, costs: Any, readings: Readings | None, uncertainty: Uncertainty) -> Attack:
    assert readings is not None
    # Readings that nobody asks for may be missing; what counts is where the samples go.
    observed = np.nan_to_num(readings.values)
    data = Instance.create(subject.needed_problem(), costs, observations=observed, depth=0)
    data.check_tree(subject.tree)
    return worst_case(subject.tree, data.under(uncertainty, subject.tree.depth))


def _leaf_counts(subject: Subject, readings: Readings | None) -> IntArray | None:
    if readings is not None:
        return np.bincount(subject.tree.apply(readings.values), minlength=subject.tree.n_leaves)
    known = isinstance(subject.saved.details.get("training"), dict)
    return subject.saved.training.leaf_samples if known else None


# -- parts ---------------------------------------------------------------------------------------------------------


def _leaves(subject: Subject, counts: IntArray | None) -> Iterator[LeafUse]:
    words, bounds = subject.words, subject.tree.item_bounds
    for leaf in range(subject.tree.n_leaves):
        conditions = [
            interval(subject.names[item], lower, upper)
            for item, lower, upper in zip(
                bounds.item[leaf].tolist(), bounds.lower[leaf].tolist(), bounds.upper[leaf].tolist(), strict=True
            )
            if not (math.isinf(lower) and math.isinf(upper))
        ]
        rule = f"if {' and '.join(conditions)}" if conditions else "always"
        if (bounds.lower[leaf] >= bounds.upper[leaf]).any():
            rule = f"never, since no reading has {' and '.join(conditions)}"
        first = int(words.same_as[leaf])
        yield LeafUse(
            leaf=leaf,
            advice=words.in_words(leaf),
            rule=rule,
            comparison=words.comparison(leaf),
            same_as=None if first == leaf else first,
            n_samples=None if counts is None else int(counts[leaf]),
        )


def _questions(subject: Subject, counts: IntArray | None, attack: Attack | None) -> tuple[Question, ...]:
    tree = subject.tree
    worth = {} if attack is None else worth_of_questions(attack)
    asked = None if counts is None else _asked_samples(subject, counts)
    questions = [
        Question(
            node=node,
            item=int(tree.item[node]),
            name=subject.names[int(tree.item[node])],
            threshold=float(tree.threshold[node]),
            n_samples=None if asked is None else int(asked[node]),
            nominal=worth[node].nominal if worth else None,
            robust=worth[node].robust if worth else None,
        )
        for node in np.flatnonzero(tree.is_inner).tolist()
    ]
    return tuple(sorted(questions, key=_importance))


def _importance(question: Question) -> tuple[float, float, int, int]:
    """Return what sorts the questions that matter most to the front; the order in the tree decides between equals."""
    return -(question.robust or 0.0), -(question.nominal or 0.0), -(question.n_samples or 0), question.node


def _asked_samples(subject: Subject, counts: IntArray) -> IntArray:
    """Return per node how many samples come by."""
    tree = subject.tree
    asked = np.where(tree.leaf_number >= 0, counts[tree.leaf_number], 0)
    for node in np.flatnonzero(tree.is_inner)[::-1]:
        asked[node] = asked[tree.left[node]] + asked[tree.right[node]]
    return asked


def _hurt(subject: Subject, attack: Attack, readings: Readings) -> tuple[Hurt, ...]:
    loss = attack.instance.sign * (attack.cost - attack.nominal_cost)
    words, bounds = subject.words, attack.tree.item_bounds

    def changes(sample: int) -> Iterator[Change]:
        leaf = int(attack.leaf[sample])
        for place, item in enumerate(bounds.item[leaf].tolist()):
            old, new = float(attack.instance.observations[sample, item]), float(attack.observations[sample, item])
            lower, upper = float(bounds.lower[leaf, place]), float(bounds.upper[leaf, place])
            if old != new and not (math.isinf(lower) and math.isinf(upper)):
                yield Change(item, subject.names[item], old, new, lower, upper)

    return tuple(
        Hurt(
            sample=sample,
            label=readings.labels[sample],
            changes=tuple(changes(sample)),
            leaf=int(attack.leaf[sample]),
            advice=words.in_words(int(attack.leaf[sample])),
            nominal_leaf=int(attack.nominal_leaf[sample]),
            nominal_advice=words.in_words(int(attack.nominal_leaf[sample])),
            cost=float(attack.cost[sample]),
            nominal_cost=float(attack.nominal_cost[sample]),
            loss=float(loss[sample]),
        )
        for sample in sorted(attack.moved.tolist(), key=lambda sample: (-loss[sample], sample))
    )
