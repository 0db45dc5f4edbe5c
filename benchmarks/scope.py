"""How much is measured: all of it, a quick look, or all of it with less time for each run.

The command line writes these wishes into the environment, where processes of their own find them too.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

QUICK = "HEDGEROW_BENCH_QUICK"
LIMIT = "HEDGEROW_BENCH_LIMIT"
DATA = "HEDGEROW_BENCH_DATA"

_QUICK_SECONDS = 2.0
_REPOSITORY = Path(__file__).parents[1]
_Thing = TypeVar("_Thing")


def choose(*, quick: bool, limit: float | None, data: Path | None) -> None:
    """Keep the wishes for this process and those that it starts."""
    if quick:
        os.environ[QUICK] = "1"
    if limit is not None:
        os.environ[LIMIT] = str(limit)
    if data is not None:
        os.environ[DATA] = str(data.resolve())


def is_quick() -> bool:
    """Whether a quick look suffices."""
    return os.environ.get(QUICK, "") == "1"


def some(everything: Sequence[_Thing], few: int = 1) -> Sequence[_Thing]:
    """Return everything, or the first few for a quick look."""
    return everything[:few] if is_quick() else everything


def seconds(limit: float) -> float:
    """Return the time limit for one run: the one that belongs to it, unless less is wished for."""
    limit = min(limit, float(os.environ.get(LIMIT, "inf")))
    return min(limit, _QUICK_SECONDS) if is_quick() else limit


def data_folder() -> Path | None:
    """Return where measured data lies, or None: it is not ours to hand on, so it is not in the repository."""
    folder = Path(os.environ.get(DATA, _REPOSITORY.parent / "shared" / "data" / "real"))
    return folder if folder.is_dir() else None


def in_words() -> str:
    """Return what was left out, as a sentence for the results; empty if nothing was."""
    if is_quick():
        return "A quick look: few instances, and at most 2 s for each run."
    return f"No run got more than {float(os.environ[LIMIT]):g} s." if LIMIT in os.environ else ""
