"""How much of an experiment is run, and how long its methods may take."""

__all__ = ["PAPER_SIZES", "SCALES", "Plan", "Scale"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hedgerow.checks import list_some, number_at_least
from hedgerow.errors import InputError
from hedgerow.experiments.families import FAMILIES
from hedgerow.experiments.procedures import PROCEDURES, Procedure

PAPER_SIZES: Final = ((4, 3), (4, 5), (4, 7), (4, 10), (3, 5), (5, 5), (6, 5))
"""Size and number of samples in experiment 3, in the paper's order."""


@dataclass(frozen=True)
class Scale:
    """How much is run.

    Attributes
    ----------
    n_seeds
        How many instances.
    n_trees, correlated
        Experiment 1: random trees per instance, and the λ.
    fractions
        Experiment 2: the λ.
    sizes, n_optima
        Experiment 3: sizes and numbers of samples, and random nominal optima per instance.
    iterations
        Most iterations by method; methods named here get no time limit, so that their results can be repeated.
    """

    n_seeds: int
    n_trees: int
    correlated: tuple[float, ...]
    fractions: tuple[float, ...]
    sizes: tuple[tuple[int, int], ...]
    n_optima: int
    iterations: Mapping[str, int] = field(default_factory=dict)


SCALES: Final[dict[str, Scale]] = {
    "smoke": Scale(
        n_seeds=2,
        n_trees=50,
        correlated=(0.05, 0.10, 0.15, 0.20),
        fractions=(0.0, 0.05, 0.2),
        sizes=((4, 3), (4, 5), (3, 5)),
        n_optima=10,
        iterations={
            "fix_tree": 512,
            "fix_solutions": 4,
            "alternate": 4,
            "local_search": 2,
            "scenario_generation": 2,
        },
    ),
    "paper": Scale(
        n_seeds=20,
        n_trees=200,
        correlated=(0.05, 0.10, 0.15, 0.20),
        fractions=tuple(number / 100 for number in (*range(11), *range(12, 21, 2))),
        sizes=PAPER_SIZES,
        n_optima=50,
    ),
}


@dataclass(frozen=True)
class Plan:
    """A scale, the methods and instances that are run at it, and the seconds that methods get; checked when made.

    Attributes
    ----------
    scale
        "smoke" or "paper".
    family
        The family of instances.
    heuristic_time_limit, exact_time_limit
        Seconds for heuristics and for methods that end with a proof.
    methods
        Only these methods; an experiment's own choice if None.
    seeds
        Only these instances; all of the scale's if None.
    grid
        Whether the optimum over the grid of thresholds is proven as well.

    Examples
    --------
    >>> from hedgerow.experiments import Plan
    >>> Plan("smoke").seed_ids
    (0, 1)
    >>> Plan("paper", seeds=(3,), methods=("exact",)).chosen(("exact", "nominal"))
    ('exact',)
    """

    scale: str = "smoke"
    family: str = "shortest-path"
    heuristic_time_limit: float = 2.0
    exact_time_limit: float = 60.0
    methods: Sequence[str] | None = None
    seeds: Sequence[int] | None = None
    grid: bool = False

    def __post_init__(self) -> None:
        if self.scale not in SCALES:
            raise InputError(f"scale must be one of {', '.join(SCALES)}; got {self.scale!r}.")
        if self.family not in FAMILIES:
            raise InputError(f"family must be one of {', '.join(FAMILIES)}; got {self.family!r}.")
        number_at_least(self.heuristic_time_limit, "the time limit of heuristics", strict=True)
        number_at_least(self.exact_time_limit, "the time limit of exact methods", strict=True)
        if self.methods is not None and not self.methods:
            raise InputError(f"methods must name at least one of {', '.join(PROCEDURES)}; got none.")
        unknown = [name for name in self.methods or () if name not in PROCEDURES]
        if unknown:
            raise InputError(f"methods must be among {', '.join(PROCEDURES)}; got {list_some(unknown)}.")
        n_seeds = FAMILIES[self.family].n_seeds
        if any(seed not in range(n_seeds) for seed in self.seeds or ()):
            raise InputError(f"seeds must be from 0 to {n_seeds - 1}; got {', '.join(map(str, self.seeds or ()))}.")

    @property
    def size(self) -> Scale:
        """How much is run."""
        return SCALES[self.scale]

    @property
    def seed_ids(self) -> tuple[int, ...]:
        """The instances that are run."""
        return tuple(range(self.size.n_seeds)) if self.seeds is None else tuple(sorted(set(self.seeds)))

    def whole(self) -> "Plan":
        """Return the same plan without a restriction to some methods or instances."""
        return replace(self, methods=tuple(PROCEDURES), seeds=range(FAMILIES[self.family].n_seeds))

    def chosen(self, usual: Sequence[str]) -> tuple[str, ...]:
        """Return the methods to run where these are the usual ones."""
        wanted = (*usual, "exact_grid") if self.grid else usual
        return tuple(wanted) if self.methods is None else tuple(name for name in PROCEDURES if name in self.methods)

    def limits(self, procedure: Procedure) -> tuple[float | None, int | None]:
        """Return the seconds and the iterations that a method gets; None for no limit."""
        iterations = self.size.iterations.get(procedure.method)
        if iterations is not None:
            return None, iterations
        return (self.exact_time_limit if procedure.ends_by_itself else self.heuristic_time_limit), None
