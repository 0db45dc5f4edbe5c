"""Kernels as Numba's functions. Importing this module imports Numba."""

__all__ = ["address", "entry", "part"]

from functools import partial
from typing import Any

from numba import njit
from numba.core.dispatcher import Dispatcher
from numba.core.types import unliteral

from hedgerow.compiled.kernels import Kernel
from hedgerow.compiled.lean import lean
from hedgerow.compiled.store import Store


def entry(kernel: Kernel) -> Any:
    """Return the function that Python calls: it has a place on disk, and wrappers that take Python's objects."""
    dispatcher: Any = njit(**{"no_cfunc_wrapper": True} | kernel.options)(kernel.function)
    dispatcher._cache = Store(kernel)
    dispatcher.compile = partial(_compile, dispatcher)
    return dispatcher


def part(kernel: Kernel) -> Any:
    """Return the function as other kernels call it; its code ends up in theirs.

    It is compiled once for arguments of the same types, whether or not some are constants.
    """
    options = kernel.options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher: Any = njit(**options)(kernel.function)
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template([unliteral(arg) for arg in args], kws)
    return dispatcher


def address(kernel: Any, types: tuple[Any, ...]) -> int:
    """Return where the kernel's machine code for these types of arguments is; it follows Numba's calling convention."""
    kernel.compiled.compile(types)
    made = kernel.compiled.overloads[types]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def _compile(dispatcher: Any, signature: Any) -> Any:
    """Load or compile the function for these types of arguments."""
    if signature in dispatcher.overloads:
        return dispatcher.overloads[signature].entry_point
    with dispatcher._cache.compiled(), lean():
        return Dispatcher.compile(dispatcher, signature)
