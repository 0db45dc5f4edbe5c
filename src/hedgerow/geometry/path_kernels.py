"""Move costs of whole paths, compiled; see `hedgerow.geometry.kernels`.

Where questions share items, the path falls apart into groups of questions that share them; their costs add up. Two
questions without limits are looked up in the lists of `hedgerow.geometry.pairs`; larger groups, and any with limits,
are a small LP each.
"""

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.geometry.kernels import Geometry, Path, change_range, link_questions, pair_cost, single_cost
from hedgerow.geometry.least_change import least_change


@kernel(inline="always")
def _group_cost(place: int, path: Path, row: int, before: float, enough: float, geometry: Geometry) -> float:
    """Return what the questions of a group cost together, from an LP if no two of them cost too much already."""
    count, question, group, least, most = path
    n_rows, n_entries = 0, 0
    for one in range(place, count):
        if group[one] != place:
            continue
        n_rows += 1
        n_entries += geometry.start[question[one] + 1] - geometry.start[question[one]]
        for two in range(one + 1, count):
            if group[two] == place:
                pair = pair_cost(question[one], least[one], most[one], question[two], least[two], most[two], geometry)
                if before + pair > enough:
                    return np.inf
    # The group's items, each once, in the order in which the questions name them.
    items, n_items = np.empty(n_entries, np.int64), 0
    matrix = np.zeros((n_rows, n_entries))
    ends = np.empty((2, n_rows))
    here = 0
    for one in range(place, count):
        if group[one] != place:
            continue
        ends[0, here], ends[1, here] = least[one], most[one]
        for entry in range(geometry.start[question[one]], geometry.start[question[one] + 1]):
            at = 0
            while at < n_items and items[at] != geometry.item[entry]:
                at += 1
            if at == n_items:
                items[at] = geometry.item[entry]
                n_items += 1
            matrix[here, at] = geometry.coefficient[entry]
        here += 1
    price, limit, change = np.empty(n_items), np.empty(n_items), np.empty(n_items)
    limits_row = row if geometry.limits.shape[0] > 1 else 0
    for at in range(n_items):
        price[at] = geometry.prices[items[at]]
        limit[at] = geometry.limits[limits_row, items[at]]
    return float(least_change(matrix, price, limit, ends[0], ends[1], change))


@kernel
def linked_cost(path: Path, row: int, enough: float, geometry: Geometry) -> float:
    """Return what it takes to change the values of a path's questions by amounts within their ranges.

    `row` is the sample, for its entry limits, and costs above `enough` may be returned as ∞.
    """
    count, question, group, least, most = path
    total = 0.0
    for place in range(count):
        if group[place] != place:
            continue
        part, size, partner = 0.0, 0, place
        for other in range(place, count):
            if group[other] == place:
                size += 1
                partner = other
                part = max(part, single_cost(question[other], least[other], most[other], row, geometry))
        if 0.0 < part < np.inf and size > 1:
            if size == 2 and not geometry.limited:
                one, two = question[place], question[partner]
                part = pair_cost(one, least[place], most[place], two, least[partner], most[partner], geometry)
            elif total + part <= enough:
                # The LP's tolerances must not make a short way free.
                group_cost = _group_cost(place, path, row, total, enough, geometry)
                part = max(part, group_cost)
        total += part
        if total > enough:
            return np.inf
    return total


@kernel
def leaf_costs(
    values: FloatArray,
    question: IntArray,
    lower: FloatArray,
    upper: FloatArray,
    geometry: Geometry,
    enough: float,
    out: FloatArray,
) -> None:
    """Write into `out[j, k]` what it takes to move sample j into leaf k.

    `values` are samples × questions. Leaves × places are the questions on each leaf's path, each once, and their
    intervals; places without bounds are skipped. `enough` is as in `linked_cost`.
    """
    numbers, ends = np.empty((2, question.shape[1]), np.int64), np.empty((4, question.shape[1]))
    asked, group = numbers[0], numbers[1]
    lows, highs, least, most = ends[0], ends[1], ends[2], ends[3]
    for leaf in range(question.shape[0]):
        count = 0
        for place in range(question.shape[1]):
            if lower[leaf, place] > -np.inf or upper[leaf, place] < np.inf:
                asked[count] = question[leaf, place]
                lows[count], highs[count] = lower[leaf, place], upper[leaf, place]
                count += 1
        linked = link_questions(count, asked, geometry, group)
        path = Path(count, asked, group, least, most)
        for row in range(values.shape[0]):
            for place in range(count):
                value = values[row, asked[place]]
                least[place], most[place] = change_range(value, lows[place], highs[place], geometry.epsilon)
            total = 0.0
            if linked:
                total = linked_cost(path, row, enough, geometry)
            else:
                for place in range(count):
                    total += single_cost(asked[place], least[place], most[place], row, geometry)
            out[row, leaf] = total
