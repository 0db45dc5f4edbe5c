"""Calls the compiled LP by its address, so that callers need not be compiled together with it."""

__all__ = ["call_solver"]

from functools import cached_property
from typing import Any

from hedgerow.arrays import FloatArray


class _ByAddress:
    """A call of `hedgerow.geometry.least_change.solve_packed`: compiled code goes to its address."""

    def __call__(self, _: int, work: FloatArray, n_rows: int, n_items: int) -> float:
        from hedgerow.geometry.least_change import solve_packed

        return solve_packed(work, n_rows, n_items)

    @cached_property
    def _numba_type_(self) -> Any:
        from llvmlite import ir  # type: ignore[import-untyped]
        from numba import types
        from numba.core import cgutils
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        @intrinsic
        def call(_context: Any, address: Any, work: Any, n_rows: Any, n_items: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                where, array, rows, items = arguments
                data = cgutils.create_struct_proxy(signature.args[1])(context, builder, value=array).data  # type: ignore[no-untyped-call]
                whole = ir.IntType(64)
                function = ir.FunctionType(ir.DoubleType(), [data.type, whole, whole])
                return builder.call(builder.inttoptr(where, function.as_pointer()), [data, rows, items])

            return types.float64(address, work, n_rows, n_items), generate

        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(call)


call_solver = _ByAddress()
