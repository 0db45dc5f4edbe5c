"""Explanations as JSON: one encoder for all of their parts."""

__all__ = ["Encoded", "encoded"]

import dataclasses
import math
from typing import Any, ClassVar


class Encoded:
    """A part of an explanation that can be written as JSON: its fields, and some of its properties."""

    __slots__ = ()
    also: ClassVar[tuple[str, ...]] = ()
    """Properties that are written beside the fields."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values by name; null stands for what is infinite (no bound) or unknown."""
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]  # every part is a dataclass
        return {name: encoded(getattr(self, name)) for name in (*names, *self.also)}


def encoded(value: Any) -> Any:
    """Return a value as plain JSON values.

    >>> from hedgerow import LocalBudget
    >>> encoded((1.5, float("inf"), "plan A", None))
    [1.5, None, 'plan A', None]
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "_asdict"):
        return encoded(value._asdict())
    if isinstance(value, dict):
        return {name: encoded(entry) for name, entry in value.items()}
    if isinstance(value, tuple | list):
        return [encoded(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
