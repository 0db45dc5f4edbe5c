"""The workbook: what a planner sees, text that stays text, and thresholds with all their digits."""

import io

import numpy as np
import openpyxl

from hedgerow import RuleBook, Tree
from hedgerow.export import export
from hedgerow.rules import Labels
from hedgerow.wording.numbers import printable
from tests.export.excel_engine import decisions
from tests.export.test_sql import SOURCE
from tests.export.trees import HOSTILE, tree_file, wide_tree


def opened(source):
    return openpyxl.load_workbook(io.BytesIO(export(source, "excel")))


def test_without_usual_values_all_readings_are_needed():
    readings = np.array([[np.nan, np.nan], [35.0, np.nan], [36.0, -2.5], [30.0, 1.0]])
    none = ("No advice yet: all readings are needed", "")
    assert decisions(export(SOURCE, "excel"), readings) == [none, none, ("it's B", 1), ("A", 0)]


def test_the_sheet_asks_only_about_what_the_tree_asks_with_its_unit():
    names = [f"item {number}" for number in range(2000)]
    tree = Tree.full([1999, 7, 7], [1.0, 2.0, 3.0], np.eye(4, 2000))
    sheet = opened(tree_file(tree, names, unit="min"))["Advice"]
    assert [[cell.value for cell in row[:3]] for row in sheet["A8:C10"]] == [
        ["Reading", "Value", "Unit"],
        ["item 7", None, "min"],
        ["item 1999", None, "min"],
    ]


def test_thresholds_keep_all_their_digits():
    tree = wide_tree()
    cells = opened(tree_file(tree))["Tree"]["E"][1:]
    written = np.array([np.nan if cell.value is None else cell.value for cell in cells])
    np.testing.assert_array_equal(written, tree.threshold)


def test_names_are_text_whatever_they_begin_with():
    sheet = opened(tree_file(wide_tree()))["Advice"]
    cells = [sheet[f"A{row}"] for row in range(9, 9 + len(HOSTILE))]
    assert [cell.value for cell in cells] == [printable(name) for name in HOSTILE]
    assert {cell.data_type for cell in cells} == {"s"}
    assert {cell.value for cell in cells if cell.quotePrefix} == {"=cmd()", "+1+1", "-1", "@SUM(A1)"}


def test_text_beyond_a_cell_s_limit_is_cut():
    source = RuleBook(Tree.full([0], [1.0], np.eye(2)), ("x" * 40_000,), labels=Labels(advice=("=" * 40_000, "B")))
    sheet = opened(source)["Advice"]
    assert sheet["A9"].value == "x" * 32_767
