"""Context as numbers: what is known beside the readings, such as the weekday, the weather or whether the crane is out.

A column of numbers or flags is a feature as it stands. A column of text is a category: each set of its values that a
question may name is a feature of its own, 0 where the value is in the set and 1 elsewhere. A column of dates gives
columns for weekday, month, half-year and, with times of day, hour.
"""

from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import check_n_rows, in_short, number_array, unique_names
from hedgerow.data.table import frame_of, no_column
from hedgerow.errors import InputError
from hedgerow.tree.questions import ContextColumn, Feature
from hedgerow.wording.numbers import printable

if TYPE_CHECKING:
    import pandas as pd

MISSING: Final = "missing"
"""The value of a category where the table has none."""

_ALL_SETS: Final = 8
"""Up to this many values of a category, every set of them is a candidate."""
_MOST_VALUES: Final = 100

_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_HALF_YEARS: Final = {True: "Apr to Sep", False: "Oct to Mar"}

CategoryOrders: TypeAlias = Callable[[], FloatArray]
"""Returns numbers per row, one column for each order: a category's values are sorted by their mean in each of them."""


# -- learning features -------------------------------------------------------------------------------------------------


def context_frame(table: Any, n_rows: int | None = None) -> "pd.DataFrame":
    """Return a table of context as a DataFrame with a row per sample; the columns of an array are "feature 0", …."""
    import pandas as pd

    frame = frame_of(table)
    if frame is None:
        matrix = number_array(table, "context")
        if matrix.ndim != 2:
            raise InputError("context must be a table with one row per sample.")
        frame = pd.DataFrame(matrix, columns=[f"feature {place}" for place in range(matrix.shape[1])])
    check_n_rows(len(frame), n_rows, "context")
    return frame.set_axis(unique_names([str(name) for name in frame.columns], "the columns of context"), axis=1)


def beside(readings: Any, names: Sequence[str], context: Any) -> "pd.DataFrame":
    """Return one table with readings and context beside each other; the names are those of an array's readings."""
    import pandas as pd

    if frame_of(readings) is None:
        readings = pd.DataFrame(number_array(readings, "readings"), columns=list(names))
    left = context_frame(readings)
    right = context_frame(context, len(left))
    right = right[[name for name in right.columns if name not in left.columns]]
    return pd.concat([left.reset_index(drop=True), right.reset_index(drop=True)], axis=1).set_axis(left.index)


def context_features(frame: "pd.DataFrame", orders: CategoryOrders) -> tuple[Feature, ...]:
    """Return the features of a table of context: what a tree may ask about it.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"wind": [3.0, 8.0, 5.0], "crane": ["in", "out", "in"]})
    >>> [feature.name for feature in context_features(frame, orders=lambda: np.empty((3, 0)))]
    ['wind', 'crane is out']
    """
    features = list[Feature]()
    for column, cells in _columns(frame):
        if column.values:
            features += [Feature(column, values) for values in _sets(column.values, cells, orders)]
        else:
            features.append(Feature(column))
    return tuple(features)


def _columns(frame: "pd.DataFrame") -> Iterable[tuple[ContextColumn, Any]]:
    """Yield what each column is to a tree, with its cells; texts that name rows, or never differ, are left out."""
    dates = [str(name) for name, cells in frame.items() if _is_date(cells)]
    for name, cells in frame.items():
        if str(name) not in dates:
            yield from _column(str(name), cells)
            continue
        for part, values in _parts_of_dates(cells).items():
            own = part if len(dates) == 1 and part not in frame.columns else f"{name} {part}"
            yield from _column(own, values, date=str(name))


def _column(name: str, cells: "pd.Series[Any]", date: str = "") -> Iterable[tuple[ContextColumn, Any]]:
    if _is_number(cells):
        numbers = _numbers(cells, name)
        known = numbers[~np.isnan(numbers)]
        if known.size:
            yield ContextColumn(name, date=date, typical=float(np.median(known))), numbers
        return
    texts = _texts(cells)
    values = tuple(sorted(set(texts), key=_calendar_place))
    if names_rows(cells):
        return
    if len(values) > _MOST_VALUES:
        raise InputError(
            f"context column {in_short(name)} has {len(values)} different texts; a category may have at most "
            f"{_MOST_VALUES}. Drop it, or group its values."
        )
    if len(values) > 1:
        yield ContextColumn(name, values, date), np.array(texts, dtype=object)


def names_rows(cells: "pd.Series[Any]") -> bool:
    """Return whether a column holds texts that all differ, such as an id: nothing to ask about another day."""
    return not _is_number(cells) and not _is_date(cells) and len(set(_texts(cells))) == len(cells)


def _sets(values: tuple[str, ...], cells: Any, orders: CategoryOrders) -> Iterable[tuple[str, ...]]:
    """Return the sets of a category's values that a question may name, each split of the values once.

    Of the two sides of a split the one with fewer training rows is named. Where the values are many, the sets are the
    single values, and the first ones in each of the given orders.
    """
    place = {value: number for number, value in enumerate(values)}
    codes = np.array([place[value] for value in cells])
    count, n_values = np.bincount(codes, minlength=len(values)), len(values)
    if n_values <= _ALL_SETS:
        # Each split is met with the last value on its right side.
        masks = range(1, 2 ** (n_values - 1))
        sides = [frozenset(number for number in range(n_values) if mask >> number & 1) for mask in masks]
    else:
        sides = [frozenset([number]) for number in range(n_values)]
        sides += [frozenset(order[:size]) for order in in_order(orders(), codes) for size in range(1, n_values)]
    splits: dict[frozenset[int], None] = {}
    for side in sides:
        other = frozenset(range(n_values)) - side
        if side not in splits and other not in splits:
            splits[_smaller(side, other, count)] = None
    return [tuple(values[number] for number in sorted(side)) for side in splits]


def in_order(scores: FloatArray, codes: IntArray) -> list[list[int]]:
    """Return the codes of a category sorted by their mean score, for each column of scores.

    >>> in_order(np.array([[5.0], [1.0], [3.0]]), np.array([0, 1, 0]))
    [[1, 0]]
    """
    count = np.bincount(codes)
    means = [np.bincount(codes, weights=score) / count for score in scores.T]
    return [np.argsort(mean, kind="stable").tolist() for mean in means]


def _smaller(side: frozenset[int], other: frozenset[int], count: IntArray) -> frozenset[int]:
    return min(side, other, key=lambda each: (int(count[list(each)].sum()), len(each), sorted(each)))


def _calendar_place(value: str) -> tuple[int, str]:
    """Sort weekdays and months as in the calendar, other texts by the alphabet, and what is missing last."""
    for names in (_WEEKDAYS, _MONTHS):
        if value in names:
            return names.index(value), ""
    return (len(_MONTHS), value) if value != MISSING else (len(_MONTHS) + 1, "")


# -- features of rows --------------------------------------------------------------------------------------------------


def context_matrix(features: Sequence[Feature], frame: "pd.DataFrame") -> FloatArray:
    """Return the features of some rows, rows × features; gaps in numbers are filled in.

    A column that is read off dates may be in the table itself, or the column of dates.

    >>> import pandas as pd
    >>> feature = Feature(ContextColumn("weekday", date="day", values=("Sat", "Sun")), ("Sun",))
    >>> context_matrix([feature], pd.DataFrame({"day": pd.to_datetime(["2026-11-14", "2026-11-15"])}))
    array([[1.],
           [0.]])
    """
    matrix = np.empty((len(frame), len(features)))
    cells: dict[ContextColumn, Any] = {}
    for place, feature in enumerate(features):
        column = feature.column
        if column not in cells:
            cells[column] = _cells(column, frame)
        if feature.values:
            matrix[:, place] = ~np.isin(cells[column], feature.values)
        else:
            matrix[:, place] = np.where(np.isnan(cells[column]), column.typical, cells[column])
    return frozen(matrix)


def new_values(features: Sequence[Feature], frame: "pd.DataFrame") -> list[tuple[str, ...]]:
    """Return per row the categories whose value the fit never saw.

    >>> feature = Feature(ContextColumn("crane", values=("in", "out")), ("out",))
    >>> new_values([feature], context_frame([{"crane": "in"}, {"crane": "stuck"}]))
    [(), ('crane stuck (new)',)]
    """
    notes: list[list[str]] = [[] for _ in range(len(frame))]
    for column in dict.fromkeys(feature.column for feature in features if feature.values):
        for note, value in zip(notes, _cells(column, frame).tolist(), strict=True):
            if value not in (*column.values, MISSING):
                note.append(printable(f"{column.name} {value} (new)"))
    return [tuple(note) for note in notes]


def _cells(column: ContextColumn, frame: "pd.DataFrame") -> Any:
    """Return a column's cells: numbers with NaN for gaps, or texts."""
    if column.name in frame.columns:
        cells = frame[column.name]
    elif column.date and column.date in frame.columns:
        dates = frame[column.date]
        if not _is_date(dates):
            raise InputError(f"column {in_short(column.date)} must hold dates.")
        part = column.name.removeprefix(f"{column.date} ")
        cells = _parts_of_dates(dates, with_hour=True)[part]
    else:
        raise InputError(no_column("the rows of context", [column.name], [str(name) for name in frame.columns]))
    return np.array(_texts(cells), dtype=str) if column.values else _numbers(cells, column.name)


def _parts_of_dates(dates: "pd.Series[Any]", with_hour: bool = False) -> "dict[str, pd.Series[Any]]":
    """Return what a tree may ask about dates, by name."""
    import pandas as pd

    moments = pd.to_datetime(dates)
    calendar = {
        "weekday": moments.dt.day_name().str[:3],
        "month": moments.dt.month_name().str[:3],
        "half-year": moments.dt.month.between(4, 9).map(_HALF_YEARS.get).where(moments.notna(), None),
    }
    if with_hour or (moments.dt.normalize() != moments).where(moments.notna(), False).any():
        calendar["hour"] = moments.dt.hour.astype("float64")
    return calendar


def _is_date(cells: "pd.Series[Any]") -> bool:
    from pandas.api.types import infer_dtype, is_datetime64_any_dtype

    return is_datetime64_any_dtype(cells.dtype) or infer_dtype(cells, skipna=True) in ("date", "datetime", "datetime64")


def _is_number(cells: "pd.Series[Any]") -> bool:
    from pandas.api.types import infer_dtype, is_numeric_dtype

    if hasattr(cells.dtype, "categories"):
        return False
    kind = infer_dtype(cells, skipna=True)
    numbers = ("boolean", "integer", "floating", "mixed-integer-float", "decimal", "empty")
    return (is_numeric_dtype(cells.dtype) and kind != "complex") or kind in numbers


def _numbers(cells: "pd.Series[Any]", name: str) -> FloatArray:
    """Return cells as numbers, with NaN for gaps; flags are 0 and 1."""
    if not _is_number(cells):
        other = next((entry for entry in cells.dropna() if not isinstance(entry, Real)), cells.iloc[0])
        raise InputError(f"context column {in_short(name)} must hold numbers; got {in_short(other)}.")
    numbers: FloatArray = np.asarray(cells.to_numpy(np.float64, na_value=np.nan))
    if np.isinf(numbers).any():
        raise InputError(f"context column {in_short(name)} must hold finite numbers.")
    return numbers


def _texts(cells: "pd.Series[Any]") -> list[str]:
    """Return a category's values as text, blanks around them left out."""
    texts = cells.astype(object).map(lambda cell: str(cell).strip().removesuffix(".0"))
    return [MISSING if gap or not text else text for gap, text in zip(cells.isna(), texts, strict=True)]
