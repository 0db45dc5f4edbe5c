"""What a run was asked for: which trees were allowed, and when the search had to end."""

__all__ = ["Terms"]

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Terms:
    """The limits of a run, kept beside its result: a proof speaks of no other trees than these allow.

    Attributes
    ----------
    min_samples_leaf, max_leaves
        Fewest unperturbed rows at a leaf, and most leaves; None for no limit beyond the depth's.
    max_thresholds, max_samples
        Most thresholds per item, and most samples that the tree was sought on; None for all.
    time_limit, iteration_limit, gap_limit
        When the search had to end; None for never.
    refine
        Whether thresholds were to be refined afterwards.
    solver
        The MIP solver.
    weighted
        Whether any sample had another weight than 1.

    Examples
    --------
    >>> from hedgerow.run import Terms
    >>> Terms(max_leaves=3, min_samples_leaf=4).limits_on_leaves(depth=2)
    ('at most 3 leaves', 'at least 4 samples at each leaf')
    >>> Terms(max_leaves=4).limits_on_leaves(depth=2)
    ()
    """

    min_samples_leaf: int = 0
    max_leaves: int | None = None
    max_thresholds: int | None = None
    max_samples: int | None = None
    time_limit: float | None = None
    iteration_limit: int | None = None
    gap_limit: float = 0.0
    refine: bool = False
    solver: str = "highs"
    weighted: bool = False

    @classmethod
    def from_dict(cls, data: Any) -> Self | None:
        """Return the terms that a file keeps, None if it keeps none; what can't be a field's value is passed over.

        Examples
        --------
        >>> from hedgerow.run import Terms
        >>> Terms.from_dict({"max_leaves": 3, "min_samples_leaf": "many"}) == Terms(max_leaves=3)
        True
        """
        if not isinstance(data, Mapping):
            return None
        known = {field.name: data[field.name] for field in dataclasses.fields(cls) if field.name in data}
        return cls(**{name: value for name, value in known.items() if _CAN_BE[name](value)})

    def limits_on_leaves(self, depth: int, leaf: str = "leaf", leaves: str = "leaves") -> tuple[str, ...]:
        """Return in words what fewer trees than all of this depth fulfil; whatever a leaf is called."""
        told = []
        if depth and self.max_leaves is not None and self.max_leaves < 2**depth:
            told.append(f"at most {self.max_leaves} {leaf if self.max_leaves == 1 else leaves}")
        if depth and self.min_samples_leaf:
            told.append(f"at least {self.min_samples_leaf} sample{_s(self.min_samples_leaf)} at each {leaf}")
        return tuple(told)

    def in_words(self, depth: int) -> str:
        """Return all limits in words; empty if there were none.

        Examples
        --------
        >>> from hedgerow.run import Terms
        >>> Terms(max_thresholds=20, time_limit=60.0).in_words(depth=2)
        'at most 20 thresholds per item, 60 s'
        """
        told = list(self.limits_on_leaves(depth))
        if self.max_thresholds is not None:
            told.append(f"at most {self.max_thresholds} threshold{_s(self.max_thresholds)} per item")
        if self.max_samples is not None:
            told.append(f"at most {self.max_samples} representative{_s(self.max_samples)} of the samples")
        if self.time_limit is not None:
            told.append(f"{self.time_limit:g} s")
        if self.iteration_limit is not None:
            told.append(f"{self.iteration_limit:,} iteration{_s(self.iteration_limit)}")
        if self.gap_limit:
            told.append(f"a gap of {self.gap_limit:g} is enough")
        return ", ".join(told)


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _is_count_or_none(value: Any) -> bool:
    return value is None or (_is_count(value) and value >= 1)


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0.0


_CAN_BE: dict[str, Callable[[Any], bool]] = {
    "min_samples_leaf": _is_count,
    "max_leaves": _is_count_or_none,
    "max_thresholds": _is_count_or_none,
    "max_samples": _is_count_or_none,
    "time_limit": lambda value: value is None or _is_amount(value),
    "iteration_limit": _is_count_or_none,
    "gap_limit": _is_amount,
    "refine": lambda value: isinstance(value, bool),
    "solver": lambda value: isinstance(value, str),
    "weighted": lambda value: isinstance(value, bool),
}
