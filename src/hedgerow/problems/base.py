"""What all problems share, so that a new one is little more than its feasible set.

From the feasible set follow the oracle (a MIP, unless a subclass has a quicker one), bounds on costs, and the reasons
why a solution is not feasible. From the constructor's signature follows the description that files hold.
"""

import copy
import inspect
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, Self, TypedDict

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import checked_text, in_short, integer_between, list_some, unique_names
from hedgerow.data.table import no_column
from hedgerow.errors import FileFormatError, InputError
from hedgerow.mip.model import outside
from hedgerow.problem import Best, CostRows, FeasibleSet, Network, Sense
from hedgerow.problems.solving import MipOracle, least_violation, whole_solutions
from hedgerow.tolerances import FEASIBILITY

MAX_ITEMS: Final = 200_000
"""Most items of a problem, so that a small file can't describe a huge one."""


def numbered(n_items: int, letter: str = "x") -> tuple[str, ...]:
    """Return the names x1, x2, … for items without names."""
    return tuple(f"{letter}{number}" for number in range(1, n_items + 1))


def named_or_numbered(things: int | Iterable[Any], what: str, letter: str) -> tuple[str, ...]:
    """Return the names of things that are given by their names, or by how many there are."""
    if isinstance(things, Iterable):
        return unique_names(things, what)
    return numbered(integer_between(things, f"the number of {what}", 1, MAX_ITEMS), letter)


def distinct_names(ends: Iterable[tuple[str, str]]) -> list[str]:
    """Return the name `tail-head` for each pair, with #2, #3, … where earlier pairs are the same."""
    count: Counter[tuple[str, str]] = Counter()
    names = []
    for pair in ends:
        count[pair] += 1
        names.append("-".join(pair) + (f"#{count[pair]}" if count[pair] > 1 else ""))
    return names


def amounts(names: Sequence[str], values: FloatArray) -> list[str]:
    """Return what is used, and how much of it where that is not 1: "a", "2 × b"."""
    return [
        name if _amount(value) == "1" else f"{_amount(value)} × {name}"
        for name, value in zip(names, values.tolist(), strict=True)
        if abs(value) > FEASIBILITY
    ]


def _amount(value: float) -> str:
    whole = round(value)
    return str(whole) if abs(value - whole) <= FEASIBILITY else f"{value:.6g}"


CUSTOM: Final = "custom"
"""The kind of a problem that can't be rebuilt from its description."""

LISTED: Final = 100_000
"""Up to this many solutions are listed to find the best one; beyond that a MIP finds it."""


class Units(TypedDict, total=False):
    """The units that every built-in problem takes: of its costs, and of the readings where that is another one."""

    unit: str
    reading_unit: str | None


registry: "dict[str, type[Problem]]" = {}
"""Which class reads each kind of description."""


class Problem(ABC):
    """A problem with named items, whose cost is for each sample the worst of some linear functions of the solution.

    Costs are in the problem's own sign: a maximising problem returns gains. `samples` is always a matrix with one row
    per sample and one column per item, `solutions` one with a row per solution and a column per variable.

    A subclass calls `super().__init__` with its items' names and writes `feasible_set` and `cost_rows`. If it sets
    `kind` and keeps every parameter of its constructor as an attribute of the same name, files can describe it. Objects
    are values: nothing in them changes after construction.

    Parameters
    ----------
    item_names
        Names of the items; None for those in `default`.
    default
        Names of items without names, which also say how many there must be.
    sense
        "min" if costs are to be small, "max" if the samples hold gains.
    unit, reading_unit
        Unit of the costs, and that of the readings where it is another one. All but `default` are attributes.
    """

    kind: ClassVar[str] = CUSTOM
    """What files call this kind of problem; "custom" if they can't describe it."""

    oracle_only: ClassVar[bool] = False
    """Whether all that is known of X is what `best_solution` returns: there is neither a MIP nor a list of it."""

    lists_near_optimal: ClassVar[bool] = False
    """Whether `solutions_within` lists good solutions where all of them would be too many."""

    def __init_subclass__(cls) -> None:
        """Enter a class with a kind of its own into the table by which files are read."""
        super().__init_subclass__()
        if "kind" in cls.__dict__:
            registry[cls.kind] = cls

    def __init__(
        self,
        item_names: Iterable[Any] | None,
        *,
        default: tuple[str, ...] | None = None,
        sense: Sense = "min",
        unit: str = "",
        reading_unit: str | None = None,
    ) -> None:
        self._unnamed = item_names is None
        length = None if default is None else len(default)
        names = (default or ()) if item_names is None else item_names
        self.item_names = unique_names(names, "item_names", length=length)
        if not self.item_names:
            raise InputError("item_names must name at least one item; got none.")
        if sense not in ("min", "max"):
            raise InputError(f'sense must be "min" or "max"; got {in_short(sense)}.')
        self.sense: Final[Sense] = sense
        self.unit: Final = checked_text(unit, "unit")
        own = "" if reading_unit is None else checked_text(reading_unit, "reading_unit")
        self.reading_unit: Final = own or unit

    # -- names and units -----------------------------------------------------------------------------------------

    @property
    def sign(self) -> float:
        """+1 for a problem that minimises and −1 for one that maximises: costs times it are to be minimised."""
        return 1.0 if self.sense == "min" else -1.0

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries; the items unless a subclass says otherwise."""
        return self.item_names

    @property
    def _units(self) -> Units:
        """The units as constructors take them, that of the readings only if it is another one."""
        return {"unit": self.unit, **({} if self.reading_unit == self.unit else {"reading_unit": self.reading_unit})}

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.item_names)

    def named_after(self, columns: Sequence[str]) -> Self:
        """Return the problem with these columns of costs as names of its items, if these have no names yet.

        Examples
        --------
        >>> from hedgerow.problems import Selection
        >>> Selection(3, 1).named_after(["oak", "ash", "elm"]).item_names
        ('oak', 'ash', 'elm')
        """
        if not self._unnamed or not columns or not set(columns).isdisjoint(self.item_names):
            return self
        if len(columns) != self.n_items:
            raise InputError(
                f"{no_column('costs', self.item_names, columns)} The {self.n_items} items have no names of their own, "
                f"and {len(columns)} columns hold numbers: name the items (item_names), or leave out the other columns."
            )
        named = copy.copy(self)
        named._unnamed, named.item_names = False, unique_names(columns, "item_names")
        return named

    def check_samples(self, samples: FloatArray) -> None:
        """Raise `InputError` if the problem can't be solved for such costs; most problems can for any."""
        del samples

    # -- what it costs -------------------------------------------------------------------------------------------

    @abstractmethod
    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the cost of one sample as the worst of some linear functions of the solution."""

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return f(c_j, x_k) for every sample j (rows) and solution k (columns)."""
        costs = np.empty((len(samples), len(solutions)))
        for row, sample in zip(costs, samples, strict=True):
            rows = self.cost_rows(sample)
            row[:] = self._worst(rows.coefficients @ solutions.T + rows.constants[:, np.newaxis])
        return costs

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the one solution with the best weighted sum of costs over the samples, from a list or by MIP."""
        weights = np.ones(len(samples)) if weights is None else weights
        if self._listed is not None:
            totals: FloatArray = weights @ self.costs(self._listed, samples)
            return self._best(self._listed[np.argmin(self.sign * totals)], np.inf, samples, weights)
        start = self._start(self.sign * (weights @ samples))
        return self._best(*self._mip.minimise_worst(self, samples, weights, start, time_limit), samples, weights)

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, bounds on its cost: from the list, or from the feasible set without integrality.

        The worse one is infinite where the feasible set does not bound it.

        Raises
        ------
        UnboundedProblemError
            If a cost can be improved without end.
        """
        bounds = np.empty((len(samples), 2))
        for sides, sample in zip(bounds, samples, strict=True):
            if self._listed is not None:
                costs = self.costs(self._listed, sample[np.newaxis])
                sides[:] = costs.min(), costs.max()
                continue
            rows = self.cost_rows(sample)
            ranges = np.array([(self._mip.least(row), -self._mip.least(-row)) for row in rows.coefficients])
            sides[:] = self._worst(ranges + rows.constants[:, np.newaxis])
            if np.isinf(sides[0 if self.sense == "min" else 1]):
                raise self._mip.unbounded()
        return bounds[:, 0], bounds[:, 1]

    def _start(self, costs: FloatArray) -> FloatArray | None:
        """Return a solution for the MIP to start from, or None; the items' costs have the sign of "min"."""
        del costs
        return None

    def _best(self, solution: FloatArray, bound: float, samples: FloatArray, weights: FloatArray) -> Best:
        """Return a solution with what it costs; the bound has the sign of "min", and only rounding lifts it above.

        The value is what the solution costs, not what an oracle added up: the two may differ in the last digit.
        """
        value = float(np.sum(weights * self.costs(solution[np.newaxis], samples)[:, 0]))
        return Best(frozen(solution), value, min(bound, value) if self.sense == "min" else max(-bound, value))

    def _worst(self, values: FloatArray) -> Any:
        return values.max(axis=0) if self.sense == "min" else values.min(axis=0)

    @cached_property
    def _listed(self) -> FloatArray | None:
        """Every solution (one per row) where they are few, so that the best one is looked up; else None."""
        listed = self.all_solutions(LISTED)
        return listed if listed is not None and len(listed) else None  # where there is none a MIP says so

    @cached_property
    def _whole(self) -> FloatArray | None:
        """Every solution that the rows of the feasible set allow to list."""
        is_plain = self._feasible.n_columns == len(self.variable_names)
        return whole_solutions(self._feasible, LISTED) if is_plain else None

    @cached_property
    def _feasible(self) -> FeasibleSet:
        return self.feasible_set()

    @cached_property
    def _mip(self) -> MipOracle:
        return MipOracle(self._feasible, self.variable_names)

    # -- what is allowed -----------------------------------------------------------------------------------------

    @abstractmethod
    def feasible_set(self) -> FeasibleSet:
        """Return X as rows and columns of a MIP; the names of its rows are for `infeasibility`."""

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return which bound, whole variable or row the solution violates, in words, or None if it is feasible."""
        misshapen = self._misshapen(solution)
        if misshapen is not None:
            return misshapen
        feasible, n = self._feasible, len(solution)
        point = np.where(feasible.integer[:n], np.rint(solution), solution)
        broken = np.abs(point - solution) > FEASIBILITY
        if broken.any():
            variable = int(np.argmax(broken))
            used = f"'{self.variable_names[variable]}' is used {solution[variable]:g} times"
            return f"{used}; it must be a whole number"
        values = np.append(point, feasible.matrix @ self._point(point))
        lower = np.append(feasible.lower[:n], feasible.row_lower)
        upper = np.append(feasible.upper[:n], feasible.row_upper)
        wrong = outside(values, lower, upper)
        if not wrong.any():
            return None
        at = int(np.argmax(wrong))
        if at < n:
            what = f"'{self.variable_names[at]}' is used {values[at]:g} times"
        else:
            row = feasible.row_names[at - n] if feasible.row_names else f"row {at - n + 1}"
            what = f"{row} is {values[at]:g}"
        return f"{what}; it must {_rule(lower[at], upper[at])}"

    def _point(self, solution: FloatArray) -> FloatArray:
        """Return the solution with values of the auxiliary columns that violate the rows as little as possible."""
        return solution if len(solution) == self._feasible.n_columns else least_violation(self._feasible, solution)

    def _misshapen(self, solution: FloatArray) -> str | None:
        """Return in words why `solution` is no vector of finite numbers, one per variable, or None if it is."""
        names = self.variable_names
        if np.shape(solution) != (len(names),):
            what = "items" if names == self.item_names else "variables"
            shape = np.shape(solution)
            return f"a solution has one value for each of the {len(names)} {what}; this one has shape {shape}"
        if not np.isfinite(solution).all():
            variable = int(np.argmin(np.isfinite(solution)))
            return f"the value of '{names[variable]}' is {solution[variable]}; values are finite numbers"
        return None

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every solution (one per row) if there are at most `limit` and the feasible set lists them quickly.

        That takes variables which are all whole, no auxiliary columns, and no more than 100,000 solutions.
        """
        return None if self._whole is None or len(self._whole) > limit else self._whole

    def vertices(self, limit: int) -> FloatArray | None:
        """Return every vertex (one per row) of a continuous set if they are known and at most `limit`, else None.

        The best solution for any set of samples is one of them. The best for the worst case of a tree may lie between.
        """
        del limit
        return None

    def solutions_within(self, sample: FloatArray, limit: float, max_count: int) -> FloatArray | None:
        """Return every solution that is at least as good as `limit` on a sample, or None if they are too many.

        The exact method works on that list as if it were the whole of X, since no leaf of a better tree than the best
        one known can hold a solution that is bad on every sample.
        """
        del sample, limit, max_count
        return None

    # -- for people and files ------------------------------------------------------------------------------------

    def describe(self, solution: FloatArray) -> str:
        """Return what the solution uses, such as "a, 2 × b"."""
        return ", ".join(amounts(self.variable_names, solution)) or "nothing"

    def network(self) -> Network | None:
        """Return the graph whose arcs are the variables, to draw solutions on it; None where there is none."""
        return None

    @classmethod
    def _fields(cls) -> dict[str, bool]:
        """Return the names of the constructor's parameters, and whether each is needed; its `**units` are two."""
        parameters = inspect.signature(cls).parameters.values()
        fields = {each.name: each.default is each.empty for each in parameters if each.kind is not each.VAR_KEYWORD}
        return fields if len(fields) == len(parameters) else fields | {"unit": False, "reading_unit": False}

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description: the constructor's arguments, or no more than names for kind "custom"."""
        if self.kind == CUSTOM:
            own = {"class": type(self).__name__, "item_names": list(self.item_names), "sense": self.sense}
            return {"kind": CUSTOM, **own, **self._units}
        values = {name: getattr(self, name) for name in self._fields()}
        fields = {name: _plain(value) for name, value in values.items() if value is not None}
        if self.reading_unit == self.unit:
            fields.pop("reading_unit", None)
        return {"kind": self.kind, **fields}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described; the fields are the constructor's arguments."""
        fields = cls._fields()
        return cls(**checked_fields(data, [name for name, is_needed in fields.items() if is_needed], fields))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Problem) or type(self) is not type(other):
            return NotImplemented
        # The custom description leaves out what makes the problem, so it can't prove two problems equal.
        return self is other or (self.kind != CUSTOM and self.to_dict() == other.to_dict())

    def __hash__(self) -> int:
        return hash((type(self), self.item_names, self.unit, self.sense))

    def __repr__(self) -> str:
        """Return the kind of problem and its size, such as "Selection(40 items, unit='EUR')"."""
        unit = f", unit={self.unit!r}" if self.unit else ""
        sense = f", sense={self.sense!r}" if self.sense == "max" else ""
        return f"{type(self).__name__}({self.n_items} items{unit}{sense})"

    def __getstate__(self) -> dict[str, Any]:
        """Return what makes the problem; what follows from it is not copied or pickled."""
        kind = type(self)
        return {
            name: value
            for name, value in self.__dict__.items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }


class LinearProblem(Problem):
    """A problem with f(c, x) = c·x, in which every variable is an item.

    A subclass calls `super().__init__` with its items' names and writes `feasible_set`. A MIP over it then answers
    every question. If `all_solutions` lists few solutions, the best of the list is the answer; a subclass with a
    quicker oracle writes `_minimise`. `describe` may be refined,
    and `_variable_costs` (with `variable_names`) where what a variable costs is not just its item's cost.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import Selection
    >>> problem = Selection(3, 2, unit="EUR")
    >>> best = problem.best_solution(np.array([[1.0, 2.0, 5.0], [1.0, 4.0, 2.0]]))
    >>> problem.describe(best.solution), best.value
    ('x1, x2', 8.0)
    """

    _constant: float = 0.0
    """What every solution costs besides, on each sample."""

    def _minimise(self, costs: FloatArray) -> FloatArray:
        """Return a solution of least cost for the costs of the variables, which have the sign of "min"."""
        if self._listed is not None:
            best: FloatArray = self._listed[np.argmin(self._listed @ costs)]
            return best
        return self._mip.minimise(costs).point

    @property
    def has_quick_oracle(self) -> bool:
        """Whether `_minimise` is a matter of microseconds, and exact: False where it calls a MIP solver."""
        return type(self)._minimise is not LinearProblem._minimise or self._listed is not None

    def _variable_costs(self, samples: FloatArray) -> FloatArray:
        """Return what one unit of each variable (column) costs on each sample (row): here the items' own costs."""
        return samples

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return f(c_j, x_k) for every sample j (rows) and solution k (columns)."""
        product: FloatArray = self._variable_costs(samples) @ solutions.T + self._constant
        return product

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the one row that is the cost of a linear problem."""
        row = np.array(sample, dtype=np.float64, ndmin=2)
        return CostRows(self._variable_costs(row), np.array([self._constant]))

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the one solution with the best weighted sum of costs: the oracle's answer to the summed samples."""
        weights = np.ones(len(samples)) if weights is None else weights
        sign = self.sign
        summed = sign * (weights @ self._variable_costs(samples))
        if self.has_quick_oracle:
            return self._best(self._minimise(summed), np.inf, samples, weights)
        point, bound = self._mip.minimise(summed, time_limit)
        return self._best(point, bound + sign * self._constant * float(weights.sum()), samples, weights)

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest f(c_j, x) for each sample, or bounds on them where it takes a MIP."""
        if not self.has_quick_oracle:
            return super().cost_bounds(samples)
        rows = self._variable_costs(samples)
        low, high = (np.array([self._minimise(sign * costs) @ costs for costs in rows]) for sign in (1.0, -1.0))
        return low + self._constant, high + self._constant


def _rule(low: float, high: float) -> str:
    """Return what a number between two sides must do, in words."""
    if low == high:
        return f"be {low:g}"
    if np.isinf(high):
        return f"be at least {low:g}"
    return f"be at most {high:g}" if np.isinf(low) else f"lie from {low:g} to {high:g}"


def checked_fields(data: Mapping[str, Any], required: Iterable[str], allowed: Iterable[str]) -> dict[str, Any]:
    """Return the fields of a description without its kind; one that is missing, or unknown, is refused."""
    kind, known = in_short(data.get("kind")), sorted({"kind", *allowed})
    unknown = sorted(str(field) for field in data if field not in known)
    if unknown:
        raise FileFormatError(
            f"a problem of kind {kind} has no field {list_some(unknown)}; its fields are {', '.join(known)}."
        )
    for field in required:
        if field not in data:
            raise FileFormatError(f"a problem of kind {kind} needs the field '{field}'; it is missing.")
    return {field: value for field, value in data.items() if field != "kind"}


def _plain(value: Any) -> Any:
    """Return arrays and tuples as lists, which JSON has."""
    return list(value) if isinstance(value, tuple) else value.tolist() if isinstance(value, np.ndarray) else value
