"""How values show themselves: in one line (`repr`), in full (`print`), and drawn in notebooks."""

__all__ = ["Shown", "Tabular", "notebook"]

from html import escape
from importlib import import_module
from typing import Any

from hedgerow.wording.numbers import number


def notebook() -> Any:
    """Return the module that writes models, rule books, results and evaluations; it is loaded on first use."""
    return import_module(".".join(("hedgerow", "plot", "notebook")))  # a room further down


class Shown:
    """A value that prints in full and is drawn in notebooks."""

    def __str__(self) -> str:
        return str(notebook().text_of(self))

    def _repr_html_(self) -> str:
        return str(notebook().html_of(self))


class Tabular:
    """A result with `summary` and `to_frame`: `print` shows both, and notebooks a sentence above its table."""

    def __str__(self: Any) -> str:
        frame = self.to_frame()
        table = "" if frame.empty else f"{frame.to_string(index=False, float_format=number)}\n"
        return f"{table}{self.summary}"

    def _repr_html_(self: Any) -> str:
        return f"<p>{escape(self.summary)}</p>{self.to_frame().to_html()}"
