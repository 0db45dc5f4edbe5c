"""What a run found and proved about a tree, and the words for it: statuses, bounds, and the trees they are about."""

__all__ = ["Proof", "finite_or_none", "is_number"]

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeGuard

import numpy as np

from hedgerow.run import Options, Result, Thinning
from hedgerow.wording.proofs import ending, proof_in_words
from hedgerow.wording.questions import Cell


@dataclass(frozen=True)
class Proof:
    """The result of a run as far as it is known; None for what a file doesn't say.

    Attributes
    ----------
    objective, nominal
        Worst-case cost over the training samples, and cost as read.
    lower_bound
        No other tree that the run allowed has a better worst case; None if nothing is proven.
    status, method, thresholds, message, questions
        As in `Result`.
    runtime, iterations, seed
        Seconds, the method's own count, and the seed.
    refined
        Worst case and tree after refinement.
    thinning, options
        What the search left out, and the options of the run.
    threshold_margin, cells
        As in `Result`: by how much thresholds may be off, and where each of them may lie.
    """

    objective: float | None = None
    nominal: float | None = None
    lower_bound: float | None = None
    gap: float | None = None
    status: str | None = None
    runtime: float | None = None
    method: str | None = None
    thresholds: str | None = None
    iterations: int | None = None
    seed: int | None = None
    message: str | None = None
    refined: Mapping[str, Any] | None = None
    thinning: Thinning | None = None
    options: Options | None = None
    threshold_margin: float | None = None
    cells: tuple[Cell, ...] | None = None
    questions: str | None = None

    @classmethod
    def of(cls, result: Result, seed: Any = None) -> Self:
        """Return what is kept of a result; the seed if it is a number."""
        kept = {each.name: getattr(result, each.name) for each in dataclasses.fields(cls) if each.name != "seed"}
        kept |= {name: finite_or_none(kept[name]) for name in ("objective", "nominal", "lower_bound", "gap")}
        refined = result.refined
        kept["refined"] = None if refined is None else {"objective": refined.objective, "tree": refined.tree.to_dict()}
        return cls(**kept, seed=int(seed) if isinstance(seed, int | np.integer) else None)

    @classmethod
    def from_dict(cls, data: Any) -> Self | None:
        """Return what a file says; None if that is nothing, and without the fields that can't be right."""
        if not isinstance(data, Mapping) or not data:
            return None
        texts = ("status", "method", "thresholds", "message", "questions")
        numbers = ("objective", "nominal", "lower_bound", "gap", "runtime", "threshold_margin")
        return cls(
            **{name: data[name] for name in texts if isinstance(data.get(name), str)},
            **{name: data[name] for name in numbers if is_number(data.get(name))},
            **{name: data[name] for name in ("iterations", "seed") if isinstance(data.get(name), int)},
            refined=data["refined"] if isinstance(data.get("refined"), Mapping) else None,
            thinning=Thinning.from_dict(data.get("thinning")),
            options=Options.from_dict(data.get("options", data.get("terms"))),
            cells=cells_from_lists(data.get("cells")),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        kept = {} if self.options is None else {"options": self.options.to_dict()}
        cells = None if self.cells is None else cells_as_lists(self.cells)
        return {**dataclasses.asdict(self), **kept, "cells": cells}

    @property
    def ending(self) -> str:
        """Why the search ended, and after how long."""
        return ending(str(self.status), self.runtime or 0.0)

    def in_short(self, depth: int) -> str:
        """Return why the search ended and what that says about the tree: for a terminal.

        >>> Proof(objective=43.0, gap=0.0, status="optimal", runtime=0.1, method="exact", thresholds="grid").in_short(2)
        'Proven optimal after 0.1 s (exact): no tree of depth 2 over the same thresholds (grid) has a better ...'
        """
        thinning, kept = self.thinning, ""
        if thinning is not None and thinning.of_thresholds and not thinning.of_samples:
            kept = f"{thinning.n_thresholds:,} of {thinning.n_all_thresholds:,}"
        return proof_in_words(
            f"{self.ending} ({self.method})",
            is_optimal=self.status == "optimal",
            gap=math.inf if self.gap is None else self.gap,
            depth=depth,
            limits=() if self.options is None else self.options.limits_on_leaves(depth),
            thresholds=str(self.thresholds),
            kept=kept,
        )


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a field of a file holds a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def finite_or_none(value: float) -> float | None:
    """Return a number for JSON, which has no infinities."""
    return value if math.isfinite(value) else None


def cells_as_lists(cells: Iterable[Cell]) -> list[list[float | None] | None]:
    """Return cells as JSON-ready lists, with null for "no end".

    >>> cells_as_lists([(2.5, float("inf")), None])
    [[2.5, None], None]
    """
    return [
        None if cell is None else [end if math.isfinite(end) else None for end in map(float, cell)] for cell in cells
    ]


def cells_from_lists(data: Any) -> tuple[Cell, ...] | None:
    """Return the cells that a file keeps; None if it keeps none, or what can't be cells.

    >>> cells_from_lists([[2.5, None], None]), cells_from_lists(["wide"])
    (((2.5, inf), None), None)
    """
    if not isinstance(data, list):
        return None
    cells: list[Cell] = []
    for cell in data:
        if cell is not None and not (isinstance(cell, list) and len(cell) == 2 and all(map(_is_end, cell))):
            return None
        cells.append(None if cell is None else (_end(cell[0], -math.inf), _end(cell[1], math.inf)))
    return tuple(cells)


def _is_end(end: Any) -> bool:
    return end is None or (isinstance(end, int | float) and not isinstance(end, bool) and math.isfinite(end))


def _end(end: float | None, infinite: float) -> float:
    return infinite if end is None else float(end)
