"""The workbook in a spreadsheet engine: readings in, advice and leaf out."""

import contextlib
import io
import tempfile
from pathlib import Path

import formulas
import numpy as np
import openpyxl


def decisions(content, readings):
    """Type each row of readings (NaN for an empty cell) into the sheet, and return advice and leaf that it shows."""
    decide = opened_model(content)
    return [decide([None if np.isnan(value) else value for value in row]) for row in readings.tolist()]


def opened_model(content):
    """Return the function that types a row (None for an empty cell), and returns advice and leaf."""
    workbook = openpyxl.load_workbook(io.BytesIO(content))
    yellow = [cell.coordinate for (cell,) in workbook["Advice"]["B9:B100"] if cell.fill.fill_type == "solid"]
    # This engine keeps 15 decimals of the numbers in a file; it gets them as they are written there.
    numbers = {f"'[tree.xlsx]TREE'!{cell.coordinate}": cell.value for cell in workbook["Tree"]["E"][1:]}
    if "Totals" in workbook.sheetnames:
        rows = [row[2:3] + row[5:] for row in workbook["Totals"].iter_rows(min_row=2)]
        numbers |= {f"'[tree.xlsx]TOTALS'!{cell.coordinate}": cell.value for row in rows for cell in row}
    coefficients = [cell for row in workbook["Tree"].iter_rows(min_row=2, min_col=10) for cell in row]
    numbers |= {f"'[tree.xlsx]TREE'!{cell.coordinate}": cell.value for cell in coefficients}
    usual = [cell for row in workbook["Advice"].iter_rows(min_row=9, min_col=8) for cell in row]
    numbers |= {f"'[tree.xlsx]ADVICE'!{cell.coordinate}": cell.value for cell in usual}
    numbers = {name: value for name, value in numbers.items() if value is not None}
    typed = [f"'[tree.xlsx]ADVICE'!{cell}" for cell in yellow]
    shown = ["'[tree.xlsx]ADVICE'!B4", "'[tree.xlsx]ADVICE'!B5"]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        path = Path(folder, "tree.xlsx")
        path.write_bytes(content)
        model = formulas.ExcelModel().loads(str(path)).finish()

    def decide(row):
        filled = {name: value for name, value in zip(typed, row, strict=True) if value is not None}
        solution = model.calculate(inputs={**filled, **numbers}, outputs=shown)
        return tuple(solution[name].value[0, 0] for name in shown)

    return decide
