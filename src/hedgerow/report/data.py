"""What a report is made of: the rule book, and how it does on training and test data."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.evaluation import Evaluation
from hedgerow.rules import RuleBook
from hedgerow.tolerances import VALUE
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import amount, printable, reading
from hedgerow.wording.questions import Phrase

if TYPE_CHECKING:
    from hedgerow.study import Refit


@dataclass(frozen=True, eq=False)
class ReportData:
    """A rule book with its evaluations on training and test data, where there are any, and options of the page.

    The figures on test data are nominal only where the uncertainty set belongs to the training samples. `with_gaps` has
    some readings left out, of the test data where there is any.
    `refit` says what the rules were before, if they were others.
    """

    book: RuleBook
    training: Evaluation | None
    test: Evaluation | None
    with_gaps: Evaluation | None
    title: str
    refit: "Refit | None" = None

    @property
    def row_samples(self) -> IntArray | None:
        """Per row of the tree's solutions how many training samples follow it; None if not known."""
        if self.training is not None:
            return np.bincount(self.training.attack.nominal_row, minlength=len(self.book.tree.solutions))
        return self.book.row_samples

    @property
    def is_weighted_otherwise(self) -> bool:
        """Whether the training data doesn't cost what it cost in the fit, which gave its samples other weights."""
        result, training = self.book.result, self.training
        if training is None or result is None:
            return False
        return not math.isclose(result.nominal, training.nominal, rel_tol=VALUE)

    def cost(self, value: float) -> str:
        """Return a cost in words."""
        return amount(value, self.book.unit)

    def plan_name(self, plan: int) -> str:
        """Return what a plan is called."""
        return f"Plan {self.book.plans.letters[plan]}"

    def side_name(self, side: str) -> str:
        """Return what one side of a comparison is called: the plan's name where it is one."""
        name, plans = printable(side), self.book.plans.words
        # A reading may be called like a plan that is nothing but it.
        return self.plan_name(plans.index(name)) if name in plans and name not in self.book.names else name

    def phrase(self, question: Question) -> Phrase:
        """Return how the page puts a question into words."""
        return self.book.phrase(question, reading, printable if question.compared is None else self.side_name)

    def condition(self, question: Question, low: float, high: float) -> str:
        """Return `low < value <= high` as a statement about a question."""
        return self.phrase(question).between(low, high)
