"""How a process ends while a solver that was left behind still runs in a thread of its own.

When the interpreter closes, Python before 3.14 ends a thread that comes back to it by unwinding its stack. C++ answers
that with `std::terminate`, and the process dies with SIGABRT after all of its work was done. Later versions let such a
thread hang until the process is gone, and so does this. What C++ libraries tear down at the very end is left standing,
since the solver may still use it. The exit status is the one that the process would have had.
"""

__all__ = ["leave_quietly"]

import ctypes
import sys
from contextlib import suppress

_SET_TERMINATE = "_ZSt13set_terminatePFvvE"  # std::set_terminate(void (*)())


def leave_quietly() -> None:
    """Let this process, which is about to end, do so although a solver still runs.

    Only Linux unwinds the stack of a thread that ends; elsewhere there is nothing to do.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    with suppress(OSError, AttributeError):  # where C++ has another library, nothing is changed
        set_terminate = ctypes.CDLL("libstdc++.so.6")[_SET_TERMINATE]
        set_terminate.argtypes, set_terminate.restype = [ctypes.c_void_p], ctypes.c_void_p
        set_terminate(_address(libc, "pause"))
    with suppress(AttributeError):  # musl has no `on_exit`
        libc.fflush(None)
        libc.on_exit.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        # Called first, with the exit status, once the interpreter is closed and its files are flushed.
        libc.on_exit(_address(libc, "_exit"), None)


def _address(library: ctypes.CDLL, name: str) -> ctypes.c_void_p:
    return ctypes.cast(library[name], ctypes.c_void_p)
