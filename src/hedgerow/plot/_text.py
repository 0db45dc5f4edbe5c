"""Text for a figure: one line, no formulas."""

__all__ = ["measured", "one_line", "paragraph"]

import textwrap

from hedgerow.wording.numbers import printable


def one_line(text: str, longest: int = 40) -> str:
    """Return the text in one line of at most `longest` letters, ready for matplotlib."""
    clean = _clean(text)
    return _escaped(clean if len(clean) <= longest else f"{clean[: longest - 1].rstrip()}…")


def paragraph(text: str, width: int, lines: int) -> str:
    """Return the text in at most `lines` lines of that width, ready for matplotlib."""
    # An arrow stays with what it points to.
    bound = _clean(text).replace("→ ", "→\xa0")
    wrapped = textwrap.wrap(bound, width, max_lines=lines, placeholder=" …", break_on_hyphens=False)
    return _escaped("\n".join(wrapped).replace("\xa0", " "))


def measured(text: str, size: float) -> float:
    """Return the width of a line of text, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(size=size)
    width: float = TextToPath().get_text_width_height_descent(text.replace(r"\$", "$"), font, ismath=False)[0]
    return width


def _clean(text: str) -> str:
    return printable(" ".join(str(text).split()))


def _escaped(text: str) -> str:
    """Return the text such that no dollar sign starts a formula."""
    return text.replace("$", r"\$")
