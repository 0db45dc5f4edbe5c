"""The plane of two observed items: which advice holds where, the samples in it, and where an attack moves them."""

__all__ = ["plot_regions"]

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, integer_between, list_some
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluation
from hedgerow.plot._slice import Slice
from hedgerow.plot._style import (
    INK,
    MOVE,
    PAPER,
    SIZE,
    Look,
    axes_or_new,
    dress,
    fill_of,
    house_style,
    show_legend,
)
from hedgerow.plot._text import one_line
from hedgerow.rules import Plans, RuleBook
from hedgerow.wording.numbers import reading, typeset

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_MOST_NUMBERED = 30
_ALPHA = 0.55
_THIN = 0.04  # a region's share of the axes below which a letter would hide it
_MOST_IN_LEGEND = 16
_MOST_IN_TITLE = 3


def plot_regions(
    source: Any,
    readings: Any = None,
    *,
    items: Sequence[int | str] | None = None,
    attack: Any = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the regions of two observed items in which the tree gives the same advice.

    Samples are dots, numbered from 1 where they are few. An arrow leads from a sample to where an attack moves its
    reading. A tree that asks about more than two items is cut: the others are held at their medians, as the title
    says, and a sample that the tree sends elsewhere than the plane shows is a hollow dot.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, the path of a tree file, or a bare `Tree`. Of an evaluation or an attack,
        the samples and moves are drawn, too.
    readings
        The samples to draw, N × features, or a DataFrame with a column for each feature.
    items
        The two items, by name or index; by default those that the tree asks about first.
    attack
        The evaluation or attack whose moves to draw.
    ax
        Where to draw; a new figure if None.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, Tree, evaluate
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.plot import plot_regions
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> ax = plot_regions(evaluate(tree, problem, costs, GlobalBudget(5.0)))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('e1', 'e2')
    """
    book = RuleBook.of(source)
    moves = _attack_on(book, source if attack is None else attack, given=attack is not None)
    samples = None
    is_wider = readings is not None and not book.feature_names
    chosen = _chosen(book, items, np.shape(readings)[-1] if is_wider else book.n_features)
    if readings is not None:
        samples = book.reading_matrix(readings, also=chosen)
        if moves is not None and not np.array_equal(samples, moves.instance.observations):
            raise InputError("the attack is on other samples than these readings; leave the readings out.")
    elif moves is not None:
        samples = moves.instance.observations
    cut = Slice.through(book, samples, moves, chosen)
    with house_style():
        ax = axes_or_new(ax, (6.4, 4.4))
        handles = _draw_regions(ax, cut, book)
        if samples is not None:
            handles += _draw_samples(ax, cut, samples)
        if moves is not None:
            handles += _draw_moves(ax, cut, moves)
        _dress(ax, cut, book)
        show_legend(ax, handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.0), handleheight=1.4)
    return ax


def _attack_on(book: RuleBook, source: Any, *, given: bool) -> Attack | None:
    found = source.attack if isinstance(source, Evaluation) else source
    attack = found if isinstance(found, Attack) else None
    if given and attack is None:
        raise InputError(f"attack must be an evaluation or its attack; got {in_short(source)}.")
    if attack is not None and attack.tree != book.tree:
        raise InputError("the attack is on another tree than the one to be drawn; evaluate this tree first.")
    return attack


def _chosen(book: RuleBook, items: Sequence[int | str] | None, n_known: int) -> tuple[int, ...]:
    """Return the indices of the items that the user chose, if any."""
    if items is None:
        return ()
    names = book.feature_names
    if isinstance(items, str) or len(items) != 2:
        raise InputError(f"items must be the names or indices of two items; got {in_short(items)}.")
    chosen = []
    for item in items:
        if isinstance(item, str):
            if item not in names:
                known = f"there are {list_some(names)}" if names else "this tree has no names, only indices"
                raise InputError(f"items must be what the tree may ask about; {in_short(item)} is not: {known}.")
            chosen.append(names.index(item))
        else:
            chosen.append(integer_between(item, "an item's index", 0, max(n_known - 1, 0)))
    if chosen[0] == chosen[1]:
        raise InputError(f"items must be two different ones; got {in_short(items)}.")
    return tuple(chosen)


def _draw_regions(ax: "Axes", cut: Slice, book: RuleBook) -> "list[Artist]":
    """Fill the leaves' rectangles; return what the legend shows of them."""
    from matplotlib.patches import Rectangle

    shown = set()
    for leaf, (x, y, width, height) in cut.rectangles():
        plan = int(book.plans.of_leaf[leaf])
        shown.add(plan)
        ax.add_patch(Rectangle((x, y), width, height, **fill_of(plan), alpha=_ALPHA, zorder=0, gid=f"leaf {leaf}"))
        if min(width / (cut.x_limits[1] - cut.x_limits[0]), height / (cut.y_limits[1] - cut.y_limits[0])) > _THIN:
            ax.annotate(
                book.plans.letters[plan], (x, y + height), xytext=(6, -6), textcoords="offset points", ha="left",
                va="top", fontsize=SIZE, fontweight="bold", zorder=2,
                bbox={"facecolor": PAPER, "edgecolor": "none", "boxstyle": "round,pad=0.25", "alpha": 0.85},
            )  # fmt: skip
    for ends in cut.borders():
        ax.plot(*ends, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    return _legend_of(book.plans, sorted(shown))


def _draw_samples(ax: "Axes", cut: Slice, samples: FloatArray) -> "list[Artist]":
    x, y = cut.project(samples)
    elsewhere = cut.shows_another_leaf(samples)
    handles: list[Artist] = []
    for which, face, edge, label in (
        (~elsewhere, INK, PAPER, "sample"),
        (elsewhere, PAPER, INK, "sample that other items lead elsewhere"),
    ):
        if which.any():
            dots: Look = {"s": 26, "facecolor": face, "edgecolor": edge, "linewidth": 0.9, "label": label}
            handles.append(ax.scatter(x[which], y[which], **dots, zorder=6))
    if len(samples) <= _MOST_NUMBERED:
        for sample in range(len(samples)):
            _number(ax, (x[sample], y[sample]), f"{sample + 1}", INK)
    return handles


def _draw_moves(ax: "Axes", cut: Slice, attack: Attack) -> "list[Artist]":
    from matplotlib.lines import Line2D

    starts = np.stack(cut.project(attack.instance.observations), axis=1)
    ends = np.stack(cut.project(attack.observations), axis=1)
    arrow: Look = {"arrowstyle": "-|>", "color": MOVE, "linewidth": 1.6, "mutation_scale": 11}
    arrow |= {"shrinkA": 0, "shrinkB": 0}  # it ends where the reading lies, to the last digit
    for sample in attack.moved:
        # A reading may move in items that the plane does not show.
        ring: Look = {"s": 70, "facecolor": "none", "edgecolor": MOVE, "linewidth": 1.4}
        if np.array_equal(starts[sample], ends[sample]):
            ax.scatter(*starts[sample], **ring, zorder=5)
            continue
        ax.annotate("", xy=ends[sample], xytext=starts[sample], arrowprops=arrow, zorder=5)
        if attack.moved.size <= _MOST_NUMBERED:
            _number(ax, ends[sample], f"{sample + 1}′", MOVE)
    legend: Look = {"color": MOVE, "linewidth": 1.6, "marker": ">", "markersize": 5, "markevery": [1]}
    return [Line2D([0, 1], [0, 0], label="worst misreading", **legend)] if attack.moved.size else []


def _number(ax: "Axes", place: Sequence[float] | FloatArray, text: str, colour: str) -> None:
    from matplotlib.patheffects import withStroke

    ax.annotate(
        text, xy=(float(place[0]), float(place[1])), xytext=(5, 4), textcoords="offset points", fontsize=SIZE - 0.5,
        color=colour, zorder=7, path_effects=[withStroke(linewidth=2.2, foreground=PAPER)],
    )  # fmt: skip


def _dress(ax: "Axes", cut: Slice, book: RuleBook) -> None:
    unit = one_line(book.reading_unit, 16)
    labels = [one_line(book.name(item)) + (f" ({unit})" if unit else "") for item in cut.items]
    dress(ax, title=_title(cut, book), x=labels[0], y=labels[1] if len(labels) > 1 else "", grid=False)
    ax.set(xlim=cut.x_limits, ylim=cut.y_limits)
    if len(cut.items) < 2:
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)


def _title(cut: Slice, book: RuleBook) -> str:
    """Say what the plane is a cut through, if it is one."""
    if not cut.held:
        return ""
    fixed = [f"{one_line(book.name(item), 16)} = {typeset(reading(value))}" for item, value in cut.held.items()]
    more = len(fixed) - _MOST_IN_TITLE
    rest = f" and {more} more" if more > 0 else ""
    space = " " if len(fixed) == 1 else "\n"
    return f"{cut.held_at}:{space}{', '.join(fixed[:_MOST_IN_TITLE])}{rest}"


def _legend_of(plans: Plans, shown: list[int]) -> "list[Artist]":
    from matplotlib.patches import Patch

    handles: list[Artist] = [
        Patch(**fill_of(plan), alpha=_ALPHA, label=f"{plans.letters[plan]}: {one_line(plans.words[plan], 34)}")
        for plan in shown[:_MOST_IN_LEGEND]
    ]
    if len(shown) > _MOST_IN_LEGEND:
        handles.append(Patch(alpha=0.0, label=f"and {len(shown) - _MOST_IN_LEGEND} more"))
    return handles
