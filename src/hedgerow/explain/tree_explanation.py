"""The explanation of a whole tree: use of leaves, what questions are worth, and whom wrong readings hurt."""

__all__ = ["TreeExplanation", "explain_tree", "hurt_samples"]

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.errors import InputError
from hedgerow.explain.explanation import Condition, json_values, some
from hedgerow.explain.rows import changed_reading, labelled_readings
from hedgerow.explain.stability import reachable_rows
from hedgerow.rules import RuleBook
from hedgerow.uncertainty import Uncertainty, checked_uncertainty
from hedgerow.wording.numbers import amount, counted, percentage

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 20
"""Most lines of a list in the text; the values hold all of them."""


@dataclass(frozen=True, slots=True, repr=False)
class TreeExplanation:
    """What a tree is made of.

    `print` shows it in words, `summary` is one sentence, `to_dict` returns plain JSON values. None is not known.

    Attributes
    ----------
    rules
        The rule book.
    leaves
        A table of the leaves from left to right: `leaf`, `advice`, `rule` (the readings that lead there, in words),
        `same_as` (the first leaf with the same solution; None if this is the first) and `n_samples`.
    questions
        A table of the questions, those that matter most first: `node`, `question`, `cell` (where else the threshold may
        lie, in words), `n_samples`, and `nominal` and `robust`: how much worse the tree would be without the question,
        as read and in the worst case.
    hurt
        A table of the samples that the worst attack hurts, the worst hurt first: `sample`, `label`, `changes` (the
        readings that are wrong), `leaf`, `advice`, `nominal_leaf`, `nominal_advice`, `cost`, `nominal_cost` and `loss`.
    n_samples
        How many samples the figures are about; those of the fit, as the tree file counted them, if none were given.
    nominal, robust
        The tree's cost on the samples, as read and in the worst case.
    misreading
        How wrong readings may be, in words.
    """

    rules: RuleBook
    leaves: "pd.DataFrame"
    questions: "pd.DataFrame"
    hurt: "pd.DataFrame"
    n_samples: int | None
    nominal: float | None
    robust: float | None
    misreading: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values by name; null stands for what is infinite (no bound) or unknown."""
        tables = {name: getattr(self, name).to_dict("records") for name in ("leaves", "questions", "hurt")}
        for sample in tables["hurt"]:
            sample["changes"] = [asdict(change) for change in sample["changes"]]
        figures = {name: getattr(self, name) for name in ("n_samples", "nominal", "robust", "misreading")}
        values = {**tables, **figures, "unit": self.rules.unit, "sense": self.rules.sense}
        plain: dict[str, Any] = json_values(values)
        return plain

    def to_frame(self) -> "pd.DataFrame":
        """Return the table of leaves."""
        return self.leaves.set_index("leaf")

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return f"TreeExplanation({self.summary!r})"

    @property
    def summary(self) -> str:
        """How large the tree is, how many samples there are, and what they cost."""
        parts = [
            counted(len(self.questions), "question"),
            counted(len(self.leaves), "leaf", "leaves"),
            counted(len(self.rules.plans), "different solution"),
        ]
        if self.n_samples is not None:
            parts.append(counted(self.n_samples, "sample"))
        text = ", ".join(parts)
        if self.nominal is None or self.robust is None:
            return text
        called = "gain" if self.rules.sense == "max" else "cost"
        return f"{text}; {called} {self._worth(self.nominal, self.robust)}"

    def __str__(self) -> str:
        """Return the explanation for a terminal: plain text, one fact per line."""
        judged = " (what the tree would lose without them)" if self.nominal is not None else ""
        parts: list[tuple[str, pd.DataFrame, Callable[[Any], str]]] = [
            ("Leaves", self.leaves, self._leaf),
            (f"Questions{judged}", self.questions, self._question),
            (f"Samples that wrong readings hurt most, where {self.misreading}", self.hurt, self._hurt),
        ]
        lines = [self.summary]
        for heading, table, in_words in parts:
            if len(table):
                lines += ["", heading, *(f"  {line}" for line in some([*map(in_words, table.itertuples())], _SHOWN))]
        if not len(self.hurt) and self.robust is not None:
            lines += ["", f"No sample is hurt where {self.misreading}."]
        return "\n".join(lines)

    def _worth(self, nominal: float, robust: float) -> str:
        return f"{amount(nominal, self.rules.unit)} as read, {amount(robust, self.rules.unit)} at worst"

    def _leaf(self, leaf: Any) -> str:
        used = "" if leaf.n_samples is None else f"  ({counted(leaf.n_samples, 'sample')})"
        if self.n_samples and leaf.n_samples is not None:
            used = f"  ({counted(leaf.n_samples, 'sample')}, {percentage(leaf.n_samples / self.n_samples)})"
        same = "" if leaf.same_as is None else f" (as leaf {leaf.same_as})"
        if self.rules.tree.card(leaf.leaf) is not None:
            return f"leaf {leaf.leaf}{same}: {leaf.rule}, {leaf.advice}{used}"
        return f"leaf {leaf.leaf}: {leaf.advice}{same} {leaf.rule}{used}"

    def _question(self, question: Any) -> str:
        text: str = question.question
        if question.nominal is not None:
            is_worthless = question.nominal == question.robust == 0.0
            text = f"{text} {'nothing' if is_worthless else self._worth(question.nominal, question.robust)}"
        asked = "" if question.n_samples is None else f"{counted(question.n_samples, 'sample')} asked"
        notes = asked
        return f"{text}  ({notes})" if notes else text

    def _hurt(self, hurt: Any) -> str:
        sign = "−" if self.rules.sense == "max" else "+"
        return (
            f"{hurt.label}: {' and '.join(change.change for change in hurt.changes)} leads to {hurt.advice} instead of "
            f"{hurt.nominal_advice}, {sign}{amount(hurt.loss, self.rules.unit)} ({amount(hurt.cost, '')} instead of "
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
    matrix, names = _readings(book, costs, readings, context, labels)
    counts, attack, nominal = book.leaf_samples, None, None
    if matrix is not None:
        counts = np.bincount(book.tree.apply(matrix), minlength=book.tree.n_leaves)
    if matrix is not None and costs is not None:
        evaluation = book.evaluate(costs, uncertainty, readings=readings, context=context)
        attack, nominal = evaluation.attack, evaluation.nominal
        chosen = attack.instance.uncertainty
    return TreeExplanation(
        rules=book,
        leaves=_leaves(book, counts),
        questions=_questions(book, counts, attack),
        hurt=_table(_HURT, [] if attack is None else hurt_samples(book, attack, names)),
        n_samples=None if counts is None else int(counts.sum()),
        nominal=nominal,
        robust=None if attack is None else attack.bound,
        misreading=book.uncertainty_in_words(chosen),
    )


_LEAF = ("leaf", "advice", "rule", "same_as", "n_samples")
_QUESTION = ("node", "question", "n_samples", "nominal", "robust")
_HURT = (
    "sample", "label", "changes", "leaf", "advice", "nominal_leaf", "nominal_advice", "cost", "nominal_cost", "loss",
)  # fmt: skip


def _table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> "pd.DataFrame":
    """Return rows as a table in which None stays None."""
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns), dtype=object)


def _readings(
    book: RuleBook, costs: Any, readings: Any, context: Any, labels: Sequence[str] | None
) -> tuple[FloatArray | None, tuple[str, ...]]:
    """Return the samples' readings, and what the samples are called; None if no samples are given."""
    if costs is None and readings is None and context is None:
        return None, ()
    given = context if costs is None and readings is None else book.shown(costs, readings, context)
    matrix, names = labelled_readings(book, given, labels, called="sample")
    if np.isnan(matrix[:, book.tree.asked_items]).any():
        raise InputError(
            "samples must not be missing (NaN) what the tree asks about; fill or drop them, or use explain for each."
        )
    return matrix, names


def _leaves(book: RuleBook, counts: IntArray | None) -> "pd.DataFrame":
    tree, reachable = book.tree, reachable_rows(book.tree, book.n_features)
    first_with: dict[tuple[Any, ...], int] = {}

    def rule(leaf: int) -> str:
        conditions = " and ".join(book.conditions(leaf))
        if not reachable[tree.rows_at(leaf)].any():
            return f"never, since no reading has {conditions}"
        return f"if {conditions}" if conditions else "always"

    def same_as(leaf: int) -> int | None:
        rows = tree.rows_at(leaf)
        first = first_with.setdefault((*book.plans.of_leaf[rows], *tree.handicap[rows], *tree.sums[rows]), leaf)
        return None if first == leaf else first

    rows = [
        {
            "leaf": leaf,
            "advice": book.plans.in_words(tree.first_row[leaf]) if tree.card(leaf) is None else book.advice(leaf),
            "rule": rule(leaf),
            "same_as": same_as(leaf),
            "n_samples": None if counts is None else int(counts[leaf]),
        }
        for leaf in range(tree.n_leaves)
    ]
    return _table(_LEAF, rows)


def _questions(book: RuleBook, counts: IntArray | None, attack: Attack | None) -> "pd.DataFrame":
    asked = None if counts is None else _asked_samples(book, counts)
    rows: list[dict[str, Any]] = [
        {
            "node": node,
            "question": f"{book.question(node)}?",
            "n_samples": None if asked is None else int(asked[node]),
            **(dict.fromkeys(("nominal", "robust")) if attack is None else _worth_of_question(attack, node)),
        }
        for node in np.flatnonzero(book.tree.is_inner).tolist()
    ]
    # Those that matter most come first; the order in the tree decides between equals.
    rows.sort(key=lambda row: tuple(-(row[name] or 0.0) for name in ("robust", "nominal", "n_samples")))
    return _table(_QUESTION, rows)


def _asked_samples(book: RuleBook, counts: IntArray) -> IntArray:
    """Return per node how many samples come by."""
    tree = book.tree
    asked = np.where(tree.leaf_number >= 0, counts[tree.leaf_number], 0)
    for node in np.flatnonzero(tree.is_inner)[::-1]:
        asked[node] = asked[tree.left[node]] + asked[tree.right[node]]
    return asked


def _worth_of_question(attack: Attack, node: int) -> dict[str, float]:
    """Return how much worse an attacked tree is without a question, as read and in the worst case.

    All samples that would be asked are then treated as if they had the same answer: the one with which the tree's worst
    case is better (of equal ones, with which its cost as read is better).
    """

    def losses(found: Attack) -> tuple[float, float]:
        sign = found.instance.sign
        return sign * found.bound, sign * float(found.nominal_cost.sum())

    others = (attack.tree.without_question(node, goes_left=left) for left in (True, False))
    robust, nominal = min(losses(worst_case(other, attack.instance)) for other in others)
    robust_before, nominal_before = losses(attack)
    return {"nominal": nominal - nominal_before, "robust": robust - robust_before}


def hurt_samples(
    book: RuleBook, attack: Attack, labels: Sequence[str], most: int | None = None
) -> list[dict[str, Any]]:
    """Return the samples that an attack hurts, the worst hurt first; `most` of them if that is given."""
    loss = attack.instance.sign * (attack.cost - attack.nominal_cost)

    def changes(sample: int) -> tuple[Condition, ...]:
        before, after = attack.instance.observations[sample], attack.observations[sample]
        return tuple(
            changed_reading(book, item, float(before[item]), float(after[item]))
            for item in np.flatnonzero(before != after).tolist()
        )

    def row(sample: int) -> dict[str, Any]:
        costs = (attack.cost[sample], attack.nominal_cost[sample], loss[sample])
        leaf, own = int(attack.leaf[sample]), int(attack.nominal_leaf[sample])
        advice, own_advice = (book.plans.in_words(int(row[sample])) for row in (attack.row, attack.nominal_row))
        parts = (sample, labels[sample], changes(sample), leaf, advice, own, own_advice, *map(float, costs))
        return dict(zip(_HURT, parts, strict=True))

    worst_first = sorted(attack.moved.tolist(), key=lambda sample: (-loss[sample], sample))
    return [row(sample) for sample in worst_first[:most]]
