"""Results as a DataFrame, and the facts about the run above its tables."""

__all__ = ["facts_of", "frame_of"]

import os
import platform
from collections.abc import Sequence

from hedgerow._version import __version__
from hedgerow.experiments.experiment import Frame
from hedgerow.experiments.plan import Plan

_TEXT = ("family", "method", "trained_on", "status", "error")


def frame_of(rows: Sequence[dict[str, str]]) -> Frame:
    """Return the rows without errors as a DataFrame with numeric columns, except for names."""
    import pandas as pd

    frame = pd.DataFrame([row for row in rows if not row["error"]])
    for column in frame.columns:
        if column not in _TEXT:
            frame[column] = pd.to_numeric(frame[column])
    return frame


def facts_of(plan: Plan, n_cells: int, n_failed: int) -> list[str]:
    """Return facts about the run, one sentence each."""
    failed = f", of which {n_failed} failed (see the column `error` in results.csv)" if n_failed else ""
    facts = [f"Scale: {plan.scale}. Cells: {n_cells}{failed}."]
    if plan.size.iterations:
        facts.append("Heuristics stop after a number of iterations, so that their results can be repeated.")
    else:
        facts.append(
            f"Time limits: {plan.heuristic_time_limit:g} s for heuristics, {plan.exact_time_limit:g} s for exact "
            "methods; what heuristics find in this time depends on the machine."
        )
    versions = f"Hedgerow {__version__}, Python {platform.python_version()}"
    return [*facts, f"Written by {versions} on {platform.system()} {platform.machine()}, {os.cpu_count()} processors."]
