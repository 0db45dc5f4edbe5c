"""Rules in other formats: sentences, drawings, code, queries, workbooks; formats that are alike share a file."""

__all__ = [
    "FORMATS",
    "Format",
    "export",
    "to_dot",
    "to_excel",
    "to_javascript",
    "to_json",
    "to_mermaid",
    "to_model_card",
    "to_onnx",
    "to_python",
    "to_rules",
    "to_sql",
    "to_text",
]

from hedgerow.export.code import to_javascript, to_python
from hedgerow.export.excel import to_excel
from hedgerow.export.formats import FORMATS, Format, export, to_json
from hedgerow.export.model_card import to_model_card
from hedgerow.export.onnx import to_onnx
from hedgerow.export.sql import to_sql
from hedgerow.export.text import to_dot, to_mermaid, to_rules, to_text
