"""From a description back to the problem: one table of kinds, open to new ones."""

__all__ = ["problem_from_dict", "registry"]

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from hedgerow.checks import in_short
from hedgerow.errors import FileFormatError, InfeasibleProblemError, InputError
from hedgerow.problem import Problem
from hedgerow.problems.assignment import Assignment
from hedgerow.problems.explicit import ExplicitSet
from hedgerow.problems.facility_location import FacilityLocation
from hedgerow.problems.knapsack import Knapsack
from hedgerow.problems.load_shifting import LoadShifting
from hedgerow.problems.mixed_integer import MixedIntegerProblem
from hedgerow.problems.plan_sets import PlanSets
from hedgerow.problems.scheduling import Scheduling
from hedgerow.problems.selection import Selection
from hedgerow.problems.shortest_path import ShortestPath
from hedgerow.problems.spanning_tree import SpanningTree
from hedgerow.problems.travelling_salesman import TravellingSalesman

Reader: TypeAlias = Callable[[Mapping[str, Any]], Problem]

registry: dict[str, Reader] = {
    "assignment": Assignment.from_dict,
    "explicit": ExplicitSet.from_dict,
    "facility_location": FacilityLocation.from_dict,
    "grid": ShortestPath.from_dict,
    "knapsack": Knapsack.from_dict,
    "load_shifting": LoadShifting.from_dict,
    "scheduling": Scheduling.from_dict,
    "mixed_integer": MixedIntegerProblem.from_dict,
    "plan_sets": PlanSets.from_dict,
    "selection": Selection.from_dict,
    "shortest_path": ShortestPath.from_dict,
    "spanning_tree": SpanningTree.from_dict,
    "travelling_salesman": TravellingSalesman.from_dict,
}
"""What reads each kind of description; a new kind of problem adds a line here."""


def problem_from_dict(data: Any) -> Problem:
    """Return the problem that `to_dict` described, with every field checked.

    Raises
    ------
    FileFormatError
        If the description is not one, is damaged, too large, or of an unknown kind.

    Examples
    --------
    >>> from hedgerow.problems import problem_from_dict
    >>> problem_from_dict({"kind": "grid", "size": 4})
    ShortestPath.grid(4)
    """
    if not isinstance(data, Mapping):
        raise FileFormatError(f"a problem's description must be a table of fields; got a {type(data).__name__}.")
    kind = data.get("kind")
    reader = registry.get(kind) if isinstance(kind, str) else None
    if reader is None:
        given = "none" if kind is None else in_short(kind)
        raise FileFormatError(f"a problem's kind must be one of {', '.join(sorted(registry))}; got {given}.")
    try:
        return reader(data)
    except (InputError, InfeasibleProblemError) as error:
        raise FileFormatError(
            f"this description of a problem of kind {in_short(kind)} can't be used: {error}"
        ) from error
