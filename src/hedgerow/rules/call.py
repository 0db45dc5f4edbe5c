"""The call that made rules: what it takes to make them again."""

__all__ = ["Call"]

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np

from hedgerow.run import Options
from hedgerow.uncertainty import Nominal

DEFAULTS: Final[Mapping[str, Any]] = {
    "depth": 2,
    "uncertainty": Nominal(),
    "questions": "items",
    "learn_from": "truth",
    **{option.name: option.default for option in dataclasses.fields(Options)},
}
"""The arguments that count, with their defaults; a test compares them with those of `RobustTree`."""

_NOT_KEPT: Final = {"n_jobs", "memory_limit"}
_LONGEST: Final = 300


@dataclass(frozen=True)
class Call:
    """How rules were fitted.

    Attributes
    ----------
    arguments
        The arguments of `RobustTree` that differ from their defaults, as they are written in Python.
    tables
        The tables that `fit` got: "costs", and perhaps "readings", "context" and "sample_weight".
    seed
        The random state, if it was a number.
    command
        The command that made the rules; empty if they were made in Python.

    Examples
    --------
    >>> from hedgerow import LocalBudget
    >>> from hedgerow.rules import Call
    >>> print(Call.of({"depth": 3, "uncertainty": LocalBudget(1.5)}, ["costs", "readings"], seed=0))
    RobustTree(problem, depth=3, uncertainty=LocalBudget(1.5), random_state=0).fit(costs, readings=readings)
    """

    arguments: Mapping[str, str] = field(default_factory=dict)
    tables: tuple[str, ...] = ("costs",)
    seed: int | None = None
    command: str = ""

    @classmethod
    def of(
        cls, arguments: Mapping[str, Any], tables: Sequence[str] = ("costs",), seed: Any = None, command: str = ""
    ) -> Self:
        """Return the call with these arguments, of which only those that differ from their defaults are kept."""
        texts = {name: repr(arguments[name]) for name in DEFAULTS if name in arguments and name not in _NOT_KEPT}
        return cls(
            {name: text[:_LONGEST] for name, text in texts.items() if text != repr(DEFAULTS[name])},
            tuple(tables),
            int(seed) if isinstance(seed, int | np.integer) and not isinstance(seed, bool) else None,
            command,
        )

    def __str__(self) -> str:
        """Return the command or the call in Python that makes the rules again."""
        if self.command:
            return self.command
        texts = {**self.arguments, **({} if self.seed is None else {"random_state": str(self.seed)})}
        made = ", ".join(["problem", *(f"{name}={text}" for name, text in texts.items())])
        fitted = ", ".join(name if name == "costs" else f"{name}={name}" for name in self.tables)
        return f"RobustTree({made}).fit({fitted})"
