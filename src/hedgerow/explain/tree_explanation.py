"""The explanation of a whole tree: use of leaves, what questions are worth, and whom wrong readings hurt."""

__all__ = ["TreeExplanation", "explain_tree", "hurt_samples", "worth_of_questions"]

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import list_some
from hedgerow.data.readings import shown_to_tree
from hedgerow.errors import InputError
from hedgerow.explain.explanation import Condition, json_values, some
from hedgerow.explain.rows import labelled_readings
from hedgerow.explain.stability import reachable_leaves
from hedgerow.problem import Sense
from hedgerow.rules import RuleBook
from hedgerow.uncertainty import Uncertainty, checked_uncertainty
from hedgerow.wording.budgets import uncertainty_in_words
from hedgerow.wording.numbers import amount, counted, percentage

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 20
"""Most lines of a list in the text; the values hold all of them."""


@dataclass(frozen=True, slots=True)
class LeafUse:
    """A leaf and how many samples reach it.

    Attributes
    ----------
    leaf, advice
        Its number, counted from 0, and its solution in words.
    rule
        The readings that lead there, in words, or that none does.
    same_as
        The first leaf with the same solution; None if this is the first.
    n_samples
        How many samples reach it as read; None if not known.
    """

    leaf: int
    advice: str
    rule: str
    same_as: int | None
    n_samples: int | None


@dataclass(frozen=True, slots=True)
class QuestionUse:
    """A question and what it is worth.

    Attributes
    ----------
    node
        The number of its node.
    question
        What is asked, in words.
    cell
        Where the threshold may lie without a worse worst case, in words; empty if that is not known, or nowhere else.
    n_samples
        How many samples are asked, as read; None if not known.
    nominal, robust
        How much worse the tree would be without the question, as read and in the worst case, if all who are asked gave
        the answer that suits the tree better: more cost, or less gain. Below zero if the tree is better off without
        it, None without costs.
    """

    node: int
    question: str
    cell: str
    n_samples: int | None
    nominal: float | None
    robust: float | None


@dataclass(frozen=True, slots=True)
class Hurt:
    """A sample that the worst misreading leads to a worse solution.

    Attributes
    ----------
    sample, label
        The sample's number, counted from 0, and what people call it.
    changes
        The readings that are wrong.
    leaf, advice
        The leaf it is led to, with its solution in words.
    nominal_leaf, nominal_advice
        The leaf that it would reach by itself.
    cost, nominal_cost
        What either solution truly costs.
    loss
        How much worse that is: more cost, or less gain.
    """

    sample: int
    label: str
    changes: tuple[Condition, ...]
    leaf: int
    advice: str
    nominal_leaf: int
    nominal_advice: str
    cost: float
    nominal_cost: float
    loss: float


@dataclass(frozen=True, slots=True, repr=False)
class TreeExplanation:
    """What a tree is made of.

    `print` shows it in words, `summary` is one sentence, `to_frame` the table of leaves, `to_dict` plain JSON values.

    Attributes
    ----------
    leaves
        The leaves from left to right.
    questions
        The questions, those that matter most first.
    hurt
        The samples that the worst attack hurts, the worst hurt first; empty without costs.
    n_samples
        How many samples the figures are about; None if not known.
    of_training
        Whether these are the samples of the fit, as the tree file counted them.
    nominal, robust
        The tree's cost on the samples, as read and in the worst case; None without costs.
    uncertainty
        How wrong readings may be.
    unit, reading_unit
        Unit of the costs, and of what the tree asks about; empty where it is not known.
    sense
        Whether costs are to be small ("min") or gains large ("max").
    """

    leaves: tuple[LeafUse, ...]
    questions: tuple[QuestionUse, ...]
    hurt: tuple[Hurt, ...]
    n_samples: int | None
    of_training: bool
    nominal: float | None
    robust: float | None
    uncertainty: Uncertainty
    unit: str
    reading_unit: str
    sense: Sense

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values by name; null stands for what is infinite (no bound) or unknown."""
        values: dict[str, Any] = json_values({**dataclasses.asdict(self), "uncertainty": self.uncertainty.to_dict()})
        return values

    def to_frame(self) -> "pd.DataFrame":
        """Return the table of leaves."""
        import pandas as pd

        return pd.DataFrame(map(dataclasses.asdict, self.leaves)).set_index("leaf")

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return f"TreeExplanation({self.summary!r})"

    @property
    def summary(self) -> str:
        """How large the tree is, how many samples there are, and what they cost."""
        different = sum(leaf.same_as is None for leaf in self.leaves)
        parts = [
            counted(len(self.questions), "question"),
            counted(len(self.leaves), "leaf", "leaves"),
            counted(different, "different solution"),
        ]
        if self.n_samples is not None:
            parts.append(counted(self.n_samples, "training sample" if self.of_training else "sample"))
        text = ", ".join(parts)
        if self.nominal is None or self.robust is None:
            return text
        called = "gain" if self.sense == "max" else "cost"
        return f"{text}; {called} {amount(self.nominal, self.unit)} as read, {amount(self.robust, self.unit)} at worst"

    def __str__(self) -> str:
        """Return the explanation for a terminal: plain text, one fact per line."""
        judged = " (what the tree would lose without them)" if self.nominal is not None else ""
        misread = uncertainty_in_words(self.uncertainty, self.reading_unit)
        parts = {
            "Leaves": [*map(self._leaf, self.leaves)],
            f"Questions{judged}": [*map(self._question, self.questions)],
            f"Samples that wrong readings hurt most, where {misread}": [*map(self._hurt, self.hurt)],
        }
        lines = [self.summary]
        for heading, entries in parts.items():
            if entries:
                lines += ["", heading, *(f"  {line}" for line in some(entries, _SHOWN))]
        if not self.hurt and self.robust is not None:
            lines += ["", f"No sample is hurt where {misread}."]
        return "\n".join(lines)

    def _leaf(self, leaf: LeafUse) -> str:
        used = "" if leaf.n_samples is None else f"  ({counted(leaf.n_samples, 'sample')}{self._share(leaf.n_samples)})"
        same = "" if leaf.same_as is None else f" (as leaf {leaf.same_as})"
        return f"leaf {leaf.leaf}: {leaf.advice}{same} {leaf.rule}{used}"

    def _share(self, count: int) -> str:
        """Return a share of the samples in words; 0 % and 100 % only where it is nothing and all."""
        if not self.n_samples:
            return ""
        share = count / self.n_samples
        if 0.0 < share < 0.005:
            return f", under {percentage(0.01)}"
        return f", over {percentage(0.99)}" if 0.995 <= share < 1.0 else f", {percentage(share, 2)}"

    def _question(self, question: QuestionUse) -> str:
        text = question.question
        if question.nominal is not None and question.robust is not None:
            worth = f"{amount(question.nominal, self.unit)} as read, {amount(question.robust, self.unit)} at worst"
            text = f"{text} {'nothing' if question.nominal == question.robust == 0.0 else worth}"
        asked = [] if question.n_samples is None else [f"{counted(question.n_samples, 'sample')} asked"]
        notes = "; ".join([*asked, *([question.cell] if question.cell else [])])
        return f"{text}  ({notes})" if notes else text

    def _hurt(self, hurt: Hurt) -> str:
        sign = "−" if self.sense == "max" else "+"
        return (
            f"{hurt.label}: {' and '.join(change.change for change in hurt.changes)} leads to {hurt.advice} instead of "
            f"{hurt.nominal_advice}, {sign}{amount(hurt.loss, self.unit)} ({amount(hurt.cost, '')} instead of "
            f"{amount(hurt.nominal_cost, '')})"
        )


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
    >>> rules = RuleBook(tree, problem.item_names, problem=problem)
    >>> print(explain_tree(rules, costs, GlobalBudget(5.0)))
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
    chosen = book.uncertainty if uncertainty is None else book.with_budget(checked_uncertainty(uncertainty))
    matrix, names = _readings(book, costs, shown_to_tree(readings, context), labels)
    if matrix is None:
        found, counts = None, book.leaf_samples
    else:
        found = None if costs is None else book.evaluate(costs, uncertainty, **_as_shown(book, matrix))
        counts = np.bincount(book.tree.apply(matrix), minlength=book.tree.n_leaves)
    attack = None if found is None else found.attack
    return TreeExplanation(
        leaves=_leaves(book, counts),
        questions=_questions(book, counts, attack),
        hurt=() if attack is None else hurt_samples(book, attack, names),
        n_samples=None if counts is None else int(counts.sum()),
        of_training=counts is not None and matrix is None,
        nominal=None if found is None else found.nominal,
        robust=None if found is None else found.robust,
        uncertainty=chosen if attack is None else attack.instance.uncertainty,
        unit=book.unit,
        reading_unit=book.reading_unit,
        sense=book.sense,
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


def _leaves(book: RuleBook, counts: IntArray | None) -> tuple[LeafUse, ...]:
    plans, same_as = book.plans, book.plans.same_as
    reachable = reachable_leaves(book.tree, book.n_features)

    def rule(leaf: int) -> str:
        conditions = " and ".join(book.conditions(leaf))
        if not reachable[leaf]:
            return f"never, since no reading has {conditions}"
        return f"if {conditions}" if conditions else "always"

    return tuple(
        LeafUse(
            leaf=leaf,
            advice=plans.in_words(leaf),
            rule=rule(leaf),
            same_as=None if same_as[leaf] == leaf else int(same_as[leaf]),
            n_samples=None if counts is None else int(counts[leaf]),
        )
        for leaf in range(book.tree.n_leaves)
    )


def _questions(book: RuleBook, counts: IntArray | None, attack: Attack | None) -> tuple[QuestionUse, ...]:
    tree = book.tree
    worth = {} if attack is None else worth_of_questions(attack)
    asked = None if counts is None else _asked_samples(book, counts)
    questions = [
        QuestionUse(
            node=node,
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
    words = book.plans

    def changes(sample: int) -> tuple[Condition, ...]:
        before, after = attack.instance.observations[sample], attack.observations[sample]
        return tuple(
            Condition(item, book.names[item], -math.inf, math.inf, float(before[item]), float(after[item]))
            for item in np.flatnonzero(before != after).tolist()
        )

    return tuple(
        Hurt(
            sample=sample,
            label=labels[sample],
            changes=changes(sample),
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
