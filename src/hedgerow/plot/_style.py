"""How figures look: fonts, lines, text, and colours that differ on screen, for the colour-blind and in greyscale."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError, needed
from hedgerow.wording.numbers import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend


Look: TypeAlias = dict[str, Any]
"""Keyword arguments for matplotlib, put together beforehand."""

INK: Final = "#26302b"
SOFT: Final = "#5d6862"
LINE: Final = "#7d8781"
PAPER: Final = "#ffffff"

COLOURS: Final = ("#f0b25a", "#2b6595", "#f7ec9c", "#5c9a5f", "#752b52", "#a5dccb", "#c4571f", "#e08fa6")
"""Fills; no two of them are equally light."""
LINE_STYLES: Final[tuple[tuple[str, Any, str], ...]] = (
    ("#2b6595", "-", "o"),
    ("#c4571f", "--", "s"),
    ("#752b52", "-.", "^"),
    ("#3d7a48", (0, (5, 1, 1, 1, 1, 1)), "D"),
    ("#26302b", ":", "v"),
    ("#a8772a", (0, (8, 2)), "P"),
)
"""Colour, dashes and marker of the curves that share one figure."""

_FALLBACK_FONT: Final = "DejaVu Sans"  # comes with matplotlib and knows most alphabets
SIZE: Final = 9.0
"""Size of ordinary text, in points."""


@contextmanager
def house_style() -> Iterator[None]:
    """Let the house style hold for a block; nothing global stays changed. Without matplotlib, say what to install."""
    with needed("figures need matplotlib", "plot"):
        from matplotlib import rc_context, rcParams
    settings: Any = {
        "font.family": [*rcParams["font.family"], _FALLBACK_FONT],
        "font.size": SIZE,
        "text.color": INK,
        "text.usetex": False,  # names are not TeX
        "figure.facecolor": PAPER,
        "axes.facecolor": PAPER,
        "savefig.facecolor": PAPER,
    }
    with rc_context(settings):
        yield


def axes_or_new(ax: "Axes | None", size: tuple[float, float], *, filled: bool = False) -> "Axes":
    """Return the axes, or those of a new figure of that size in inches, all of it if `filled`."""
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes | None):
        raise InputError(f"ax must be matplotlib Axes, or None for a figure of its own; got {in_short(ax)}.")
    if ax is None and filled:
        return plt.figure(figsize=size).add_axes((0.0, 0.0, 1.0, 1.0))
    return ax or plt.figure(figsize=size, layout="constrained").add_subplot()


def dress(ax: "Axes", *, title: str = "", x: str = "", y: str = "", grid: bool = True) -> None:
    """Put axes into the house style: thin lines, no box, labels in soft ink. Texts must be ready for matplotlib."""
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(LINE)
        spine.set_linewidth(0.8)
    ax.tick_params(colors=SOFT, labelsize=SIZE - 1, length=3, width=0.8)
    ax.set_axisbelow(True)
    lines: Look = {"color": "#e6e4dd", "linewidth": 0.7} if grid else {}
    ax.grid(grid, **lines)
    if title:
        ax.set_title(title, loc="left", fontsize=SIZE + 1, color=INK, pad=8)
    ax.set_xlabel(x, fontsize=SIZE, color=INK)
    ax.set_ylabel(y, fontsize=SIZE, color=INK)


def show_legend(ax: "Axes", **options: Any) -> "Legend":
    """Add a legend in the house style."""
    settings: Look = {"frameon": False, "fontsize": SIZE - 0.5, "labelcolor": INK, "handlelength": 2.4, **options}
    return ax.legend(**settings)


def is_dark(colour: str) -> bool:
    """Return whether white reads better than black on the colour."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue < 0.28


def one_line(text: str, longest: int = 40) -> str:
    """Return the text in one line of at most `longest` letters, ready for matplotlib."""
    clean = printable(" ".join(str(text).split()))
    short = clean if len(clean) <= longest else f"{clean[: longest - 1].rstrip()}…"
    return short.replace("$", r"\$")  # no dollar sign starts a formula


def measured(text: str, size: float) -> float:
    """Return the width of a line of text, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(size=size)
    width: float = TextToPath().get_text_width_height_descent(text.replace(r"\$", "$"), font, ismath=False)[0]
    return width
