"""The result: the gap's definition, one line that tells it, and its rows as a table; versions for bug reports."""

import dataclasses
import math
import platform

import pytest

import hedgerow
from hedgerow import Tree
from hedgerow.run import Result, Row, Statistics
from hedgerow.run.result import relative_gap


def result(**changes):
    fields = {
        "tree": Tree.single([1.0]),
        "objective": 43.0,
        "nominal": 36.0,
        "lower_bound": 40.0,
        "status": "time_limit",
        "runtime": 1.5,
        "method": "exact",
        "thresholds": "midpoints",
        "iterations": 7,
        "statistics": Statistics(),
    }
    return Result(**{**fields, **changes})


def test_the_gap_is_relative_to_the_objective():
    assert result().gap == pytest.approx(3.0 / 43.0)
    assert result(objective=-43.0, lower_bound=-46.0).gap == pytest.approx(3.0 / 43.0)


def test_at_an_objective_of_zero_the_gap_is_relative_to_a_billionth():
    assert relative_gap(0.0, 0.0) == 0.0
    assert relative_gap(0.0, -1e-9) == 1.0


@pytest.mark.parametrize("bound", [-math.inf, math.inf])
def test_without_a_bound_the_gap_is_infinite(bound):
    assert result(lower_bound=bound).gap == math.inf
    assert relative_gap(math.inf, 1.0) == math.inf


def test_it_is_told_in_one_line():
    assert repr(result()) == (
        "Result(objective=43, lower_bound=40, gap=0.0698, status='time_limit', method='exact', runtime=1.50)"
    )


def test_a_table_has_a_line_per_row_and_a_column_per_field():
    rows = [
        Row(0.5, 1, math.inf, -math.inf),
        Row(1.0, 2, 43.0, 36.0, 'first "tree", found'),
        Row(1.5, 9, 43.0, 43.0, "proof"),
    ]
    frame = Statistics(rows).to_frame()
    assert list(frame.columns) == [field.name for field in dataclasses.fields(Row)]
    assert [Row(*line) for line in frame.itertuples(index=False)] == rows
    assert len(Statistics().to_frame()) == 0


def test_versions_of_python_the_package_and_its_dependencies_are_printed(capsys):
    hedgerow.show_versions()
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith(f"Python {platform.python_version()} on ")
    names = {line.split(" ")[0] for line in others}
    assert {"hedgerow", "numpy", "joblib", "rich"} <= names
