"""The explanation of a whole tree: how often leaves are used, which questions matter, which samples are hurt."""

__all__ = ["Hurt", "LeafUse", "QuestionUse", "TreeExplanation"]

from dataclasses import dataclass
from typing import ClassVar

from hedgerow.explain.parts import Change, Encoded, some
from hedgerow.uncertainty import Uncertainty
from hedgerow.wording.budgets import uncertainty_in_words
from hedgerow.wording.numbers import amount, counted, percentage

_SHOWN = 20
"""Most lines of a list in the text; the values hold all of them."""


@dataclass(frozen=True, slots=True)
class LeafUse(Encoded):
    """A leaf and how many samples reach it.

    Attributes
    ----------
    leaf, advice
        Its number, counted from 0, and its solution in words.
    rule
        The readings that lead there, in words.
    comparison
        For a solution that is too long to be shown: how it differs from the most similar other one. Else empty.
    same_as
        The first leaf with the same solution; None if this is the first.
    n_samples
        How many samples reach it as read; None if not known.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.explain import explain_tree
    >>> tree = Tree.full([0], [35.0], [[1, 0], [0, 1]])
    >>> explain_tree(RuleBook(tree, ("bridge", "tunnel"))).leaves[1].rule
    'if bridge > 35'
    """

    leaf: int
    advice: str
    rule: str
    comparison: str
    same_as: int | None
    n_samples: int | None


@dataclass(frozen=True, slots=True)
class QuestionUse(Encoded):
    """A question and what it is worth.

    Attributes
    ----------
    node
        The number of its node.
    item, name, threshold
        What is asked: whether the reading of this item is at most the threshold.
    question
        The same in words.
    cell
        Where the threshold may lie without a worse worst case, in words; empty if that is not known, or nowhere else.
    n_samples
        How many samples are asked, as read; None if not known.
    nominal, robust
        How much worse the tree would be without the question, as read and in the worst case, if all who are asked gave
        the answer that suits the tree better: more cost, or less gain. Below zero if the tree is better off without
        it, None without costs.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.explain import explain_tree
    >>> tree = Tree.full([0], [35.0], [[1, 0], [0, 1]])
    >>> question = explain_tree(RuleBook(tree, ("bridge", "tunnel")), readings=[[36.0, 30.0]]).questions[0]
    >>> question.name, question.threshold, question.n_samples
    ('bridge', 35.0, 1)
    """

    node: int
    item: int
    name: str
    threshold: float
    question: str
    cell: str
    n_samples: int | None
    nominal: float | None
    robust: float | None


@dataclass(frozen=True, slots=True)
class Hurt(Encoded):
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

    Examples
    --------
    >>> from hedgerow import LocalBudget, RuleBook, Tree
    >>> from hedgerow.explain import explain_tree
    >>> from hedgerow.problems import Selection
    >>> tree = Tree.full([0], [35.0], [[1, 0], [0, 1]])
    >>> source = RuleBook(tree, ("x1", "x2"), {"problem": Selection(2, 1).to_dict()})
    >>> (hurt,) = explain_tree(source, [[36.0, 30.0]], LocalBudget(1.5)).hurt
    >>> hurt.cost, hurt.nominal_cost, hurt.loss
    (36.0, 30.0, 6.0)
    """

    sample: int
    label: str
    changes: tuple[Change, ...]
    leaf: int
    advice: str
    nominal_leaf: int
    nominal_advice: str
    cost: float
    nominal_cost: float
    loss: float


@dataclass(frozen=True, slots=True)
class TreeExplanation(Encoded):
    """What a tree is made of.

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
    unit, maximises
        Unit of the costs, and whether they are gains.
    reading_unit
        Unit of what the tree asks about; empty where it is not known.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.explain import explain_tree
    >>> tree = Tree.full([0], [35.0], [[1, 0], [0, 1]])
    >>> print(explain_tree(RuleBook(tree, ("bridge", "tunnel"))).to_text())
    1 question, 2 leaves, 2 different solutions
    <BLANKLINE>
    Leaves
      leaf 0: [1.0, 0.0] if bridge ≤ 35
      leaf 1: [0.0, 1.0] if bridge > 35
    <BLANKLINE>
    Questions
      bridge ≤ 35?
    """

    also: ClassVar = ("sense",)
    leaves: tuple[LeafUse, ...]
    questions: tuple[QuestionUse, ...]
    hurt: tuple[Hurt, ...]
    n_samples: int | None
    of_training: bool
    nominal: float | None
    robust: float | None
    uncertainty: Uncertainty
    unit: str
    maximises: bool
    reading_unit: str = ""

    @property
    def sense(self) -> str:
        """Whether costs are to be small ("min") or gains large ("max")."""
        return "max" if self.maximises else "min"

    def to_text(self) -> str:
        """Return the explanation for a terminal: plain text, one fact per line."""
        judged = " (what the tree would lose without them)" if self.nominal is not None else ""
        misread = uncertainty_in_words(self.uncertainty, self.reading_unit)
        parts = {
            "Leaves": [*map(self._leaf, self.leaves)],
            f"Questions{judged}": [*map(self._question, self.questions)],
            f"Samples that wrong readings hurt most, where {misread}": [*map(self._hurt, self.hurt)],
        }
        lines = [self._summary()]
        for heading, entries in parts.items():
            if entries:
                lines += ["", heading, *(f"  {line}" for line in some(entries, _SHOWN))]
        if not self.hurt and self.robust is not None:
            lines += ["", f"No sample is hurt where {misread}."]
        return "\n".join(lines)

    def _summary(self) -> str:
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
        called = "gain" if self.maximises else "cost"
        return f"{text}; {called} {amount(self.nominal, self.unit)} as read, {amount(self.robust, self.unit)} at worst"

    def _leaf(self, leaf: LeafUse) -> str:
        used = "" if leaf.n_samples is None else f"  ({counted(leaf.n_samples, 'sample')}{self._share(leaf.n_samples)})"
        same = "" if leaf.same_as is None else f" (as leaf {leaf.same_as})"
        compared = f" [{leaf.comparison}]" if leaf.comparison and leaf.same_as is None else ""
        return f"leaf {leaf.leaf}: {leaf.advice}{same}{compared} {leaf.rule}{used}"

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
        sign = "−" if self.maximises else "+"
        return (
            f"{hurt.label}: {' and '.join(map(str, hurt.changes))} leads to {hurt.advice} instead of "
            f"{hurt.nominal_advice}, {sign}{amount(hurt.loss, self.unit)} ({amount(hurt.cost, '')} instead of "
            f"{amount(hurt.nominal_cost, '')})"
        )
