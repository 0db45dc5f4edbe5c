"""Rules in other formats: sentences, drawings, code, queries, workbooks; formats that are alike share a file."""

__all__ = ["FORMATS", "Format", "export"]

from hedgerow.export.formats import FORMATS, Format, export
