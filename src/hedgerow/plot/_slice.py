"""A cut through the space of observations: two items vary, the others that the tree asks about are held."""

__all__ = ["Slice"]

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.errors import InputError
from hedgerow.rules import RuleBook
from hedgerow.tree.tree import Tree

_PADDING = 0.08
_STRIP = (0.0, 1.0)


@dataclass(frozen=True)
class Slice:
    """What the plane shows: the items along the axes (a single one where there is no other), within limits.

    Other items that the tree asks about are held at values that come from `held_at`.
    """

    tree: Tree
    items: tuple[int, ...]
    held: dict[int, float]
    held_at: str
    x_limits: tuple[float, float]
    y_limits: tuple[float, float]

    @classmethod
    def through(
        cls, book: RuleBook, samples: FloatArray | None, attack: Attack | None, chosen: tuple[int, ...]
    ) -> Self:
        """Return the cut through the samples' medians, or through the middle of the training data's ranges."""
        tree = book.tree
        items = chosen or _first_asked(tree, book.n_features if samples is None else samples.shape[1])
        known = _known_values(book, samples, attack)
        others = [int(item) for item in tree.asked_items if item not in items]
        held: dict[int, float] = {}
        held_at = "Other items at their medians"
        if others and samples is not None:
            held = {item: float(np.median(samples[:, item])) for item in others}
        elif others:
            if known is None:
                raise InputError(
                    f"the tree asks about {tree.asked_items.size} items, of which two at most are drawn; pass "
                    "readings, so that the others can be held at their medians."
                )
            held = {item: float(known[:, item].mean()) for item in others}
            held_at = "Other items mid-range"
        limits = [_limits(tree, item, known) for item in items]
        return cls(tree, items, held, held_at, limits[0], limits[1] if len(limits) > 1 else _STRIP)

    def rectangles(self) -> Iterator[tuple[int, tuple[float, float, float, float]]]:
        """Yield the leaves that the plane cuts, each with x, y, width and height of the part in sight."""
        boxes = self.tree.boxes
        column = {int(item): place for place, item in enumerate(self.tree.question_items)}
        for leaf in range(self.tree.n_leaves):
            lower, upper = boxes.lower[leaf], boxes.upper[leaf]
            if any(not lower[column[item]] < value <= upper[column[item]] for item, value in self.held.items()):
                continue
            sides = [self.x_limits, self.y_limits]
            for axis, item in enumerate(self.items):
                if item in column:
                    low, high = sides[axis]
                    sides[axis] = (max(lower[column[item]], low), min(upper[column[item]], high))
            (left, right), (bottom, top) = sides
            if left < right and bottom < top:
                yield leaf, (left, bottom, right - left, top - bottom)

    def borders(self) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
        """Yield the x and the y of the two ends of each line between leaves."""
        for _, (x, y, width, height) in self.rectangles():
            # Every border is the right or the upper side of some leaf.
            if x + width < self.x_limits[1]:
                yield (x + width, x + width), (y, y + height)
            if y + height < self.y_limits[1]:
                yield (x, x + width), (y + height, y + height)

    def project(self, observations: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the observations' coordinates in the plane."""
        if len(self.items) < 2:
            return observations[:, self.items[0]], np.full(len(observations), 0.5)
        return observations[:, self.items[0]], observations[:, self.items[1]]

    def shows_another_leaf(self, observations: FloatArray) -> BoolArray:
        """Return which observations the tree sends to another leaf than the one drawn where they lie."""
        moved = observations.copy()
        moved[:, list(self.held)] = list(self.held.values())
        return np.asarray(self.tree.apply(moved) != self.tree.apply(observations))


def _first_asked(tree: Tree, n_features: int) -> tuple[int, ...]:
    """Return the two items asked about closest to the root, filled up with others where the tree asks about fewer."""
    by_depth = [int(tree.item[node]) for node in np.argsort(tree.node_depth, kind="stable") if tree.is_inner[node]]
    candidates = dict.fromkeys([*by_depth, *range(min(n_features, 3))])
    if not candidates:
        raise InputError("the tree asks no question and has no names; pass readings, so that there is a plane.")
    return tuple(list(candidates)[:2])


def _known_values(book: RuleBook, samples: FloatArray | None, attack: Attack | None) -> FloatArray | None:
    """Return what the plane should be large enough for: samples and attacked ones, or the training data's ranges."""
    if attack is not None:
        return np.vstack([attack.instance.observations, attack.observations])
    if samples is not None:
        return samples
    return None if book.training is None else book.training.ranges.T


def _limits(tree: Tree, item: int, known: FloatArray | None) -> tuple[float, float]:
    values = tree.threshold[tree.item == item]
    if known is not None:
        values = np.concatenate([values, known[:, item]])
    if not values.size:
        return _STRIP
    low, high = float(values.min()), float(values.max())
    pad = _PADDING * (high - low) or max(abs(low) * _PADDING, 0.5)
    return low - pad, high + pad
