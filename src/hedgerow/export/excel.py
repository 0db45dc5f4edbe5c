"""Export to Excel: a workbook in which a planner types the readings and sees the advice.

The sheet "Tree" has a row per node: its question with the value by the readings, whether the way leads there, and the
answer. Thresholds and coefficients stand in cells, where all their digits are kept, and no formula grows with the tree.
Where a leaf has several plans to choose from, the sheet "Totals" has the total of each. Where other readings stand in
for one that is not known, the sheet "Not known" has a row for each of them. The sheet "Advice" takes the readings and
shows the leaf that is reached. The sheets "Rules" and "Solutions" are for reading.
"""

__all__ = ["to_excel"]

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from hedgerow import __version__
from hedgerow.errors import InputError, needed
from hedgerow.export.inputs import Input, column_in_words, inputs_of
from hedgerow.export.text import sentence
from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import printable

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell
    from openpyxl.worksheet.worksheet import Worksheet

_LONGEST_TEXT: Final = 32_767
_MOST_ROWS: Final = 1_048_576
_FORMULA_SIGNS: Final = ("=", "+", "-", "@")
_FIRST_READING: Final = 9
_NOT_KNOWN: Final = "Not known"
_INPUT_COLOUR: Final = "FFF2CC"
_READING_COLUMNS: Final = (
    *("Reading", "Value", "Unit", "Read as", "Least seen", "Largest seen", "Note", "Usual value"),
)
_TOTAL_COLUMNS: Final = ("Leaf", "Advice", "Added", "Total", "From the best", "Coefficients")
_TREE_COLUMNS: Final = (
    *("Node", "Question", "Unit", "Value", "At most", "Reached", "Answer", "Leaf", "Advice", "Ahead of the next plan"),
    "Coefficients or texts",
)
_FIRST_COEFFICIENT: Final = len(_TREE_COLUMNS)


def to_excel(book: RuleBook) -> bytes:
    """Return a workbook that decides; it needs the package openpyxl."""
    with needed("an Excel workbook needs openpyxl", "excel"):
        from openpyxl import Workbook
    rows = max(book.tree.n_nodes, sum(len(book.plans.entries(plan)) for plan in range(len(book.plans)))) + 1
    if rows > _MOST_ROWS:
        raise InputError(f"an Excel sheet has at most {_MOST_ROWS} rows; this tree needs {rows}.")
    workbook = Workbook()
    workbook.properties.creator = f"hedgerow {__version__}"
    assert workbook.active is not None
    workbook.active.title = "Advice"
    _fill_advice(workbook["Advice"], book)
    rules = [(leaf, sentence(book, leaf)) for leaf in range(book.tree.n_leaves)]
    _fill(workbook.create_sheet("Rules"), {"Leaf": 8, "Rule": 120}, rules)
    _fill_tree(workbook.create_sheet("Tree"), book)
    if book.tree.has_cards:
        _fill_totals(workbook.create_sheet("Totals"), book)
    if any(given.substitutes for given in _rows(book)):
        _fill_substitutes(workbook.create_sheet(_NOT_KNOWN), book)
    entries = [
        (", ".join(map(str, book.leaves_with(plan))), words, printable(name), value)
        for plan, words in enumerate(book.plans.words)
        for name, value in book.plans.entries(plan).items()
    ]
    _fill(workbook.create_sheet("Solutions"), {"Leaves": 16, "Advice": 50, "Entry": 40, "Value": 16}, entries)
    for sheet in workbook.worksheets:
        _print_on_one_page(sheet)
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def _fill_advice(sheet: "Worksheet", book: RuleBook) -> None:
    """Write the sheet that decides: the advice, and below it the readings."""
    from openpyxl.styles import Alignment, Font

    inputs = _rows(book)
    _put(sheet, 1, ["What to do"])
    how = "Type the readings into the yellow cells." if inputs else "The advice is the same for all readings."
    _put(sheet, 2, [how])
    _put(sheet, 4, ["Advice"])
    _put(sheet, 5, ["Leaf"])
    question, answer, leaf, advice, ahead = (
        f"Tree!${column}$2:${column}${book.tree.n_nodes + 1}" for column in "BGHIJ"
    )
    sheet["B5"] = f'=IF(COUNT({leaf})=0,"",MAX({leaf}))'
    needed = f'"No advice yet: a number is needed for "&INDEX({question},MATCH("missing",{answer},0))'
    sheet["B4"] = f'=IF(B5="",{needed},INDEX({advice},MATCH(B5,{leaf},0)))'
    if book.tree.has_cards:
        _put(sheet, 6, ["Ahead of the next plan", "", book.unit])
        lead = f"INDEX({ahead},MATCH(B5,{leaf},0))"
        sheet["B6"] = f'=IF(B5="","",IF({lead}="","",{lead}))'
    _put(sheet, _FIRST_READING - 2, ["Readings"])
    _put(
        sheet,
        _FIRST_READING - 1,
        _READING_COLUMNS if any(given.usual is not None for given in inputs) else _READING_COLUMNS[:-1],
    )
    for row, given in enumerate(inputs, _FIRST_READING):
        _fill_input(sheet, book, row, given)
    _mark_inputs(sheet, inputs)
    for title in ("A1", "A4", "A5", f"A{_FIRST_READING - 2}", "B4"):
        sheet[title].font = Font(bold=True)
    sheet["B4"].alignment = Alignment(wrap_text=True, vertical="top")
    for column, width in {"A": 30, "B": 40, "C": 14, "D": 22, "E": 14, "F": 14, "G": 22, "H": 14}.items():
        sheet.column_dimensions[column].width = width


def _rows(book: RuleBook) -> list[Input]:
    """Return the columns that are typed in, each once."""
    return list(dict.fromkeys(inputs_of(book).values()))


def _fill_input(sheet: "Worksheet", book: RuleBook, row: int, given: Input) -> None:
    """Write one row of what is typed in, and what it is read as; a gap is filled in if there is something to do so."""
    _put(sheet, row, [printable(given.name), "", "" if given.column else book.reading_unit])
    if given.column is not None and given.column.values:
        _put(sheet, row, [column_in_words(given.column)], first=7)
        sheet[f"D{row}"] = f'=IF(TRIM(B{row})="","missing",TRIM(B{row}))'
        return
    if given.name in book.ranges:
        for column, end in zip("EF", book.ranges[given.name], strict=True):
            _put_number(sheet[f"{column}{row}"], end)
        outside = f"OR(D{row}<E{row},D{row}>F{row})"
        sheet[f"G{row}"] = f'=IF(ISNUMBER(B{row}),IF({outside},"outside experience",""),"")'
    missing = f'IF(ISBLANK(B{row}),"missing","not a number")'
    if given.usual is not None:
        _put_number(sheet[f"H{row}"], given.usual)
        missing = f"H{row}"
        if given.substitutes:
            missing = f"'{_NOT_KNOWN}'!E{_substitute_rows(book)[given].start}"
    sheet[f"D{row}"] = f"=IF(ISNUMBER(B{row}),B{row},{missing})"


def _substitute_rows(book: RuleBook) -> dict[Input, range]:
    """Return the rows of the sheet "Not known" that are about each reading: one for each substitute, and a last one."""
    rows, first = {}, 2
    for given in _rows(book):
        if given.substitutes:
            rows[given] = range(first, first + len(given.substitutes) + 1)
            first = rows[given].stop
    return rows


def _fill_substitutes(sheet: "Worksheet", book: RuleBook) -> None:
    """Write one row per reading and substitute: what it would give, and what is taken from this row on."""
    _fill(sheet, {"If not known": 30, "Take": 30, "Plus": 14, "Is now": 14, "Taken": 14}, ())
    row_of = {given.name: row for row, given in enumerate(_rows(book), _FIRST_READING)}
    for given, (*rows, last) in _substitute_rows(book).items():
        for row, substitute in zip(rows, given.substitutes, strict=True):
            other = f"Advice!$B${row_of[substitute.name]}"
            _put(sheet, row, [printable(given.name), printable(substitute.name), substitute.added])
            sheet[f"D{row}"] = f'=IF(ISNUMBER({other}),SUM({other},C{row}),"")'
            sheet[f"E{row}"] = f"=IF(ISNUMBER(D{row}),D{row},E{row + 1})"
        assert given.usual is not None
        _put(sheet, last, [printable(given.name), "its usual value", given.usual])
        sheet[f"E{last}"] = f"=C{last}"


def _fill_tree(sheet: "Worksheet", book: RuleBook) -> None:
    """Write one row per node; a child is reached by its parent's answer.

    The answer comes from the sign of SUM(value, -threshold): the signs = and <= of a spreadsheet take numbers that
    agree in their first 15 digits for equal, and so does the sign - where it comes last.
    """
    tree, cell_of = book.tree, _reading_cells(book)
    _fill(sheet, dict.fromkeys(_TREE_COLUMNS, 16), ())
    sheet["F2"] = 1
    for node, leaf in enumerate(tree.leaf_number.tolist()):
        row = node + 2
        if leaf >= 0:
            _put(sheet, row, [node])
            sheet[f"H{row}"] = f'=IF(F{row}=1,{leaf},"")'
            _fill_leaf(sheet, row, book, leaf)
            continue
        question, threshold, *children = tree.split(node)
        _put(sheet, row, [node, printable(book.label(question)), book.unit_of(question), "", threshold])
        cells = [cell_of[item] for item in question.items]
        if question.about is not None and question.about.values:
            sheet[f"D{row}"] = _fill_set(sheet, row, cells[0], question.about.values)
        else:
            sheet[f"D{row}"] = _fill_sum(sheet, row, dict(zip(cells, question.coefficients, strict=True)))
        answer = f'IF(ISNUMBER(D{row}),IF(SUM(D{row},-E{row})<=0,"yes","no"),"missing")'
        sheet[f"G{row}"] = f'=IF(F{row}=1,{answer},"")'
        for child, side in zip(children, ("yes", "no"), strict=True):
            sheet[f"F{child + 2}"] = f'=IF(G{row}="{side}",1,0)'


def _fill_leaf(sheet: "Worksheet", row: int, book: RuleBook, leaf: int) -> None:
    """Write a leaf's advice: its plan, or the best one of several and by how much it leads."""
    if book.tree.card(leaf) is None:
        _put(sheet, row, [book.plans.text(int(book.tree.first_row[leaf]))], first=9)
        return
    plans, behind = (_total_cells(book, leaf, column) for column in "BE")
    best, none = f"INDEX({plans},MATCH(0,{behind},0))", "No advice yet: numbers are needed for the totals"
    sheet[f"I{row}"] = f'=IF(COUNT({behind})=0,"{none}",{best})'
    sheet[f"J{row}"] = f'=IF(COUNT({behind})=0,"",SMALL({behind},2))'


def _fill_totals(sheet: "Worksheet", book: RuleBook) -> None:
    """Write one row per plan of leaves that have several: its total by the readings, and how far it is from the best.

    The row's number is that of the plan's row among the tree's solutions, less two: the rows of a leaf are together.
    """
    tree, plans, cell_of = book.tree, book.plans, _reading_cells(book)
    added = -tree.handicap + 0.0 if tree.takes_largest else tree.handicap
    advice = map(plans.text, range(len(added)))
    _fill(sheet, dict.fromkeys(_TOTAL_COLUMNS, 16), zip(tree.leaf_of.tolist(), advice, added.tolist(), strict=True))
    for row, (leaf, total) in enumerate(zip(tree.leaf_of.tolist(), tree.sums, strict=True), 2):
        card = tree.card(leaf)
        if card is None:
            continue
        totals, cells = _total_cells(book, leaf, "D"), [cell_of[item] for item in total.items]
        terms = dict(zip(cells, total.coefficients, strict=True))
        sheet[f"D{row}"] = _fill_sum(sheet, row, terms, first=6, last=f"C{row}")
        behind = f"SUM(MAX({totals}),-D{row})" if card.takes_largest else f"SUM(D{row},-MIN({totals}))"
        sheet[f"E{row}"] = f'=IF(COUNT({totals})={len(card.sums)},{behind},"")'


def _total_cells(book: RuleBook, leaf: int, column: str) -> str:
    """Return the cells of a leaf's plans in a column of the sheet "Totals"."""
    held = book.tree.rows_at(leaf)
    return f"Totals!${column}${held.start + 2}:${column}${held.stop + 1}"


def _reading_cells(book: RuleBook) -> dict[int, str]:
    """Return the cell in which each reading and each feature of context stands, gaps filled in."""
    row_of = {given: row for row, given in enumerate(_rows(book), _FIRST_READING)}
    return {item: f"Advice!$D${row_of[given]}" for item, given in inputs_of(book).items()}


def _fill_sum(
    sheet: "Worksheet", row: int, terms: dict[str, float], first: int = _FIRST_COEFFICIENT, last: str = ""
) -> str:
    """Write the coefficients of cells from the first column on, and return the formula of their sum and a last cell.

    Each SUM has two terms, so that they are added from left to right.
    """
    value = ""
    for place, (cell, coefficient) in enumerate(terms.items(), first):
        _put_number(sheet.cell(row, place), coefficient)
        product = f"{sheet.cell(row, place).coordinate}*{cell}"
        value = f"SUM({value},{product})" if value else product
    if last:
        value = f"SUM({value},{last})" if value else last
    return f'=IF(COUNT({",".join(terms)})={len(terms)},{value},"missing")' if terms else f"={value}"


def _fill_set(sheet: "Worksheet", row: int, cell: str, values: Sequence[str]) -> str:
    """Write a set's texts in place of coefficients; return the formula that is 0 if a text is in it, else 1."""
    _put(sheet, row, values, first=_FIRST_COEFFICIENT)
    same = [
        f"EXACT({cell},{sheet.cell(row, place).coordinate})"
        for place in range(_FIRST_COEFFICIENT, _FIRST_COEFFICIENT + len(values))
    ]
    return f"=IF(OR({','.join(same)}),0,1)"


def _mark_inputs(sheet: "Worksheet", inputs: Sequence[Input]) -> None:
    """Colour the cells that are to be filled in, and let those of numbers take nothing else."""
    from openpyxl.styles import PatternFill
    from openpyxl.worksheet.datavalidation import DataValidation

    numbers_only = DataValidation(
        type="decimal",
        operator="between",
        formula1="-1E+307",
        formula2="1E+307",
        allow_blank=True,
        showErrorMessage=True,
        errorTitle="A reading",
        error="A reading is a number.",
    )
    for row, given in enumerate(inputs, _FIRST_READING):
        sheet[f"B{row}"].fill = PatternFill("solid", start_color=_INPUT_COLOUR)
        if not given.is_category:
            numbers_only.add(f"B{row}")
    if numbers_only.sqref:
        sheet.add_data_validation(numbers_only)


def _print_on_one_page(sheet: "Worksheet") -> None:
    """Shrink the print to the width of a page; the advice, which a planner pins to a wall, to a single page."""
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToWidth = 1
    sheet.page_setup.fitToHeight = 1 if sheet.title == "Advice" else 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def _fill(sheet: "Worksheet", widths: dict[str, int], rows: Iterable[Sequence[str | float]]) -> None:
    """Write a header, with the widths of the columns, and rows below it."""
    from openpyxl.styles import Font

    for place, (title, width) in enumerate(widths.items(), 1):
        cell = sheet.cell(1, place, title)
        cell.font = Font(bold=True)
        sheet.column_dimensions[cell.column_letter].width = width
    sheet.freeze_panes = "A2"
    for number, row in enumerate(rows, 2):
        _put(sheet, number, row)


def _put(sheet: "Worksheet", row: int, values: Sequence[str | float], first: int = 1) -> None:
    """Write texts and numbers side by side; an empty text is no cell."""
    for place, value in enumerate(values, first):
        if value == "":
            continue
        cell = sheet.cell(row, place)
        if isinstance(value, str):
            # Text stays text, whatever it begins with: no formula, even after the cell is edited.
            cell.value = value if len(value) <= _LONGEST_TEXT else f"{value[: _LONGEST_TEXT - 1]}…"
            cell.data_type = "s"
            cell.quotePrefix = value.startswith(_FORMULA_SIGNS)
        else:
            _put_number(cell, value)


def _put_number(cell: "Cell", value: float) -> None:
    # As a number, openpyxl would write 16 digits of it, of which 17 may be needed.
    cell.value = repr(value)
    cell.data_type = "n"
