"""Where an interval of root thresholds is divided: at events, so that events that coincide part."""

__all__ = ["crossing", "root_events", "shrink_of"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.halves import Halves
from hedgerow.engine.samples import Samples


def root_events(question: int, samples: Samples, *, count_rows: bool) -> FloatArray:
    """Return in increasing order where a root's threshold changes who can be sent to which side, and how costs grow.

    The first and the last are the least and the largest value; where there are candidates, these are all events.
    """
    if samples.points.size:
        return samples.points[samples.first[question] : samples.first[question + 1]]
    values, margin = samples.values[question], samples.margin
    least, largest = values.min(), values.max()
    room = np.minimum(samples.room / samples.prices[question], samples.caps[question])
    events = [values - margin - room, values - margin, values + margin]
    events.append((values + margin + room - samples.step[question])[room >= samples.step[question]])
    if count_rows:
        events.append(values)
    inside = np.unique(np.concatenate(events))
    tiny = 4.0 * shrink_of(question, samples)
    inside = inside[(inside > least + tiny) & (inside < largest - tiny)]
    inside = inside[np.append(True, np.diff(inside) > tiny)] if inside.size else inside
    return np.concatenate([[least], inside, [largest]]) if least < largest else np.empty(0)


def shrink_of(question: int, samples: Samples) -> float:
    """Return by how much a root's threshold must move for events of other questions to move noticeably."""
    return float(np.max(samples.tiny * samples.prices) / samples.prices[question])


@kernel(inline="always")
def _first_to_meet(at_near: FloatArray, at_far: FloatArray, low: float, high: float) -> tuple[int, int]:
    """Return the sample behind `high` that enters first at the far end, and the one before `low` that leaves last.

    Rows are `enters` and `leaves`; −1 where there is no such sample.
    """
    first, last = -1, -1
    for row in range(at_near.shape[1]):
        if at_near[1, row] <= low and (last < 0 or at_far[1, row] > at_far[1, last]):
            last = row
        if at_near[0, row] > high and (first < 0 or at_far[0, row] < at_far[0, first]):
            first = row
    return first, last


@kernel
def crossing(
    side: int,
    root: int,
    near: float,
    far: float,
    at_near: FloatArray,
    at_far: FloatArray,
    samples: Samples,
    count: int,
    halves: Halves,
    samples_that_meet: IntArray,
) -> float:
    """Return where, between `near` and `far`, one of the halves ceases to be possible; NaN if none does.

    The halves are those at the root threshold `near`: the low end for the left side, the high end for the right one.
    `at_near` and `at_far` are the events of children at the two ends. Of several places it is the one closest to the
    middle. Events are taken for linear between the ends; `samples_that_meet` takes the child's question and the two
    samples whose events meet there, or −1 where the child asks the root's question and events are linear.
    """
    middle = 0.5 * (near + far)
    best = np.nan
    for number in range(count):
        question = halves.question[number]
        if question < 0:
            continue
        tiny = samples.tiny[question]
        place = halves.low[number]
        first, last = _first_to_meet(at_near[:, question], at_far[:, question], place, place + tiny)
        at, meet = np.nan, False
        if question == root and side == 0 and place >= near - tiny:
            at = place
        elif question == root and side == 1 and halves.high[number] <= near + tiny:
            at = halves.high[number]
        elif last >= 0 and first >= 0 and at_far[0, question, first] <= at_far[1, question, last]:
            gap = at_near[0, question, first] - at_near[1, question, last]
            gap_far = at_far[0, question, first] - at_far[1, question, last]
            at, meet = near + (far - near) * gap / (gap - gap_far), question != root
        if not np.isnan(at) and (np.isnan(best) or abs(at - middle) < abs(best - middle)):
            best = at
            samples_that_meet[0], samples_that_meet[1], samples_that_meet[2] = question if meet else -1, first, last
    return best
