"""What solutions and units are called, which leaves advise the same plan, and how that is put into words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import unique_names
from hedgerow.errors import InputError
from hedgerow.problem import Sense
from hedgerow.tolerances import FEASIBILITY
from hedgerow.wording.numbers import listed, printable, reading

if TYPE_CHECKING:
    from hedgerow.problems import Problem

_LONGEST = 120
"""Letters of a solution's description beyond which only the part of interest is shown."""
_SHOWN = 8


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


class Plans:
    """The different solutions at a tree's leaves, in the order of the first leaf that advises each.

    Two leaves have the same plan if their solutions are equal up to the feasibility tolerance.

    Parameters
    ----------
    solutions
        One row per leaf; several for a leaf with several plans, as `Tree.solutions` has them. What is said of leaves
        below is then about these rows.
    names
        Names of the variables.
    advice
        Per leaf its solution in words; a plan has the words of its first leaf.

    Attributes
    ----------
    of_leaf
        Per leaf the number of its plan, counted from 0.
    solutions, letters, words
        Per plan its solution, its letter (A, B, …, Z, AA, …), and its solution in words.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.rules import Plans
    >>> plans = Plans(np.array([[1.0, 0.0], [0.0, 1.0], [1.0 - 1e-9, 0.0]]), ["x1", "x2"], ["go", "stay", "go"])
    >>> plans.of_leaf.tolist(), plans.letters, plans.words
    ([0, 1, 0], ('A', 'B'), ('go', 'stay'))
    """

    def __init__(self, solutions: FloatArray, names: Sequence[str], advice: Sequence[str]) -> None:
        self._names = names
        self.of_leaf: IntArray = _numbered(solutions)
        first_leaf = np.unique(self.of_leaf, return_index=True)[1].tolist()
        self.solutions: FloatArray = solutions[first_leaf]
        self.letters: tuple[str, ...] = tuple(map(letters, range(len(first_leaf))))
        self.words: tuple[str, ...] = tuple(printable(advice[leaf]) for leaf in first_leaf)

    def __len__(self) -> int:
        return len(self.words)

    def text(self, leaf: int) -> str:
        """Return a leaf's advice in words."""
        return self.words[int(self.of_leaf[leaf])]

    def entries(self, plan: int) -> dict[str, float]:
        """Return the entries of a plan that are not zero, by name."""
        solution = self.solutions[plan]
        return {self._names[place]: float(solution[place]) for place in np.flatnonzero(solution).tolist()}

    def in_words(self, leaf: int) -> str:
        """Return what the leaf's solution uses; of a long one, what not every leaf has, and how much more there is."""
        text, solution = self.text(leaf), self.solutions[self.of_leaf[leaf]]
        if len(text) <= _LONGEST:
            return text
        used = np.abs(solution) > FEASIBILITY
        special = np.flatnonzero(used & (self.solutions != self.solutions[0]).any(axis=0)).tolist()
        if not special:
            return f"{text[:_LONGEST]}…"
        entries = [(reading(float(solution[place])), printable(self._names[place])) for place in special]
        words = listed([name if value == "1" else f"{value} × {name}" for value, name in entries], _SHOWN)
        common = int(used.sum()) - len(special)
        return f"{words}, and {common:,} more that every leaf has" if common else words


def letters(number: int) -> str:
    """Return a number in letters, as spreadsheets name their columns: A, …, Z, AA, AB and so on.

    >>> letters(0), letters(25), letters(26)
    ('A', 'Z', 'AA')
    """
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def _numbered(solutions: FloatArray) -> IntArray:
    """Return per row the number of its plan, in the order of their first rows; solvers' rounding makes no new plan."""
    with np.errstate(over="ignore"):  # infinite ones are compared as such
        rounded = np.round(solutions / FEASIBILITY)
    _, first, number = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    return frozen(np.argsort(np.argsort(first))[number.ravel()])
