"""The paper's own figures, for comparison."""

__all__ = ["paper_figure"]

import json
from functools import cache
from importlib.resources import files
from typing import Any

from experiments.plan import FAMILIES


def paper_figure(family: str, *keys: str) -> Any:
    """Return a figure by its keys in `paper_tables.json`; None where the paper has none.

    They are "correlation", how many times Γ_loc the global budget is, and λ; "solved", the set and λ, for how many of
    twenty runs (of 120 for "≥0.10") its exact method solved within an hour; "nominal" or "robust", data with number of
    samples and size, and a method's column, in percent.

    >>> paper_figure("shortest-path", "robust", "test 5 4", "fix_tree_local"), paper_figure("scheduling", "solved")
    (-6.4182, None)
    """
    found = _tables() if FAMILIES[family].in_paper else {}
    for key in keys:
        found = found.get(key, {})
    return None if found == {} else found


@cache
def _tables() -> Any:
    return json.loads(files("experiments").joinpath("paper_tables.json").read_text(encoding="utf-8"))
