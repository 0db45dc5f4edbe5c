"""How values show themselves: in one line (`repr`), and in full (`print` and notebooks)."""

from html import escape
from importlib import import_module
from typing import Any

from hedgerow.wording.numbers import number


def reader(room: str, name: str) -> Any:
    """Return a function of a folder that shows or writes values.

    It is loaded on first use, since most programs need none. Only these folders may be reached from one above them.
    """
    return getattr(import_module(f"hedgerow.{room}"), name)


class Shown:
    """A value that `print` and notebooks show in full."""

    def __str__(self) -> str:
        return str(reader("export.text", "text_of")(self))

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class Tabular:
    """A result with `summary` and `to_frame`: `print` shows both, and notebooks a sentence above its table."""

    def __str__(self: Any) -> str:
        frame = self.to_frame()
        table = "" if frame.empty else f"{frame.to_string(index=False, float_format=number)}\n"
        return f"{table}{self.summary}"

    def _repr_html_(self: Any) -> str:
        return f"<p>{escape(self.summary)}</p>{self.to_frame().to_html()}"
