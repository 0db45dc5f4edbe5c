"""Kernels as Numba's functions. Importing this module imports Numba.

Numba makes machine code of every function by itself, and links a function into each of its callers, where it is
optimised again: in deep chains of calls most of the compiler's time goes there. Inside of `lean()` only the outermost
function becomes machine code; what it calls, directly or not, is linked into it once and optimised with it.
"""

__all__ = ["address", "entry", "lean", "part"]

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from llvmlite import binding
from numba import njit
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.typed_passes import NopythonRewrites
from numba.core.types import unliteral
from numba.core.untyped_passes import InlineClosureLikes, WithLifting

from hedgerow.compiled.kernels import Kernel
from hedgerow.compiled.notice import count_part
from hedgerow.compiled.numba_records import RecordType  # noqa: F401 (importing it makes records known to Numba)
from hedgerow.compiled.store import Store

_FRAMES: Final = 140_000
"""Room for the frames of calls, in objects: a megabyte."""


class _Passes(CompilerBase):
    """The compiler's passes, less those for what kernels don't contain: closures, `with`, expressions of arrays."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        unneeded = (WithLifting, InlineClosureLikes, NopythonRewrites)
        passes.passes = [each for each in passes.passes if each[0] not in unneeded]
        passes.finalize()
        return [passes]


def entry(kernel: Kernel) -> Any:
    """Return the function that Python calls: it has a place on disk, and wrappers that take Python's objects."""
    dispatcher: Any = njit(pipeline_class=_Passes, **{"no_cfunc_wrapper": True} | kernel.options)(kernel.function)
    dispatcher._cache = Store(kernel)
    dispatcher.compile = partial(_compile, dispatcher)
    return dispatcher


def part(kernel: Kernel) -> Any:
    """Return the function as other kernels call it; its code ends up in theirs.

    It is compiled once for arguments of the same types, whether or not some are constants.
    """
    options = kernel.options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher: Any = njit(pipeline_class=_Passes, **options)(kernel.function)
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
        return _in_one_piece(Dispatcher.compile, dispatcher, signature)


def _in_one_piece(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function with room for the frames of all calls below it.

    Python takes memory for frames in small pieces. The compiler calls deeply, and where its calls cross from one piece
    to the next, each of them would take that piece from the system and give it back.
    """
    return function(*arguments)


_in_one_piece.__code__ = _in_one_piece.__code__.replace(co_stacksize=_FRAMES)


class _Library(JITCodeLibrary):
    """Code that is only linked into other code, until machine code is asked for."""

    _is_part = False

    def add_linking_library(self, library: Any) -> None:
        if isinstance(library, _Library) and not library._finalized:
            library._is_part = library._finalized = True
            library._finalize_dynamic_globals()
        super().add_linking_library(library)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._link_callees(self._final_module)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def _optimize_final_module(self) -> None:
        """Optimise in one go, without what takes long and doesn't make kernels faster."""
        if not hasattr(binding, "create_pass_builder"):  # before llvmlite 0.44
            super()._optimize_final_module()
            return
        tuning = binding.create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization, tuning.slp_vectorization, tuning.loop_unrolling = True, False, False
        builder = binding.create_pass_builder(self._codegen._tm, tuning)
        passes = builder.getModulePassManager()
        passes.add_refprune_pass()
        passes.run(self._final_module, builder)

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave it to the optimisation of the whole."""
        ll_module.data_layout = self._codegen._data_layout

    def _get_module_for_linking(self) -> Any:
        """Return the code with all that it calls, for code that is compiled elsewhere."""
        module = super()._get_module_for_linking()
        if self._is_part:
            module = module.clone()
            self._link_callees(module)
        return module

    def _link_callees(self, module: Any) -> None:
        for library in self._callees():
            if hasattr(library, "_reload_init"):  # as of Numba 0.63
                self._reload_init.update(library._reload_init)
            code = JITCodeLibrary._get_module_for_linking(library)
            module.link_in(code, preserve=True)

    def _callees(self) -> list[Any]:
        """Return the libraries that this one needs, directly or through others, each once."""
        found: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = None
                if getattr(library, "_is_part", False):
                    waiting += library._linking_libraries
        return list(found)


class _Depth(event.Listener):
    """How many functions are being compiled, one for the sake of the other."""

    depth = 0

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if event.data["dispatcher"].py_func.__module__.startswith("hedgerow."):
            count_part()


@contextmanager
def lean() -> Iterator[None]:
    """Make machine code of the outermost function only within the block."""
    context = cpu_target.target_context
    codegen, get_executable = context.codegen(), context.get_executable
    level = _Depth()

    def executable(library: Any, fndesc: Any, env: Any) -> Any:
        # Numba tells compiled functions apart by their executables, so each part has one that is never called.
        return get_executable(library, fndesc, env) if level.depth <= 1 else [].append

    with global_compiler_lock, event.install_listener("numba:compile", level):
        codegen._library_class, context.get_executable = _Library, executable
        try:
            with _without_collection():
                yield
        finally:
            del codegen._library_class, context.get_executable


@contextmanager
def _without_collection() -> Iterator[None]:
    """Collect no garbage within the block: the compiler makes many objects, and an eighth of its time would go there.

    What it leaves counts as old, so that it isn't looked through right after the block.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:
            gc.freeze()
            gc.unfreeze()
        gc.enable()
