"""What tests need that start other processes."""

import ctypes
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import hedgerow


def environment_of_tests() -> dict[str, str]:
    """Return the environment in which another process imports the same Hedgerow as this one, and the tests."""
    paths = [Path(hedgerow.__file__).parents[1], Path(__file__).parents[1]]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(path.resolve()) for path in paths)}


def environment_with_hedgerow(programs: Path) -> dict[str, str]:
    """Return that environment with a program `hedgerow`, put into this folder, which is the one under test."""
    hedgerow_program = programs / "hedgerow"
    code = "from hedgerow.__main__ import main; main()"
    hedgerow_program.write_text(f'#!/usr/bin/env bash\nexec "{sys.executable}" -c "{code}" "$@"\n', encoding="utf-8")
    hedgerow_program.chmod(0o755)
    return {**environment_of_tests(), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def as_ordinary_user(check: Callable[[], object]) -> None:
    """Run a check for which permissions count: as root on Linux in another process, without root's power over files."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        check()
        return
    pid = os.fork()
    if pid == 0:
        try:
            _give_up_power_over_files()
            check()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0, "the check failed; see standard error"


def _give_up_power_over_files() -> None:
    """Drop the capabilities CAP_DAC_OVERRIDE (1) and CAP_DAC_READ_SEARCH (2) for good."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice, for 64 capabilities
    assert libc.capget(header, sets) == 0
    for place in range(3):
        sets[place] &= ~0b110
    assert libc.capset(header, sets) == 0
