"""Models are checked when they are made."""

import numpy as np

from hedgerow.mip.linear_model import LinearModel


def test_large_sides_are_infinite_and_rows_without_names_are_numbered():
    model = LinearModel.create(
        ["x", "y"],
        cost=[1, 2],
        matrix=[[1, 1]],
        row_lower=[1],
        row_upper=[1e30],
        lower=[0, 0],
        upper=[1, 1],
        integer=[True, True],
    )
    assert (model.n_columns, model.n_rows, model.row_names) == (2, 1, ("row 1",))
    assert np.isposinf(model.row_upper).all()
