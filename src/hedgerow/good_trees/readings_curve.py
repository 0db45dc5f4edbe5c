"""The curve of readings: the best worst case with at most 0, 1, 2, … different readings."""

__all__ = ["ReadingsCurve", "ReadingsPoint", "readings_curve"]

import dataclasses
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hedgerow.data.display import Tabular
from hedgerow.good_trees.collection import source_of
from hedgerow.methods.solve import solve_once
from hedgerow.methods.warm_up import prepare
from hedgerow.rules.verbs import reader
from hedgerow.run import Deadline, Interrupt, Options, Result
from hedgerow.run.options import generator
from hedgerow.run.wishes import Wishes
from hedgerow.tolerances import VALUE
from hedgerow.wording.numbers import amount, counted

_LEAST_SECONDS: Final = 1e-3


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


@dataclass(frozen=True, repr=False)
class ReadingsCurve(Tabular):
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

    def __repr__(self) -> str:
        return f"ReadingsCurve({len(self.points)} points)"

    @property
    def summary(self) -> str:
        """What readings are worth, in a sentence."""
        first, last = self.points[0].value, self.points[-1].value
        enough = next(point for point in self.points if point.value == last)
        values = f"{amount(first, self.unit)} without a reading and {amount(last, self.unit)}"
        return f"The best worst case is {values} with {counted(enough.n_readings, 'different reading')}."

    def plot(self, ax: Any = None) -> Any:
        """Draw the curve on matplotlib's axes, or on a new figure if None; return the axes."""
        return reader("plot.curves", "draw_readings")(self, ax)

    def to_frame(self) -> Any:
        """Return the points as a DataFrame."""
        import pandas as pd

        rows = [(point.n_readings, point.value, point.bound, ", ".join(point.readings)) for point in self.points]
        return pd.DataFrame(rows, columns=["readings", "worst_case", "bound", "asked"])


def readings_curve(
    source: Any,
    *,
    options: Options | None = None,
    random_state: Any = None,
    interrupt: Interrupt | None = None,
    **changes: Any,
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
    interrupt
        Stops the search from another thread; the curve ends where it was.
    **changes
        Single options by name, such as `time_limit` for the whole call.
    """
    instance, options = source_of(source, options)
    options = options.replace(**changes)
    prepare(instance, options)
    interrupt = Interrupt() if interrupt is None else interrupt
    deadline, rng, own = Deadline(options.time_limit), generator(random_state), options.wishes or Wishes()
    readable = np.unique([item for each in instance.questions for item in each.items]).size
    n_questions, widest = 2**instance.depth - 1, max(len(question.items) for question in instance.questions)
    most, enough = min(readable, n_questions * widest), -np.inf
    if own.max_items is not None:
        most = min(most, own.max_items)

    def solved(options: Options, n_left: int) -> Result:
        seconds = None if options.time_limit is None else max(_LEAST_SECONDS, deadline.remaining() / n_left)
        return solve_once(instance, options.replace(time_limit=seconds), None, rng, None, interrupt)[0]

    if widest > 1:  # with many readings per question the curve ends where it has come down
        best = instance.sign * solved(options, most + 2).objective
        enough = best + VALUE * abs(best)
    points: list[ReadingsPoint] = []
    for count in range(most + 1):
        if points and (interrupt.requested or deadline.passed()):
            break
        wishes = dataclasses.replace(own, max_items=count)
        result = solved(options.replace(wishes=wishes), most + 1 - count)
        if points and instance.sign * (result.objective - points[-1].value) >= -VALUE * abs(result.objective):
            result = points[-1].result  # no better than with one reading less
        asked = tuple(instance.feature_names[item] for item in result.tree.asked_items)
        points.append(ReadingsPoint(count, result.objective, result.lower_bound, asked, result))
        if count >= n_questions and instance.sign * result.objective <= enough:
            break
    return ReadingsCurve(tuple(points), instance.problem.unit)
