"""Tables as users have them: semicolons, decimal commas, tabs, and workbooks."""

import json
from datetime import datetime

import openpyxl
import pytest

from hedgerow.data.files import CsvDialect, TableOptions, read_table, table_options
from hedgerow.data.table import number_matrix
from tests.cli.conftest import COSTS, NAMES, refused, run

GUESSED = "read with semicolons between columns and decimal commas; --sep and --decimal overrule this"
QUICK = ("--depth", 1, "--method", "exact", "--thresholds", "midpoints", "--json")


def german(folder, name="costs.csv", sep=";"):
    """Write the costs as a German spreadsheet does, with a day in front."""
    rows = [
        [f"2026-01-{day:02}", *(f"{value:.3f}".replace(".", ",") for value in row)] for day, row in enumerate(COSTS)
    ]
    text = "\n".join(sep.join(row) for row in [["Tag", *NAMES], *rows])
    (folder / name).write_text(text + "\n", encoding="utf-8")


def workbook(folder, rows, name="costs.xlsx", sheets=("Preise",)):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(folder / name)


def objective(*words):
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)["objective"], done.stderr


def test_semicolons_and_decimal_commas_are_guessed_and_the_guess_is_shown_once(folder):
    usual, _ = objective("fit", "grid:2", "costs.csv", *QUICK)
    german(folder)
    value, said = objective("fit", "grid:2", "costs.csv", *QUICK)
    assert value == pytest.approx(usual)
    assert said.count(f"costs.csv: {GUESSED}") == 1


def test_what_is_given_is_not_guessed(folder):
    german(folder, sep="\t")
    given = ("--sep", "tab", "--decimal", ",")
    assert "read with" not in objective("fit", "grid:2", "costs.csv", *QUICK, *given)[1]
    assert "column '0-1' must be a finite number" in refused("fit", "grid:2", "costs.csv", "--decimal", ".")
    assert "have no column for" in refused("fit", "grid:2", "costs.csv", "--sep", ";")


def test_text_of_windows_is_read_and_told(folder):
    rows = "Datum;Süd;Nord\n01.01.2026;1017,50;900,25\n02.01.2026;800,00;1200,75\n"
    (folder / "preise.csv").write_bytes(rows.encode("cp1252"))
    value, said = objective("fit", "selection:2:1", "preise.csv", *QUICK)
    assert value == 900.25 + 800.0
    assert "preise.csv: read as text of Windows (cp1252); save it in UTF-8 if letters are wrong" in said
    assert "Süd" in run("export", "tree.json", "--to", "text").stdout


@pytest.mark.parametrize(("option", "value"), [("--sep", ";;"), ("--sep", '"'), ("--decimal", "'")])
def test_signs_that_can_not_be_are_refused(folder, option, value):
    assert f"{option} must be" in refused("fit", "grid:2", "costs.csv", option, value)


def test_advice_is_written_as_the_observations_were(folder):
    german(folder)
    assert run("fit", "grid:2", "costs.csv", *QUICK).exit_code == 0
    done = run("predict", "tree.json", "costs.csv")
    assert done.stdout.startswith("Tag;0-1;0-2;1-3;2-3;leaf;advice;outside experience;decision 0-1;")
    assert GUESSED in done.stderr
    assert run("predict", "tree.json", "costs.csv", "-o", "d.csv", "--sep", ",").exit_code == 2  # as it is read
    assert run("generate", "shortest-path", "--grid", 2, "--sep", ";", "--decimal", ",", "-o", "g.csv").exit_code == 0
    with table_options(TableOptions()):
        table = number_matrix(read_table(folder / "g.csv"), NAMES, "costs")
    header, first, *_ = (folder / "g.csv").read_text().splitlines()
    assert header == "0-1;0-2;1-3;2-3"
    assert [float(cell.replace(",", ".")) for cell in first.split(";")] == table[0].tolist()


@pytest.mark.parametrize(
    ("text", "sep", "decimal"),
    [
        ("a,b\n1.5,2\n", ",", "."),
        ('a,b\n"1,5",2\n', ",", "."),  # 1,234 between commas may be a thousand
        ("a;b\n1;2\n", ";", "."),
        ("a;b\n1.5;2\n", ";", "."),
        ("a;b\n1,5;2\n", ";", ","),
        ("a;b\n1,234;2\n", ";", ","),
        ("a;b\n1,5;2.5\n", ";", "."),  # neither will do, and the error names the cell
        ("a\tb\n1,5\t2\n", "\t", ","),
        ("a\tb\n0,234\t2\n", "\t", ","),
        ("a|b\n1|2\n", "|", "."),
        ('"a;b",c\n1,2\n', ",", "."),
        ('"a,b";c\n1;2\n', ";", "."),
        ("a\n1\n", ",", "."),
        ("", ",", "."),
        ('a;b\n"1;2\n', ";", "."),
    ],
)
def test_the_guess(text, sep, decimal):
    assert CsvDialect.of(text) == CsvDialect(sep, decimal)


def test_a_workbook_is_read_with_numbers_and_dates(folder):
    usual, _ = objective("fit", "grid:2", "costs.csv", *QUICK)
    rows = [[datetime(2026, 1, 1 + day), *map(float, row)] for day, row in enumerate(COSTS)]
    workbook(folder, [["Tag", *NAMES], *rows])
    value, said = objective("fit", "grid:2", "costs.xlsx", *QUICK)
    assert value == pytest.approx(usual)
    assert "overrule" not in said
    assert run("predict", "tree.json", "costs.xlsx", "-o", "advice.xlsx").exit_code == 0
    sheet = openpyxl.load_workbook(folder / "advice.xlsx").active
    header, first, *_ = sheet.iter_rows(values_only=True)
    assert header[:7] == ("Tag", *NAMES, "leaf", "advice")
    assert (first[0], first[1], first[6]) == (datetime(2026, 1, 1), COSTS[0, 0], "0 → 1 → 3")
    assert "2026-01-01," in run("predict", "tree.json", "costs.xlsx").stdout


def test_numbers_as_names_of_columns_stay_whole(folder):
    workbook(folder, [[7, 8], [1.5, 2.5], [None, 3]], "hours.xlsx")
    table = read_table(folder / "hours.xlsx")
    assert table.columns.tolist() == ["7", "8"]
    assert table.dtypes.tolist() == [float, float]


def test_of_several_sheets_the_first_is_read_and_told(folder):
    workbook(folder, [["n", *NAMES], *([day, *row] for day, row in enumerate(COSTS.tolist()))], sheets=("Mai", "Juni"))
    _, said = objective("fit", "grid:2", "costs.xlsx", *QUICK)
    assert "costs.xlsx: read from sheet 'Mai', the first of 2" in said


@pytest.mark.parametrize("rows", [[], [[*NAMES]]], ids=["empty", "header"])
def test_a_sheet_without_rows_is_refused(folder, rows):
    workbook(folder, rows)
    assert "needs a header and at least one row" in refused("fit", "grid:2", "costs.xlsx")


def test_texts_that_look_like_formulas_stay_text_in_a_workbook(folder):
    workbook(folder, [["=cmd()", *NAMES], *(["=1+1", *row] for row in COSTS.tolist())], "hostile.xlsx")
    (folder / "hostile.csv").write_text("=cmd(),x1,x2\n=1+1,1,2\n", encoding="utf-8")
    assert run("fit", "selection:2:1", "hostile.csv", *QUICK).exit_code == 0
    assert run("predict", "tree.json", "hostile.csv", "-o", "out.xlsx").exit_code == 0
    cells = [cell for row in openpyxl.load_workbook(folder / "out.xlsx").active.iter_rows() for cell in row]
    assert {cell.value for cell in cells} >= {"=cmd()", "=1+1"}
    assert {cell.data_type for cell in cells} <= {"s", "n"}
