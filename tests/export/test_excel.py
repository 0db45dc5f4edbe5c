"""The workbook: what a planner sees, text that stays text, and thresholds with all their digits."""

import io
import sys

import numpy as np
import openpyxl
import pytest

from hedgerow import InputError, RuleBook, Tree
from hedgerow.export import excel, export
from hedgerow.rules import Labels
from hedgerow.wording.numbers import printable
from tests.export.excel_engine import decisions
from tests.export.test_sql import SOURCE
from tests.export.trees import HOSTILE, comparing_tree, tree_file, wide_tree


def opened(source):
    return openpyxl.load_workbook(io.BytesIO(export(source, "excel")))


def test_an_empty_cell_on_the_way_is_told_by_name_and_others_are_not_needed():
    readings = np.array([[np.nan, np.nan], [35.0, np.nan], [36.0, np.nan], [36.0, -2.5], [np.nan, 1.0]])
    assert decisions(export(SOURCE, "excel"), readings) == [
        ("No advice yet: a number is needed for bridge", ""),
        ("A", 0),
        ("No advice yet: a number is needed for tunnel", ""),
        ("it's B", 1),
        ("No advice yet: a number is needed for bridge", ""),
    ]


def test_the_sheet_asks_only_about_what_the_tree_asks_with_its_unit():
    names = [f"item {number}" for number in range(2000)]
    tree = Tree.full([1999, 7, 7], [1.0, 2.0, 3.0], np.eye(4, 2000))
    sheet = opened(tree_file(tree, names, unit="min"))["Advice"]
    assert [[cell.value for cell in row[:3]] for row in sheet["A8:C10"]] == [
        ["Reading", "Value", "Unit"],
        ["item 7", None, "min"],
        ["item 1999", None, "min"],
    ]


def test_questions_stand_on_a_sheet_with_their_coefficients():
    book = tree_file(comparing_tree())
    rows = list(opened(book)["Questions"].iter_rows(min_row=2, values_only=True))
    assert [row[0] for row in rows] == [printable(book.label(question)) for question in book.tree.questions]
    for row, question in zip(rows, book.tree.questions, strict=True):
        assert row[3 : 3 + len(question.items)] == question.coefficients


def test_thresholds_keep_all_their_digits():
    tree = wide_tree()
    cells = opened(tree_file(tree))["Tree"]["D"][1:]
    written = np.array([np.nan if cell.value is None else cell.value for cell in cells])
    np.testing.assert_array_equal(written, tree.threshold)


def test_formulas_stand_only_where_the_workbook_decides():
    workbook = opened(tree_file(wide_tree()))
    formulas = {
        sheet.title: {cell.coordinate for row in sheet for cell in row if cell.data_type == "f"} for sheet in workbook
    }
    first, last = 9, 8 + len(HOSTILE)
    step = last + 4
    walk = {f"{column}{row}" for column in "ABCDE" for row in range(step, step + 7)} - {f"A{step}"}
    assert formulas.pop("Advice") == {
        "B4",
        "B5",
        *(f"{column}{row}" for column in "DG" for row in range(first, last + 1)),
        *walk,
    }
    assert formulas.pop("Questions") == {f"C{row + 2}" for row in range(len(HOSTILE))}
    assert set(map(len, formulas.values())) == {0}


def test_names_are_text_whatever_they_begin_with():
    sheet = opened(tree_file(wide_tree()))["Advice"]
    cells = [sheet[f"A{row}"] for row in range(9, 9 + len(HOSTILE))]
    assert [cell.value for cell in cells] == [printable(name) for name in HOSTILE]
    assert {cell.data_type for cell in cells} == {"s"}
    assert {cell.value for cell in cells if cell.quotePrefix} == {"=cmd()", "+1+1", "-1", "@SUM(A1)"}


def test_rules_and_solutions_can_be_read():
    workbook = opened(SOURCE)
    assert [cell.value for cell in workbook["Rules"]["B"][1:]] == export(SOURCE, "rules").splitlines()
    rows = [[cell.value for cell in row] for row in workbook["Solutions"]]
    assert rows == [
        ["Leaves", "Advice", "Entry", "Value"],
        ["0", "A", "x1", 1],
        ["1", "it's B", "x2", 1],
        ["2", "C", "x1", 1],
        ["2", "C", "x2", 1],
    ]


def test_the_sheet_that_decides_prints_on_one_page():
    workbook = opened(SOURCE)
    assert all(sheet.sheet_properties.pageSetUpPr.fitToPage for sheet in workbook)
    assert (workbook["Advice"].page_setup.fitToWidth, workbook["Advice"].page_setup.fitToHeight) == (1, 1)


def test_text_beyond_a_cell_s_limit_is_cut():
    source = RuleBook(Tree.full([0], [1.0], np.eye(2)), ("x" * 40_000,), labels=Labels(advice=("=" * 40_000, "B")))
    sheet = opened(source)["Advice"]
    assert sheet["A9"].value == "x" * 32_766 + "…"


def test_more_rows_than_a_sheet_has_are_refused(monkeypatch):
    monkeypatch.setattr(excel, "_MOST_ROWS", 6)
    assert export(SOURCE, "excel")
    monkeypatch.setattr(excel, "_MOST_ROWS", 5)
    with pytest.raises(InputError, match="at most 5 rows; this tree needs 6"):
        export(SOURCE, "excel")


def test_without_openpyxl_the_way_to_install_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(InputError, match=r"pip install 'hedgerow\[excel\]'"):
        export(SOURCE, "excel")
