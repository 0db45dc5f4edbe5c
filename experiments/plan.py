"""How much of an experiment is run: its instances, methods and sizes, and how long its methods may take."""

__all__ = [
    "BUDGETS",
    "DEPTH",
    "FAMILIES",
    "PAPER_SIZES",
    "PROCEDURES",
    "SCALES",
    "UNTRAINED",
    "Data",
    "Plan",
    "Procedure",
    "Scale",
    "absolute_budgets",
]

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some, number_at_least
from hedgerow.datasets import paper_scheduling, paper_shortest_path
from hedgerow.errors import InputError
from hedgerow.methods import METHODS
from hedgerow.problems import Problem
from hedgerow.tree.splits import ThresholdSet
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Uncertainty

DEPTH: Final = 2
"""Depth of all trees in the paper's experiments."""

BUDGETS: Final[dict[str, type[LocalBudget] | type[GlobalBudget]]] = {"local": LocalBudget, "global": GlobalBudget}
"""The uncertainty sets; a fraction stands for Γ_loc and for Γ_glob = N · Γ_loc."""

UNTRAINED: Final = ("nominal", "one_solution")
"""Methods that ignore the uncertainty set."""

_WITH_PROOF: Final = ("exact", "scenario_generation", *UNTRAINED)


class Data(NamedTuple):
    """One instance: its problem, the samples to train on and those to test on."""

    problem: Problem
    train: FloatArray
    test: FloatArray


class Family(NamedTuple):
    """A family of instances."""

    load: Callable[[int, int, int], Data]  # makes an instance from seed id, number of training samples and size
    n_seeds: int
    size_name: str
    in_paper: bool  # whether the paper's figures are about it


FAMILIES: Final[dict[str, Family]] = {
    "shortest-path": Family(lambda *instance: Data(*paper_shortest_path(*instance)), 20, "grid", in_paper=True),
    # Twice as many jobs as the size, on three machines: 8 jobs where a grid would be 4 × 4.
    "scheduling": Family(
        lambda seed_id, n_samples, size: Data(*paper_scheduling(seed_id, n_samples, n_jobs=2 * size, n_machines=3)),
        20,
        "half the jobs",
        in_paper=False,
    ),
}


class Procedure(NamedTuple):
    """A method as an experiment uses it: its name and thresholds, and whether it ends by itself, with a proof."""

    method: str
    thresholds: ThresholdSet = "midpoints"
    ends_by_itself: bool = False


PROCEDURES: Final[dict[str, Procedure]] = {
    **{name: Procedure(name, ends_by_itself=name in _WITH_PROOF) for name in METHODS},
    "exact_grid": Procedure("exact", thresholds="grid", ends_by_itself=True),
}


def absolute_budgets(observations: FloatArray, fraction: float) -> dict[str, Uncertainty]:
    """Return both uncertainty sets with the budgets that λ means for these samples, for use on other data, too."""
    return {name: budget(fraction=fraction).bind(observations, DEPTH) for name, budget in BUDGETS.items()}


PAPER_SIZES: Final = ((4, 3), (4, 5), (4, 7), (4, 10), (3, 5), (5, 5), (6, 5))
"""Size and number of samples in experiment 3, in the paper's order."""


@dataclass(frozen=True)
class Scale:
    """How much is run."""

    n_seeds: int  # instances
    n_trees: int  # experiment 1: random trees per instance
    fractions: tuple[float, ...]  # experiment 2: the λ
    sizes: tuple[tuple[int, int], ...]  # experiment 3: sizes and numbers of samples
    n_optima: int  # experiment 3: random nominal optima per instance
    # Most iterations by method; methods named here get no time limit, so that their results can be repeated.
    iterations: Mapping[str, int] = field(default_factory=dict)
    correlated: tuple[float, ...] = (0.05, 0.10, 0.15, 0.20)  # experiment 1: the λ


SCALES: Final[dict[str, Scale]] = {
    "smoke": Scale(
        n_seeds=2,
        n_trees=50,
        fractions=(0.0, 0.05, 0.2),
        sizes=((4, 3), (4, 5), (3, 5)),
        n_optima=10,
        iterations={"fix_tree": 512, "fix_solutions": 4, "alternate": 4, "local_search": 2, "scenario_generation": 2},
    ),
    "paper": Scale(
        n_seeds=20,
        n_trees=200,
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
    >>> from experiments import Plan
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
