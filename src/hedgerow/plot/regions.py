"""The plane of two observed items: which advice holds where, the samples in it, and where an attack moves them."""

__all__ = ["plot_regions"]

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.data.checks import check_finite, in_short, integer_between, list_some
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluation
from hedgerow.plot._style import INK, MOVE, PAPER, SIZE, Look, axes_or_new, colour_of, dress, house_style, show_legend
from hedgerow.plot._text import one_line
from hedgerow.rules import RuleBook
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import listed, reading, typeset

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_MOST_NUMBERED = 30
_ALPHA = 0.55
_MOST_IN_TITLE = 3
_PADDING = 0.08
_THIN = 0.04  # a region's share of the axes below which a letter would hide it


def plot_regions(
    source: Any, readings: Any = None, *, items: Sequence[int | str] | None = None, ax: "Axes | None" = None
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
    book.tree.check_no_cards("a map of regions")
    found = source.attack if isinstance(source, Evaluation) else source
    attack = found if isinstance(found, Attack) and readings is None else None
    n_known = np.shape(readings)[-1] if readings is not None and not book.feature_names else book.n_features
    chosen = _chosen(book, items, n_known)
    samples = None if attack is None else attack.instance.observations
    if readings is not None:
        samples = book.reading_matrix(readings)
        check_finite(samples[:, list(chosen)], "readings")
    plane = _plane(book, chosen or _first_asked(book.tree, n_known), samples, attack)
    with house_style():
        ax = axes_or_new(ax, (6.4, 4.4))
        handles = _draw_regions(ax, plane, book)
        if samples is not None:
            handles += _draw_samples(ax, plane, samples)
        if attack is not None:
            handles += _draw_moves(ax, plane, attack)
        unit = one_line(f" ({book.reading_unit})" if book.reading_unit else "", 18)
        x, y = (f"{one_line(book.name(item))} {unit}".rstrip() for item in plane.items)
        dress(ax, title=_title(plane, book), x=x, y=y, grid=False)
        ax.set(xlim=plane.limits[0], ylim=plane.limits[1])
        show_legend(ax, handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.0), handleheight=1.4)
    return ax


class _Plane(NamedTuple):
    """What is shown: two items within limits; others that the tree asks about are held at a value."""

    tree: Tree
    items: tuple[int, int]
    limits: tuple[tuple[float, float], tuple[float, float]]
    held: dict[int, float]

    def rectangles(self) -> Iterator[tuple[int, tuple[float, float, float, float]]]:
        """Yield the leaves that the plane cuts, each with x, y, width and height of the part in sight."""
        everything = (-math.inf, math.inf)
        for leaf in range(self.tree.n_leaves):
            ends = {question.items[0]: (low, high) for question, low, high in self.tree.intervals_at(leaf)}
            sides = ((*ends.get(item, everything), value) for item, value in self.held.items())
            if any(not low < value <= high for low, high, value in sides):
                continue
            (left, right), (bottom, top) = (
                (max(ends.get(item, everything)[0], low), min(ends.get(item, everything)[1], high))
                for item, (low, high) in zip(self.items, self.limits, strict=True)
            )
            if left < right and bottom < top:
                yield leaf, (left, bottom, right - left, top - bottom)

    def shows_another_leaf(self, observations: FloatArray) -> BoolArray:
        """Return which observations the tree sends to another leaf than the one drawn where they lie."""
        moved = observations.copy()
        moved[:, list(self.held)] = list(self.held.values())
        return np.asarray(self.tree.apply(moved) != self.tree.apply(observations))


def _plane(book: RuleBook, items: tuple[int, int], samples: FloatArray | None, attack: Attack | None) -> _Plane:
    """Return the plane through the samples' medians, or through the middle of the training data's ranges."""
    tree = book.tree
    known = samples if samples is not None or book.training is None else book.training.ranges.T
    others = [item for item in tree.asked_items.tolist() if item not in items]
    if others and known is None:
        raise InputError("the tree asks about more than two items; pass readings, at whose medians others are held.")
    held = {} if known is None else {item: float(np.median(known[:, item])) for item in others}
    seen = known if known is None or attack is None else np.vstack([known, attack.observations])

    def limits(item: int) -> tuple[float, float]:
        values = [*tree.threshold[tree.item == item].tolist(), *([] if seen is None else seen[:, item].tolist())]
        low, high = min(values, default=0.0), max(values, default=1.0)
        pad = _PADDING * (high - low) or max(abs(low) * _PADDING, 0.5)
        return low - pad, high + pad

    return _Plane(tree, items, (limits(items[0]), limits(items[1])), held)


def _first_asked(tree: Tree, n_features: int) -> tuple[int, int]:
    """Return the two items asked about closest to the root, filled up with others where the tree asks about fewer."""
    by_depth = [int(tree.item[node]) for node in np.argsort(tree.node_depth, kind="stable") if tree.is_inner[node]]
    candidates = [*dict.fromkeys([*by_depth, *range(min(n_features, 3))])]
    if len(candidates) < 2:
        raise InputError("a plane needs two readings; this tree has fewer.")
    return candidates[0], candidates[1]


def _chosen(book: RuleBook, items: Sequence[int | str] | None, n_known: int) -> tuple[int, int] | tuple[()]:
    """Return the indices of the items that the user chose, if any."""
    if items is None:
        return ()
    names = book.feature_names
    if isinstance(items, str) or len(items) != 2 or items[0] == items[1]:
        raise InputError(f"items must be the names or indices of two different items; got {in_short(items)}.")
    unknown = [item for item in items if isinstance(item, str) and item not in names]
    if unknown:
        known = f"there are {list_some(names)}" if names else "this tree has no names, only indices"
        raise InputError(f"items must be what the tree may ask about; {in_short(unknown[0])} is not: {known}.")
    first, second = (
        names.index(item) if isinstance(item, str) else integer_between(item, "an item's index", 0, max(n_known - 1, 0))
        for item in items
    )
    return first, second


def _draw_regions(ax: "Axes", plane: _Plane, book: RuleBook) -> "list[Artist]":
    """Fill the leaves' rectangles; return what the legend shows of them."""
    from matplotlib.patches import Patch, Rectangle

    plans, handles = book.plans, dict[int, Patch]()
    border: Look = {"facecolor": "none", "edgecolor": INK, "linewidth": 0.9, "linestyle": (0, (4, 3)), "zorder": 1}
    for leaf, (x, y, width, height) in plane.rectangles():
        plan = int(plans.of_leaf[leaf])
        fill: Look = {"facecolor": colour_of(plan), "alpha": _ALPHA}
        handles[plan] = Patch(**fill, label=f"{plans.letters[plan]}: {one_line(plans.words[plan], 34)}")
        ax.add_patch(Rectangle((x, y), width, height, **fill, zorder=0, gid=f"leaf {leaf}"))
        ax.add_patch(Rectangle((x, y), width, height, **border))
        shares = (size / (high - low) for size, (low, high) in zip((width, height), plane.limits, strict=True))
        if min(shares) > _THIN:
            look: Look = {"fontsize": SIZE, "fontweight": "bold", "ha": "left", "va": "top", "zorder": 2}
            corner = (x, y + height)
            ax.annotate(plans.letters[plan], corner, (6, -6), textcoords="offset points", **look)
    return [handles[plan] for plan in sorted(handles)]


def _draw_samples(ax: "Axes", plane: _Plane, samples: FloatArray) -> "list[Artist]":
    points, elsewhere = samples[:, plane.items], plane.shows_another_leaf(samples)
    handles: list[Artist] = []
    for which, face, edge, label in (
        (~elsewhere, INK, PAPER, "sample"),
        (elsewhere, PAPER, INK, "sample that other items lead elsewhere"),
    ):
        if which.any():
            dots: Look = {"s": 26, "facecolor": face, "edgecolor": edge, "linewidth": 0.9, "label": label}
            handles.append(ax.scatter(*points[which].T, **dots, zorder=6))
    if len(samples) <= _MOST_NUMBERED:
        for number, point in enumerate(points.tolist(), 1):
            ax.annotate(
                f"{number}", point, (5, 4), textcoords="offset points", fontsize=SIZE - 0.5, color=INK, zorder=7
            )
    return handles


def _draw_moves(ax: "Axes", plane: _Plane, attack: Attack) -> "list[Artist]":
    from matplotlib.lines import Line2D

    arrow: Look = {"arrowstyle": "-|>", "color": MOVE, "linewidth": 1.6, "mutation_scale": 11}
    arrow |= {"shrinkA": 0, "shrinkB": 0}  # it ends where the reading lies, to the last digit
    for sample in attack.moved:
        start, end = (each[sample, plane.items] for each in (attack.instance.observations, attack.observations))
        if np.array_equal(start, end):
            continue  # it moves in items that the plane does not show
        ax.annotate("", (end[0], end[1]), (start[0], start[1]), arrowprops=arrow, zorder=5)
    legend: Look = {"color": MOVE, "linewidth": 1.6, "marker": ">", "markersize": 5, "markevery": [1]}
    return [Line2D([0, 1], [0, 0], label="worst misreading", **legend)] if attack.moved.size else []


def _title(plane: _Plane, book: RuleBook) -> str:
    """Say what the plane is a cut through, if it is one."""
    held = [f"{one_line(book.name(item), 16)} = {typeset(reading(value))}" for item, value in plane.held.items()]
    return f"Other items at their medians: {listed(held, _MOST_IN_TITLE)}" if held else ""
