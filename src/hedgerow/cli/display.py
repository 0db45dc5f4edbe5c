"""What a command prints for people: tables with lines on a terminal, plain columns where the output is piped."""

__all__ = ["say", "show", "show_table"]

import sys
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from hedgerow.words import printable

_UNLIMITED = 1 << 16
"""Width of lines in a pipe: they are not broken there."""


def show(text: str = "") -> None:
    """Print lines for people as they are, but for characters that would garble a terminal."""
    print("\n".join(printable(line) for line in text.split("\n")))


def say(sentence: str) -> None:
    """Print a sentence for people, broken between words where a terminal ends."""
    if sys.stdout.isatty():
        Console(file=sys.stdout, highlight=False).print(Text(printable(sentence)))
    else:
        show(sentence)


def show_table(header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[int] = ()) -> None:
    """Print a table; the columns at the places in `right` hold numbers."""
    on_terminal = sys.stdout.isatty()
    table = Table(box=box.SIMPLE_HEAD if on_terminal else None, pad_edge=False, padding=(0, 1, 0, 1))
    numeric = set(right)
    for place, name in enumerate(header):
        table.add_column(Text(printable(name)), justify="right" if place in numeric else "left", overflow="fold")
    for row in rows:
        # As Text: a name may hold what rich takes for markup.
        table.add_row(*(Text("\n".join(printable(line) for line in cell.split("\n"))) for cell in row))
    console = Console(file=sys.stdout, width=None if on_terminal else _UNLIMITED)
    with console.capture() as captured:
        console.print(table)
    # Boxes bring blank lines and trailing blanks along.
    print("\n".join(line.rstrip() for line in captured.get().split("\n") if line.strip()))
