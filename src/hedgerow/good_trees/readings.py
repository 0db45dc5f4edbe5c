"""The curve of readings: the best worst case with at most 0, 1, 2, … different readings."""

__all__ = ["ReadingsCurve", "ReadingsPoint", "readings_curve"]

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.good_trees.found import _asked
from hedgerow.methods.solve import solve_once
from hedgerow.run import Interrupt, Options, Result
from hedgerow.run.options import generator
from hedgerow.run.wishes import Wishes
from hedgerow.tolerances import VALUE


@dataclass(frozen=True)
class ReadingsPoint:
    """The best tree with at most a given number of different readings.

    Attributes
    ----------
    n_readings
        Most different readings.
    value, bound
        Its worst case, and the bound that no such tree is better than; in the problem's own sign.
    readings
        Names of the readings that it asks about.
    result
        The result of the run.
    """

    n_readings: int
    value: float
    bound: float
    readings: tuple[str, ...]
    result: Result


@dataclass(frozen=True)
class ReadingsCurve:
    """What each further reading is worth.

    Attributes
    ----------
    points
        From no reading to as many as a tree of this depth can use, or as are worth something where questions are about
        several readings.
    unit
        Unit of the costs.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget
    >>> from hedgerow.good_trees import readings_curve
    >>> from hedgerow.problems import Selection
    >>> costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    >>> curve = readings_curve(Instance.create(Selection(2, 1), costs, uncertainty=LocalBudget(0.5), depth=1))
    >>> [(point.n_readings, point.value, point.readings) for point in curve.points]
    [(0, 7.5, ()), (1, 5.5, ('x1',))]
    """

    points: tuple[ReadingsPoint, ...]
    unit: str = ""

    @property
    def table(self) -> Any:
        """The points as a DataFrame."""
        import pandas as pd

        rows = [(point.n_readings, point.value, point.bound, ", ".join(point.readings)) for point in self.points]
        return pd.DataFrame(rows, columns=["readings", "worst_case", "bound", "asked"])


def readings_curve(
    source: Any, *, options: Options | None = None, random_state: Any = None, **changes: Any
) -> ReadingsCurve:
    """Return the best worst case against the number of different readings that a tree may use.

    Parameters
    ----------
    source
        An `Instance`, or a model fitted in this process. Points are proven for depths up to 2, where solutions can be
        listed; elsewhere they are what search finds within the time limit.
    options
        Options of each run; wishes are kept.
    random_state
        A seed.
    **changes
        Single options by name, such as `time_limit` for each point.
    """
    instance, options = _asked(source, options)
    options = options.replace(**changes)
    rng, kept = generator(random_state), options.wishes or Wishes()
    readable = np.unique([item for each in instance.questions for item in each.items]).size
    n_questions, widest = 2**instance.depth - 1, max(len(question.items) for question in instance.questions)
    most, enough = min(readable, n_questions * widest), -np.inf
    if widest > 1:  # with many readings per question the curve ends where it has come down
        best = instance.sign * solve_once(instance, options, None, rng, None, Interrupt())[0].objective
        enough = best + VALUE * abs(best)
    if kept.max_items is not None:
        most = min(most, kept.max_items)
    points: list[ReadingsPoint] = []
    for count in range(most + 1):
        wishes = dataclasses.replace(kept, max_items=count)
        result, _ = solve_once(instance, options.replace(wishes=wishes), None, rng, None, Interrupt())
        if points and instance.sign * (result.objective - points[-1].value) >= -VALUE * abs(result.objective):
            result = points[-1].result  # no better than with one reading less
        asked = tuple(instance.feature_names[item] for item in result.tree.asked_items)
        points.append(ReadingsPoint(count, result.objective, result.lower_bound, asked, result))
        if count >= n_questions and instance.sign * result.objective <= enough:
            break
    return ReadingsCurve(tuple(points), instance.problem.unit)
