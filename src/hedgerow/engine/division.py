"""Where an interval of root thresholds is divided: at events, so that events that coincide part."""

__all__ = ["crossing", "root_events", "shrink_of"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.compiled import kernel
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
    n_samples = samples.room.size
    middle = 0.5 * (near + far)
    best = np.nan
    for number in range(count):
        question = halves.question[number]
        if question < 0:
            continue
        tiny = samples.tiny[question]
        near_in, near_out, far_in, far_out = (
            at_near[0, question],
            at_near[1, question],
            at_far[0, question],
            at_far[1, question],
        )
        place = halves.low[number]
        last, first = -1, -1
        for row in range(n_samples):
            if near_out[row] <= place and (last < 0 or far_out[row] > far_out[last]):
                last = row
            if near_in[row] > place + tiny and (first < 0 or far_in[row] < far_in[first]):
                first = row
        at, meet = np.nan, False
        if question == root and side == 0 and place >= near - tiny:
            at = place
        elif question == root and side == 1 and halves.high[number] <= near + tiny:
            at = halves.high[number]
        elif last >= 0 and first >= 0 and far_in[first] <= far_out[last]:
            gap, gap_far = near_in[first] - near_out[last], far_in[first] - far_out[last]
            at, meet = near + (far - near) * gap / (gap - gap_far), question != root
        if not np.isnan(at) and (np.isnan(best) or abs(at - middle) < abs(best - middle)):
            best = at
            samples_that_meet[0], samples_that_meet[1], samples_that_meet[2] = question if meet else -1, first, last
    return best
