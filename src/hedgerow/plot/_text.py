"""Text for a figure: one line, no formulas, only letters that the font has."""

__all__ = ["measured", "one_line", "paragraph"]

import textwrap
import unicodedata
from functools import lru_cache

_NOT_IN_THE_FONT = "□"
_CONTROL = "�"


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
    from matplotlib import rcParams

    letters = _letters_of(tuple(rcParams["font.family"]))
    return "".join(_shown(letter, letters) for letter in " ".join(str(text).split())).strip()


def _shown(letter: str, letters: frozenset[int]) -> str:
    if not letter.isprintable():
        # Joiners and marks of direction are invisible, and could make one name look like another.
        return "" if unicodedata.category(letter) == "Cf" else _CONTROL
    if ord(letter) in letters:
        return letter
    # Matplotlib would warn at every such letter whenever the figure is drawn.
    return "" if unicodedata.category(letter).startswith("M") else _NOT_IN_THE_FONT


@lru_cache(maxsize=8)
def _letters_of(families: tuple[str, ...]) -> frozenset[int]:
    """Return the code points that the font families have between them."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    paths = {findfont(FontProperties(family=[family])) for family in families}
    return frozenset(code for path in paths for code in get_font(path).get_charmap())


def _escaped(text: str) -> str:
    """Return the text such that no dollar sign starts a formula."""
    return text.replace("$", r"\$")
