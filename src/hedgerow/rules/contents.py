"""What a rule book holds beside its tree: names and plans in words, and a summary of its training data."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import finite_vector, integer_between, number_at_least, unique_names
from hedgerow.errors import InputError
from hedgerow.instance import MAX_DEPTH, Instance
from hedgerow.problem import Sense
from hedgerow.tolerances import FEASIBILITY
from hedgerow.tree.questions import Feature
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty
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


_MAX_HASHES: Final = 128
_HASH_BYTES: Final = 4
_HASH: Final = re.compile(f"[0-9a-f]{{{2 * _HASH_BYTES}}}")
_MOST_REPEATED: Final = 0.02
"""If a larger share of the training rows repeats, new rows may equal them by chance, and no hashes are kept."""
_FEWEST_SEEN: Final = 3
"""Fewer rows than this may equal training rows by chance."""


@dataclass(frozen=True, eq=False)
class Training:
    """A summary of the training data: what a fraction λ refers to, and how the tree sorts the samples.

    Attributes
    ----------
    n_samples
        N: number of samples.
    depth
        The requested depth D.
    minima, maxima
        Smallest and largest value of each feature.
    total_weight
        What means divide by.
    observes_costs
        Whether the tree asks about the costs themselves, rather than about other features.
    leaf_samples
        Per leaf of the tree, from left to right, how many samples reach it as read; per row of its solutions where
        leaves have several plans. None if not known.
    draws
        How many of these samples stand for each row of the data, with readings drawn at random; 1 if none were drawn.
    flags
        Numbers of the columns of context that hold nothing but 0 and 1: answers to yes/no questions.
    row_hashes
        The 128 smallest hashes of rows of costs, by which training rows are recognised; none if rows repeat.
    """

    n_samples: int
    depth: int
    minima: FloatArray
    maxima: FloatArray
    total_weight: float
    observes_costs: bool = True
    leaf_samples: IntArray | None = None
    draws: int = 1
    flags: tuple[int, ...] = ()
    row_hashes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        integer_between(self.n_samples, "training n_samples", 1)
        integer_between(self.depth, "training depth", 0, MAX_DEPTH)
        integer_between(self.draws, "training draws", 1)
        number_at_least(self.total_weight, "training total_weight", strict=True)
        for name in ("minima", "maxima"):
            finite_vector(getattr(self, name), f"training {name}", length=len(self.minima), per="features")
        if self.leaf_samples is not None and (self.leaf_samples < 0).any():
            raise InputError("training leaf_samples must be zero or more.")
        if len(self.row_hashes) > _MAX_HASHES or not all(map(_HASH.fullmatch, self.row_hashes)):
            raise InputError(f"training row_hashes must be at most {_MAX_HASHES} hashes.")

    @property
    def ranges(self) -> FloatArray:
        """Smallest and largest value of each feature, features × 2."""
        return frozen(np.stack([self.minima, np.maximum(self.minima, self.maxima)], axis=1))

    @classmethod
    def of(cls, instance: Instance, tree: Tree) -> Self:
        """Return the summary of an instance's data, and of how a tree sorts it."""
        observed, rows = instance.observations, instance.costs[:: instance.draws]
        hashes = _row_hashes(rows)
        are_repeated = len(rows) - len(hashes) > _MOST_REPEATED * len(rows)
        return cls(
            n_samples=instance.n_samples,
            depth=instance.depth,
            minima=frozen(observed.min(axis=0)),
            maxima=frozen(observed.max(axis=0)),
            total_weight=instance.total_weight,
            observes_costs=instance.observes_costs,
            leaf_samples=frozen(np.bincount(tree.choose(observed), minlength=len(tree.solutions))),
            draws=instance.draws,
            flags=_flags(instance),
            row_hashes=() if are_repeated else tuple(sorted(hashes)[:_MAX_HASHES]),
        )

    def share_seen(self, costs: FloatArray) -> float:
        """Return about which share of some rows of costs are training rows; 0 if that is not known.

        The smallest hashes are a random sample of the training rows, so that parts of these are recognised, too.

        >>> from hedgerow.problems import Selection
        >>> rows = np.arange(12.0).reshape(6, 2)
        >>> training = Training.of(Instance.create(Selection(2, 1), rows[:4]), Tree.single([1.0, 0.0]))
        >>> training.share_seen(rows), training.share_seen(rows[4:])
        (0.6666666666666666, 0.0)
        """
        n_seen = len(_row_hashes(costs) & {*self.row_hashes})
        if n_seen < _FEWEST_SEEN:
            return 0.0
        n_rows = self.n_samples / self.draws
        return min(1.0, n_seen * n_rows / (len(self.row_hashes) * len(costs)))

    def bind(self, uncertainty: Uncertainty, names: Sequence[str] = (), context: Sequence[Feature] = ()) -> Uncertainty:
        """Return the set with absolute budget and prices, as on the training data: what `model.uncertainty_` is.

        >>> from hedgerow import GlobalBudget
        >>> training = Training(10, 2, np.array([0.0, 1.0]), np.array([4.0, 2.0]), 10.0)
        >>> training.bind(GlobalBudget(fraction=0.5))
        GlobalBudget(40.0)
        """
        # Two rows have the same ranges as all of them.
        ranges = np.ascontiguousarray(self.ranges.T)
        return uncertainty.bind(ranges, self.depth, self.n_samples, names=names, context=context)


def _flags(instance: Instance) -> tuple[int, ...]:
    """Return the columns of context that hold both 0 and 1, and nothing else."""
    observed = instance.observations
    is_flag = np.isin(observed, (0.0, 1.0)).all(axis=0) & (observed.min(axis=0) < observed.max(axis=0))
    is_flag[: instance.n_readings] = False
    return tuple(np.flatnonzero(is_flag).tolist())


def _row_hashes(costs: FloatArray) -> set[str]:
    """Return a short hash of each row; −0.0 counts as 0.0."""
    return {hashlib.blake2b(row.tobytes(), digest_size=_HASH_BYTES).hexdigest() for row in costs + 0.0}
