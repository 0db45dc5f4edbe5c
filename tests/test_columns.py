"""Observing something else than costs: which features may be asked about, and what misreading them takes."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError, Instance, LocalBudget, RobustTree, Tree, evaluate
from hedgerow.data.table import number_matrix
from hedgerow.problems import Selection

COSTS = np.array([[1.0, 5.0], [2.0, 6.0], [5.0, 1.0], [6.0, 2.0]])
CHOICE = Selection(2, 1)
WEEKDAY = [0, 1, 5, 6]


def frame(**columns):
    return pd.DataFrame({**columns, "wind": [3.0, 8.0, 4.0, 7.0]})


@pytest.mark.parametrize(
    "column",
    [
        [False, False, True, True],
        pd.array([False, False, True, True], dtype="boolean"),
        pd.array([0, 0, 1, 1], dtype="Int64"),
        np.array([0, 0, 1, 1], dtype=np.int8),
    ],
    ids=["bool", "nullable bool", "nullable integer", "small integer"],
)
def test_truth_values_and_integers_are_numbers(column):
    observed = number_matrix(frame(weekend=column), None, "observations")
    assert observed[:, 0].tolist() == [0.0, 0.0, 1.0, 1.0]


class OtherFrame:
    """A frame of another library, such as polars: names in `columns`, and columns that numpy understands."""

    def __init__(self, **columns):
        self.columns, self._columns = list(columns), columns

    def __len__(self):
        return len(next(iter(self._columns.values())))

    def __getitem__(self, name):
        return np.asarray(self._columns[name])


def arrow_table(**columns):
    pa = pytest.importorskip("pyarrow")
    return pa.table(columns)


@pytest.mark.parametrize("kind", [OtherFrame, arrow_table])
def test_frames_of_other_libraries_are_matched_by_name(kind):
    seen = kind(day=["Mon", "Tue"], wind=[3.0, 8.0], temp=[20, 21])
    assert number_matrix(seen, ["temp", "wind"], "readings").tolist() == [[20.0, 3.0], [21.0, 8.0]]
    with pytest.raises(InputError, match=r"no column for 'gust'\. There are 'day', 'wind', 'temp'"):
        number_matrix(seen, ["temp", "gust"], "readings")
    with pytest.raises(InputError, match="column 'day' holds text such as 'Mon'"):
        number_matrix(seen, ["temp", "day"], "readings")
    missing = kind(wind=np.array([3.0, np.nan]))
    assert np.isnan(number_matrix(missing, ["temp", "wind"], "readings", gaps=True)).tolist() == [[1, 0], [1, 1]]
    with pytest.raises(InputError, match="finite numbers; got NaN at row 1, column 'wind'"):
        number_matrix(missing, ["wind"], "readings")


@pytest.mark.parametrize(
    ("observations", "message"),
    [
        (frame(sky=list("abca")), "column 'sky' holds text such as 'a'. .* map it to integers.*get_dummies"),
        (frame(day=pd.date_range("2017-12-28", periods=4)), "column 'day' holds values such as .*weekday"),
        (frame(gust=["9,0", "1,5", "2,0", "3,0"]), "text such as '9,0'. Read the file with decimal commas"),
        ([["9,0", 1.0]], "got text, such as '9,0'"),
        (frame(gust=[1.0, None, 2.0, 3.0]), "finite numbers; got NaN at row 1, column 'gust'"),
    ],
)
def test_what_has_no_order_is_refused_with_advice(observations, message):
    with pytest.raises(InputError, match=message):
        Instance.create(CHOICE, COSTS[: len(observations)], observed=observations)
    model = RobustTree(CHOICE, depth=1, method="exact").fit(COSTS, context=frame(first=WEEKDAY))
    with pytest.raises(InputError, match=message if isinstance(observations, list) else "numbers|no column"):
        model.predict(observations)


def tree():
    return Tree.full([0], [3.0], [[1.0, 0.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("options", "moved"),
    [
        ({}, [0, 1, 2, 3]),
        ({"limits": [0.0, np.inf]}, []),  # a weekday is never misread
        ({"limits": [2.5, np.inf]}, [1, 2]),
        ({"prices": [1.0, 9.0]}, [0, 1, 2, 3]),
        ({"prices": [2.0, 1.0]}, [2]),  # from 5 to 3 takes 2 steps at 2 each; from 1 beyond 3 a little more
    ],
)
def test_limits_and_prices_are_per_feature(options, moved):
    observations = np.column_stack([WEEKDAY, [3.0, 8.0, 4.0, 7.0]])
    result = evaluate(tree(), CHOICE, COSTS, LocalBudget(4.0, **options), context=observations)
    assert result.attack.moved.tolist() == moved
    assert result.nominal == 6.0


@pytest.mark.parametrize(
    "column",
    [pd.date_range("2024-01-01", periods=4), ["9,0"] * 4, [1j] * 4],
    ids=["dates", "text", "complex"],
)
def test_context_of_another_kind_than_at_the_fit_is_refused(column):
    """Weekdays are read off dates."""
    known = pd.DataFrame({"wind": [1.0, 8.0, 2.0, 9.0], "day": pd.date_range("2024-01-05", periods=4)})
    model = RobustTree(CHOICE, depth=2, method="exact").fit(COSTS, context=known)
    assert {each.column.name for each in model.tree_.context} <= {"wind", "day weekday", "weekday"}
    alone = RobustTree(CHOICE, depth=1, method="exact").fit(COSTS[[0, 2, 1, 3]], context=known[["wind"]])
    with pytest.raises(InputError, match="context column 'wind' must hold numbers; got"):
        alone.predict(known.assign(wind=column))
