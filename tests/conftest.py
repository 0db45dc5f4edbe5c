"""What every test shares: one thread per process, and hypothesis profiles that give the same run twice."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Set before any test imports numpy or numba, which read them once: the test run is parallel already (`pytest -n 2`).
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

settings.register_profile(
    "ci",
    deadline=None,  # the first call of a kernel compiles it
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("dev", deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])

# "ci" in continuous integration and by default; HYPOTHESIS_PROFILE=dev looks further, with new examples every time.
settings.load_profile("ci" if os.environ.get("CI") else os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure(config: pytest.Config) -> None:
    """Drop compiled kernels that are older than a kernel they may call.

    Numba's cache looks at the file of a function only, not at those of the functions that it calls.
    """
    if hasattr(config, "workerinput"):
        return
    package = Path(__file__).parents[1] / "src" / "hedgerow"
    shared = [package / "adversary" / "small_knapsack.py"]
    for room, others in ((package / "adversary", []), (package / "methods", shared)):
        kernels = [path for path in (*room.rglob("*.py"), *others) if "njit" in path.read_text(encoding="utf-8")]
        newest = max(path.stat().st_mtime for path in kernels)
        for cached in (*room.rglob("*.nbi"), *room.rglob("*.nbc")):
            if cached.stat().st_mtime < newest:
                cached.unlink(missing_ok=True)
