"""How values show themselves: in one line (`repr`), in full (`print`), and drawn in notebooks."""

__all__ = ["Shown", "Tabular", "html_of", "text_of"]

from html import escape
from importlib import import_module
from typing import Any

from hedgerow.wording.numbers import number


def text_of(value: Any) -> str:
    """Return a model, a rule book, a result or an evaluation in full; the module is loaded on first use."""
    return _written(value, "text_of")


def html_of(value: Any) -> str:
    """Return the same as HTML, with the tree drawn."""
    return _written(value, "html_of")


def _written(value: Any, way: str, room: str = "plot.notebook") -> str:
    return str(getattr(import_module(f"hedgerow.{room}"), way)(value))


class Shown:
    """A value that prints in full and is drawn in notebooks."""

    def __str__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)


class Tabular:
    """A result with `summary` and `to_frame`: `print` shows both, and notebooks a sentence above its table."""

    def __str__(self: Any) -> str:
        frame = self.to_frame()
        table = "" if frame.empty else f"{frame.to_string(index=False, float_format=number)}\n"
        return f"{table}{self.summary}"

    def _repr_html_(self: Any) -> str:
        return f"<p>{escape(self.summary)}</p>{self.to_frame().to_html()}"
