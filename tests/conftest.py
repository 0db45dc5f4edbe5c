"""What every test shares: one thread per process, and hypothesis profiles that give the same run twice."""

import faulthandler
import os
import sys

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

_LONGEST = 900.0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """End the process, with a traceback, if one test takes a quarter of an hour: kernels can't be interrupted."""
    if item.get_closest_marker("slow") is None:
        faulthandler.dump_traceback_later(_LONGEST, exit=True, file=sys.__stderr__)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
