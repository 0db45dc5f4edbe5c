"""What solutions, plans and units are called, where no problem is at hand to say."""

__all__ = ["Labels"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import unique_names
from hedgerow.errors import InputError
from hedgerow.problem import Sense

if TYPE_CHECKING:
    from hedgerow.problems import Problem


@dataclass(frozen=True)
class Labels:
    """What a rule book shows of its problem; made from the problem where that is at hand.

    Attributes
    ----------
    variable_names
        Names of a solution's entries; x1, x2, … if empty.
    advice
        Per row of the tree's solutions its words; the solution as a list if empty.
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

    def check(self, solutions: FloatArray) -> None:
        """Raise `InputError` unless there are as many names and texts as the solutions have entries and rows."""
        counts = {"variable_names": solutions.shape[1], "advice": solutions.shape[0]}
        for name, count in counts.items():
            texts = getattr(self, name)
            if texts and len(texts) != count:
                raise InputError(f'"{name}" must be a list of {count} texts; got {len(texts)}.')

    def filled(self, solutions: FloatArray, problem: "Problem | None") -> "Labels":
        """Return what people see of some solutions: what the problem says, where there is one, else what is known."""
        names: tuple[str, ...] = self.variable_names or tuple(f"x{place + 1}" for place in range(solutions.shape[1]))
        advice = self.advice or tuple(str(row.tolist()) for row in solutions)
        unit, reading_unit, sense = self.unit, self.reading_unit, self.sense
        if problem is not None:
            names, advice = tuple(problem.variable_names), tuple(map(problem.describe, solutions))
            unit, sense = problem.unit, problem.sense
            reading_unit = problem.reading_unit if problem.reading_unit != unit else reading_unit
        return Labels(names, advice, unit, reading_unit, sense)
