"""Values of experiment 3 by size, method and set, and relative to each other."""

__all__ = ["DATA", "SETS", "TreeValues", "mean_and_range", "percent_above"]

from typing import Final

from hedgerow.experiments.experiment import Frame
from hedgerow.experiments.plan import PAPER_SIZES
from hedgerow.experiments.procedures import PROCEDURES, UNTRAINED

DATA: Final = ("train", "test")
SETS: Final = ("global", "local")
"""In the paper's order."""

_GROUP: Final = ["size", "n_samples", "method", "trained_on"]


class TreeValues:
    """What the trees of an experiment cost, by size.

    Parameters
    ----------
    results
        The results of experiment 3.

    Attributes
    ----------
    methods
        The methods that there are results of.
    sizes
        Pairs of size and number of samples, in the paper's order.
    """

    def __init__(self, results: Frame) -> None:
        self._by_tree = {key: group.set_index(["seed_id", "draw"]) for key, group in results.groupby(_GROUP)}
        self._nothing = results.iloc[:0].set_index(["seed_id", "draw"])
        self.methods = frozenset(results["method"])
        there = {(int(size), int(n_samples)) for size, n_samples, _, _ in self._by_tree}
        self.sizes = [pair for pair in PAPER_SIZES if pair in there] + sorted(there - set(PAPER_SIZES))

    def own(self, size: tuple[int, int], method: str, kind: str, column: str) -> Frame:
        """Return by instance the values of the trees that a method made for a set; random nominal optima left out."""
        these = self._of(size, method, kind)[column]
        return these[these.index.get_level_values("draw") == 0].droplevel("draw")

    def random_optima(self, size: tuple[int, int], column: str) -> Frame:
        """Return the values of random nominal optima by instance and draw."""
        these = self._of(size, "nominal", "none")[column]
        return these[these.index.get_level_values("draw") > 0]

    def columns(self, base: str, measure: str) -> list[tuple[str, str, str]]:
        """Return method, the set that it was trained on and the column's name, as the paper calls it.

        The nominal value of an untrained tree depends on no set, so it has one column only.
        """
        columns = []
        for method in ("one_solution", "nominal", *(name for name in PROCEDURES if name not in UNTRAINED)):
            if method == base or method not in self.methods:
                continue
            if method in UNTRAINED and measure == "nominal":
                columns.append((method, SETS[0], method))
            else:
                columns += [(method, kind, f"{method}_{kind}") for kind in SETS]
        return columns

    def _of(self, size: tuple[int, int], method: str, kind: str) -> Frame:
        trained_on = "none" if method in UNTRAINED else kind
        return self._by_tree.get((*size, method, trained_on), self._nothing)


def percent_above(value: Frame, base: Frame) -> Frame:
    """Return by how many percent values lie above their base, instance by instance."""
    return (100.0 * (value - base) / base.abs()).dropna()


def mean_and_range(by_draw: Frame) -> tuple[float, float, float]:
    """Return mean, lowest and highest over the draws of an instance, each averaged over the instances."""
    by_instance = by_draw.groupby(level="seed_id")
    return float(by_instance.mean().mean()), float(by_instance.min().mean()), float(by_instance.max().mean())
