"""Export to Excel: a workbook in which a planner types the readings and sees the advice.

The sheet "Tree" has a row per node: its question with the value by the readings, whether the way leads there, and the
answer. Thresholds and coefficients stand in cells, where all their digits are kept, and no formula grows with the tree.
Where a leaf has several plans to choose from, the sheet "Totals" has the total of each. The sheet "Advice" takes the
readings, with what stands in for one that is not known beside it, and shows the leaf that is reached. The sheets
"Rules" and "Solutions" are for reading.
"""

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from hedgerow.errors import needed
from hedgerow.export.code import Input, column_in_words, inputs_of
from hedgerow.export.text import leaf_rule
from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import printable

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell.cell import Cell
    from openpyxl.worksheet.worksheet import Worksheet

_FORMULA_SIGNS: Final = ("=", "+", "-", "@")
_FIRST_READING: Final = 9
_INPUT_COLOUR: Final = "FFF2CC"
_READING_COLUMNS: Final = ("Reading", "Value", "Unit", "Read as", "Least seen", "Largest seen", "Note", "Usual value")
_TOTAL_COLUMNS: Final = ("Leaf", "Advice", "Added", "Total", "From the best", "Coefficients")
_TREE_COLUMNS: Final = (
    *("Node", "Question", "Unit", "Value", "At most", "Reached", "Answer", "Leaf", "Advice", "Coefficients or texts"),
)
_AFTER_USUAL: Final = len(_READING_COLUMNS) + 1


def to_excel(book: RuleBook) -> bytes:
    """Return a workbook that decides; it needs the package openpyxl."""
    with needed("an Excel workbook needs openpyxl", "excel"):
        from openpyxl import Workbook
    workbook = Workbook()
    del workbook["Sheet"]
    _Writer(book, workbook).fill()
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


class _Writer:
    """Writes the sheets for a rule book."""

    def __init__(self, book: RuleBook, workbook: "Workbook") -> None:
        self._book, self._tree, self._workbook = book, book.tree, workbook
        inputs = inputs_of(book)
        self._row_of = {given: row for row, given in enumerate(dict.fromkeys(inputs.values()), _FIRST_READING)}
        self._reading = {given.name: given for given in inputs.values() if given.column is None}
        self._cell_of = {item: f"Advice!$D${self._row_of[given]}" for item, given in inputs.items()}

    def fill(self) -> None:
        """Write all sheets."""
        book, plans = self._book, self._book.plans
        self._fill_advice()
        rules = [(leaf, leaf_rule(book, leaf)) for leaf in range(self._tree.n_leaves)]
        self._sheet("Rules", ("Leaf", "Rule"), rules)
        self._fill_tree()
        if self._tree.has_cards:
            self._fill_totals()
        leaves = [np.unique(self._tree.leaf_of[plans.of_leaf == plan]) for plan in range(len(plans))]
        entries = [
            (", ".join(map(str, leaves[plan])), words, printable(name), value)
            for plan, words in enumerate(plans.words)
            for name, value in plans.entries(plan).items()
        ]
        self._sheet("Solutions", ("Leaves", "Advice", "Entry", "Value"), entries)

    def _fill_advice(self) -> None:
        """Write the sheet that decides: the advice, and below it the readings."""
        sheet = self._workbook.create_sheet("Advice")
        how = "Type the readings into the yellow cells." if self._row_of else "The advice is the same for all readings."
        for row, title in {1: "What to do", 2: how, 4: "Advice", 5: "Leaf", _FIRST_READING - 2: "Readings"}.items():
            _put(sheet, row, [title])
        leaf, advice = (f"Tree!${column}$2:${column}${self._tree.n_nodes + 1}" for column in "HI")
        sheet["B5"] = f"=MAX({leaf})"
        sheet["B4"] = f"=INDEX({advice},MATCH(B5,{leaf},0))"
        wanted = [row for given, row in self._row_of.items() if given.usual is None and not given.is_category]
        if wanted:  # rules that know of nothing to fill in
            known = f"COUNT(B{wanted[0]}:B{wanted[-1]})={len(wanted)}"
            sheet["B5"] = f'=IF({known},MAX({leaf}),"")'
            sheet["B4"] = f'=IF({known},INDEX({advice},MATCH(B5,{leaf},0)),"No advice yet: all readings are needed")'
        _put(sheet, _FIRST_READING - 1, _READING_COLUMNS)
        for given, row in self._row_of.items():
            self._fill_input(sheet, row, given)
        for column in "ABDG":
            sheet.column_dimensions[column].width = 30

    def _fill_input(self, sheet: "Worksheet", row: int, given: Input) -> None:
        """Write one row of what is typed in, what it is read as, and what stands in for a gap."""
        from openpyxl.styles import PatternFill

        _put(sheet, row, [printable(given.name), "", "" if given.column else self._book.reading_unit])
        sheet[f"B{row}"].fill = PatternFill("solid", start_color=_INPUT_COLOUR)
        if given.column is not None and given.column.values:
            _put(sheet, row, [column_in_words(given.column)], first=7)
            sheet[f"D{row}"] = f'=IF(TRIM(B{row})="","missing",TRIM(B{row}))'
            return
        note = '""'
        if given.name in self._book.ranges:
            for column, end in zip("EF", self._book.ranges[given.name], strict=True):
                _put_number(sheet[f"{column}{row}"], end)
            note = f'IF(OR(D{row}<E{row},D{row}>F{row}),"outside experience","")'
        sheet[f"G{row}"] = f'=IF(ISBLANK(B{row}),"",IF(ISNUMBER(B{row}),{note},"not a number"))'
        value = "0"  # never counts: without usual values, advice needs all readings
        if given.usual is not None:
            _put_number(sheet[f"H{row}"], given.usual)
            value = f"H{row}"
        for place, each in reversed([*enumerate(given.substitutes, _AFTER_USUAL)]):
            added, other = sheet.cell(row, place), f"B{self._row_of[self._reading[each.name]]}"
            _put_number(added, each.added)
            value = f"IF(ISNUMBER({other}),SUM({other},{added.coordinate}),{value})"
        sheet[f"D{row}"] = f"=IF(ISNUMBER(B{row}),B{row},{value})"

    def _fill_tree(self) -> None:
        """Write one row per node; a child is reached by its parent's answer.

        The answer comes from the sign of SUM(value, -threshold): the signs = and <= of a spreadsheet take numbers that
        agree in their first 15 digits for equal, and so does the sign - where it comes last.
        """
        sheet, book = self._sheet("Tree", _TREE_COLUMNS), self._book
        sheet["F2"] = 1
        for node, leaf in enumerate(self._tree.leaf_number.tolist()):
            row = node + 2
            if leaf >= 0:
                _put(sheet, row, [node])
                sheet[f"H{row}"] = f'=IF(F{row}=1,{leaf},"")'
                self._fill_leaf(sheet, row, leaf)
                continue
            question, threshold, *children = self._tree.split(node)
            _put(sheet, row, [node, printable(question.label(book.names)), book.unit_of(question), "", threshold])
            cells = [self._cell_of[item] for item in question.items]
            if question.about is not None and question.about.values:
                sheet[f"D{row}"] = _fill_set(sheet, row, cells[0], question.about.values)
            else:
                terms = dict(zip(cells, question.coefficients, strict=True))
                sheet[f"D{row}"] = _fill_sum(sheet, row, terms, len(_TREE_COLUMNS))
            sheet[f"G{row}"] = f'=IF(F{row}=1,IF(SUM(D{row},-E{row})<=0,"yes","no"),"")'
            for child, side in zip(children, ("yes", "no"), strict=True):
                sheet[f"F{child + 2}"] = f'=IF(G{row}="{side}",1,0)'

    def _fill_leaf(self, sheet: "Worksheet", row: int, leaf: int) -> None:
        """Write a leaf's advice: its plan, or the best one of several."""
        if self._tree.card(leaf) is None:
            _put(sheet, row, [self._book.plans.text(int(self._tree.first_row[leaf]))], first=9)
            return
        plans, behind = (self._total_cells(leaf, column) for column in "BE")
        sheet[f"I{row}"] = f"=INDEX({plans},MATCH(0,{behind},0))"

    def _fill_totals(self) -> None:
        """Write the total of each plan of leaves that have several, and how far it is from the best.

        A plan's row number is that of its row among the tree's solutions, plus two: the rows of a leaf are together.
        """
        tree, plans = self._tree, self._book.plans
        added = -tree.handicap + 0.0 if tree.takes_largest else tree.handicap
        advice = map(plans.text, range(len(added)))
        rows = zip(tree.leaf_of.tolist(), advice, added.tolist(), strict=True)
        sheet = self._sheet("Totals", _TOTAL_COLUMNS, rows)
        for row, (leaf, total) in enumerate(zip(tree.leaf_of.tolist(), tree.sums, strict=True), 2):
            if tree.card(leaf) is None:
                continue
            totals, cells = self._total_cells(leaf, "D"), [self._cell_of[item] for item in total.items]
            terms = dict(zip(cells, total.coefficients, strict=True))
            sheet[f"D{row}"] = _fill_sum(sheet, row, terms, len(_TOTAL_COLUMNS), last=f"C{row}")
            sheet[f"E{row}"] = f"=SUM(MAX({totals}),-D{row})" if tree.takes_largest else f"=SUM(D{row},-MIN({totals}))"

    def _total_cells(self, leaf: int, column: str) -> str:
        """Return the cells of a leaf's plans in a column of the sheet "Totals"."""
        held = self._tree.rows_at(leaf)
        return f"Totals!${column}${held.start + 2}:${column}${held.stop + 1}"

    def _sheet(self, title: str, header: Sequence[str], rows: Iterable[Sequence[str | float]] = ()) -> "Worksheet":
        """Return a new sheet with a header and rows below it."""
        sheet: Worksheet = self._workbook.create_sheet(title)
        for number, row in enumerate([header, *rows], 1):
            _put(sheet, number, row)
        return sheet


def _fill_sum(sheet: "Worksheet", row: int, terms: dict[str, float], first: int, last: str = "") -> str:
    """Write the coefficients of cells from the first column on, and return the formula of their sum and a last cell.

    Each SUM has two terms, so that they are added from left to right.
    """
    value = ""
    for place, (cell, coefficient) in enumerate(terms.items(), first):
        _put_number(sheet.cell(row, place), coefficient)
        product = f"{sheet.cell(row, place).coordinate}*{cell}"
        value = f"SUM({value},{product})" if value else product
    return f"=SUM({value},{last})" if value and last else f"={value or last}"


def _fill_set(sheet: "Worksheet", row: int, cell: str, values: Sequence[str]) -> str:
    """Write a set's texts in place of coefficients; return the formula that is 0 if a text is in it, else 1."""
    first = len(_TREE_COLUMNS)
    _put(sheet, row, values, first=first)
    same = [f"EXACT({cell},{sheet.cell(row, place).coordinate})" for place in range(first, first + len(values))]
    return f"=IF(OR({','.join(same)}),0,1)"


def _put(sheet: "Worksheet", row: int, values: Sequence[str | float], first: int = 1) -> None:
    """Write texts and numbers side by side; an empty text is no cell."""
    for place, value in enumerate(values, first):
        if value == "":
            continue
        cell = sheet.cell(row, place)
        if isinstance(value, str):
            # Text stays text, whatever it begins with: no formula, even after the cell is edited.
            cell.value = value
            cell.data_type = "s"
            cell.quotePrefix = value.startswith(_FORMULA_SIGNS)
        else:
            _put_number(cell, value)


def _put_number(cell: "Cell", value: float) -> None:
    # As a number, openpyxl would write 16 digits of it, of which 17 may be needed.
    cell.value = repr(value)
    cell.data_type = "n"
