"""Small files that unpack to gigabytes are refused in a sentence, before they are unpacked."""

import io
import zipfile

import openpyxl
import pytest

from hedgerow.data.files import read_table
from hedgerow.errors import FileFormatError


def workbook(path, change=lambda name, text: text):
    """Write a small workbook whose parts are changed by name."""
    book, content = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["a", "b"])
    book.active.append([1.5, 2.5])
    book.save(content)
    with zipfile.ZipFile(content) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return path


def in_sheet(old, new):
    def change(name, text):
        assert not name.endswith("sheet1.xml") or old in text
        return text.replace(old, new) if name.endswith("sheet1.xml") else text

    return change


def refused(path):
    assert path.stat().st_size < 300_000
    with pytest.raises(FileFormatError, match="is too large to be read") as caught:
        read_table(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_declared_dimension_of_a_sheet_is_ignored(tmp_path):
    path = workbook(tmp_path / "wide.xlsx", in_sheet(b'ref="A1:B2"', b'ref="A1:XFD1048576"'))
    table = read_table(path)
    assert (table.columns, len(table)) == (("a", "b"), 1)
    path = workbook(tmp_path / "narrow.xlsx", in_sheet(b'ref="A1:B2"', b'ref="A1:A1"'))
    assert read_table(path).numbers(["a", "b"], "costs").tolist() == [[1.5, 2.5]]


def test_rows_of_other_lengths_are_cut_or_filled(tmp_path):
    rows = b'<row r="3"><c r="A3"><v>7</v></c></row><row r="9"><c r="XFD9"><v>7</v></c></row></sheetData>'
    table = read_table(workbook(tmp_path / "t.xlsx", in_sheet(b"</sheetData>", rows)))
    assert table.frame.to_dict("list") == {"a": ["1.5", "7", ""], "b": ["2.5", "", ""]}


def test_rows_that_reach_far_to_the_right_have_too_many_cells(tmp_path):
    rows = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (row, row) for row in range(3, 1200))
    assert "cells" in refused(workbook(tmp_path / "t.xlsx", in_sheet(b"</sheetData>", rows + b"</sheetData>")))


def test_a_wide_header_over_short_rows_has_too_many_cells(tmp_path):
    rows = b"".join(b'<row r="%d"><c r="A%d"><v>1</v></c></row>' % (row, row) for row in range(3, 1200))
    wide = b'<c r="XFD1"><v>1</v></c></row>'
    path = workbook(tmp_path / "t.xlsx", in_sheet(b"</sheetData>", rows + b"</sheetData>"))
    with zipfile.ZipFile(path) as old:
        text = {name: old.read(name) for name in old.namelist()}
    sheet = next(name for name in text if name.endswith("sheet1.xml"))
    text[sheet] = text[sheet].replace(b"</row>", wide, 1)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, part in text.items():
            new.writestr(name, part)
    assert "cells" in refused(path)


def test_a_gap_of_any_number_of_rows_ends(tmp_path):
    row = b'<row r="99999999999"><c r="A99999999999"><v>1</v></c></row></sheetData>'
    assert "cells" in refused(workbook(tmp_path / "t.xlsx", in_sheet(b"</sheetData>", row)))


def test_a_row_of_very_many_cells_is_not_built(tmp_path):
    cells = b"<row r='3'>" + b"<c/>" * 1_000_000 + b"</row></sheetData>"
    assert "a row may have at most" in refused(workbook(tmp_path / "t.xlsx", in_sheet(b"</sheetData>", cells)))


def test_many_texts_that_cells_share_are_no_row(tmp_path):
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["day", "cost"])
    for row in range(70_000):
        sheet.append([f"day {row}", 1.0])
    book.save(tmp_path / "t.xlsx")
    assert len(read_table(tmp_path / "t.xlsx")) == 70_000


@pytest.mark.parametrize("part", ["sheet1.xml", "styles.xml", "app.xml"])
def test_parts_that_unpack_to_much_are_not_unpacked(tmp_path, part):
    path = workbook(tmp_path / "t.xlsx", lambda name, text: text + b" " * (40 << 20) if name.endswith(part) else text)
    assert "unpacks to 40 MiB" in refused(path)


def test_a_header_of_blanks_is_none(tmp_path):
    book = openpyxl.Workbook()
    book.active.append([" ", " "])
    book.active.append([1.0, 2.0])
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(FileFormatError, match="needs a header"):
        read_table(tmp_path / "t.xlsx")


# -- Parquet -----------------------------------------------------------------------------------------------------------


def parquet(path, columns, copies=1):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet as files

    table = pa.table(columns)
    with files.ParquetWriter(path, table.schema, compression="zstd") as writer:
        for _ in range(copies):
            writer.write_table(table)
    return path


def test_many_cells_in_a_small_parquet_file_are_not_read(tmp_path):
    pa = pytest.importorskip("pyarrow")
    zeros = pa.nulls(1_000_000, pa.float64())
    assert "60,000,000 cells" in refused(parquet(tmp_path / "t.parquet", {"a": zeros, "b": zeros}, copies=30))


@pytest.mark.parametrize("kind", ["string", "large_string", "category"])
def test_one_long_text_in_many_rows_is_not_written_out(tmp_path, kind):
    pa = pytest.importorskip("pyarrow")
    text = pa.array(["x" * 100_000], pa.string() if kind == "category" else getattr(pa, kind)())
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), text)
    column = column if kind == "category" else column.cast(text.type)
    assert "its texts take 476 MiB" in refused(parquet(tmp_path / "t.parquet", {"a": column}))


@pytest.mark.parametrize("cell", [["x" * 10_000], {"a": {"b": 1}}, b"x" * 10_000], ids=["list", "record", "bytes"])
def test_lists_records_and_bytes_are_not_unpacked(tmp_path, cell):
    pa = pytest.importorskip("pyarrow")
    path = parquet(tmp_path / "t.parquet", {"a": pa.array([1.0] * 30_000), "b": pa.array([cell] * 30_000)})
    with pytest.raises(FileFormatError, match=r"column 'b' holds \w+ values; leave it out"):
        read_table(path)


def test_a_point_in_the_name_of_a_column_makes_it_no_list(tmp_path):
    pa = pytest.importorskip("pyarrow")
    columns = {"approx. day": pa.array([f"day {row}" for row in range(20_000)])}
    assert len(read_table(parquet(tmp_path / "t.parquet", columns))) == 20_000
    long = {"approx. day": pa.array(["x" * 100_000]).take(pa.array([0] * 5_000))}
    assert "its texts take 476 MiB" in refused(parquet(tmp_path / "u.parquet", long))


def test_usual_columns_are_read_as_before(tmp_path):
    pa = pytest.importorskip("pyarrow")
    words = pa.array(["Mon", None, "Mon"])
    columns = {
        "a": pa.array([1.0, 2.0, None]),
        "day": words,
        "again": words.dictionary_encode(),
        "a.b": words,
        "codes": pa.array([5, 6, 5]).dictionary_encode(),
        "time": pa.array([1, None, 3], pa.time32("s")),
        "took": pa.array([1, None, 3], pa.duration("s")),
    }
    table = read_table(parquet(tmp_path / "t.parquet", columns, copies=2))
    gap = {None: ""}
    texts = {name: [gap.get(cell, str(cell)) for cell in column.to_pylist() * 2] for name, column in columns.items()}
    texts |= {"a": ["1", "2", ""] * 2, "codes": [5, 6, 5] * 2}
    assert {name: column.tolist() for name, column in table.frame.items()} == texts
