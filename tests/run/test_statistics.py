"""The rows of a run: a sequence that becomes a table."""

import dataclasses
import math

from hedgerow.run import Row, Statistics

ROWS = (
    Row(0.5, 1, math.inf, -math.inf),
    Row(1.0, 2, 43.0, 36.0, 'first "tree", found'),
    Row(1.5, 9, 43.0, 43.0, "proof"),
)


def test_a_table_has_a_line_per_row_and_a_column_per_field():
    frame = Statistics(ROWS).to_frame()
    assert list(frame.columns) == [field.name for field in dataclasses.fields(Row)]
    assert [Row(*line) for line in frame.itertuples(index=False)] == list(ROWS)
    assert len(Statistics().to_frame()) == 0
