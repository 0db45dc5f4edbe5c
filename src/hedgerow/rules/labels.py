"""What solutions, plans and units are called, where no problem is at hand to say."""

__all__ = ["Labels"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import unique_names
from hedgerow.errors import InputError
from hedgerow.problem import Problem, Sense
from hedgerow.wording.numbers import printable


@dataclass(frozen=True)
class Labels:
    """What a rule book shows of its problem; made from the problem where that is at hand.

    Attributes
    ----------
    variable_names
        Names of a solution's entries; x1, x2, … if empty.
    advice
        Per leaf its solution in words; the solution as a list if empty.
    unit
        Unit of the costs.
    reading_unit
        Unit of the readings, if it is another one.
    sense
        Whether costs should be small or gains large.
    description
        The problem's description in the file, if it can't be rebuilt from that.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.rules import Labels
    >>> RuleBook(Tree.single([1.0, 0.0]), labels=Labels(advice=("take the bridge",))).plans.words
    ('take the bridge',)
    """

    variable_names: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    unit: str = ""
    reading_unit: str | None = None
    sense: Sense = "min"
    description: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "variable_names", tuple(self.variable_names))
        object.__setattr__(self, "advice", tuple(self.advice))
        if self.variable_names:
            unique_names(self.variable_names, "variable_names")

    def with_problem(self, problem: Problem, solutions: FloatArray) -> "Labels":
        """Return what a problem says about itself and some solutions; the file may know another unit of readings."""
        own = getattr(problem, "reading_unit", None)
        return Labels(
            variable_names=tuple(problem.variable_names),
            advice=tuple(map(problem.describe, solutions)),
            unit=problem.unit,
            reading_unit=own if isinstance(own, str) and own != problem.unit else self.reading_unit,
            sense=problem.sense,
        )

    def check(self, solutions: FloatArray) -> None:
        """Raise `InputError` unless there are as many names and texts as the solutions have entries and rows."""
        for name, texts, count in zip(
            ("variable_names", "advice"), (self.variable_names, self.advice), solutions.shape[::-1], strict=True
        ):
            if texts and len(texts) != count:
                raise InputError(f'"{name}" must be a list of {count} texts; got {len(texts)}.')

    def filled(self, solutions: FloatArray) -> "Labels":
        """Return the labels for some solutions, with control characters replaced and whatever is missing filled in."""
        names = self.variable_names or tuple(f"x{number}" for number in range(1, solutions.shape[1] + 1))
        return Labels(
            variable_names=names,
            advice=tuple(map(printable, self.advice or (str(row.tolist()) for row in solutions))),
            unit=printable(self.unit),
            reading_unit=None if self.reading_unit is None else printable(self.reading_unit),
            sense=self.sense,
        )
