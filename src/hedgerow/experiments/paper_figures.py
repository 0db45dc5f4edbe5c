"""The paper's own figures, for comparison."""

__all__ = ["paper_correlation", "paper_relative", "paper_solved"]

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from hedgerow.experiments.plan import FAMILIES

_OF_THE_PAPER: Final = "shortest-path"


def paper_correlation(set_ratio: str, fraction: float, family: str = _OF_THE_PAPER) -> float | None:
    """Return Pearson's r; `set_ratio` is "N" where Γ_glob = N · Γ_loc and "1" where Γ_glob = Γ_loc."""
    if not FAMILIES[family].in_paper:
        return None
    scaling = {"N": "gamma_glob = N * gamma_loc", "1": "gamma_glob = gamma_loc"}[set_ratio]
    value: float | None = _tables()["experiment_1_pearson_r"][scaling].get(f"{fraction:.2f}")
    return value


def paper_solved(kind: str, family: str = _OF_THE_PAPER) -> dict[str, int | None]:
    """Return how many of twenty runs the paper's exact method solved within an hour, by λ; "≥0.10" counts 120 runs.

    None where the paper has no such runs.
    """
    table = _tables()["experiment_2_instances_solved_by_SG_in_one_hour"]
    known = FAMILIES[family].in_paper
    return {
        name.replace(">=", "≥"): count if known else None
        for name, count in zip(table["lambda"], table[kind], strict=True)
    }


def paper_relative(
    measure: str, data: str, n_samples: int, size: int, column: str, family: str = _OF_THE_PAPER
) -> float | None:
    """Return a figure of experiment 3 in percent: measure "nominal" or "robust", data "train" or "test"."""
    if not FAMILIES[family].in_paper:
        return None
    table = _tables()[f"experiment_3_relative_{measure}_percent"]
    for row in table["rows"]:
        named = dict(zip(table["columns"], row, strict=True))
        if (named["data"], named["N"], named["grid"]) == (data, n_samples, size):
            value: float | None = named.get(column)
            return value
    return None


@cache
def _tables() -> Any:
    return json.loads(files("hedgerow.experiments").joinpath("paper_tables.json").read_text(encoding="utf-8"))
