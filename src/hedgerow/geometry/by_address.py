"""Calls a compiled function by its address, so that callers need not be compiled together with it."""

__all__ = ["call_solver"]

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def call_solver(_context: Any, address: Any, work: Any, n_rows: Any, n_items: Any) -> Any:
    """Call a function of an array and two whole numbers; see `hedgerow.geometry.least_change.solver_address`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        where, array, rows, items = arguments
        data = cgutils.create_struct_proxy(signature.args[1])(context, builder, value=array).data  # type: ignore[no-untyped-call]
        whole = ir.IntType(64)
        function = ir.FunctionType(ir.DoubleType(), [data.type, whole, whole])
        return builder.call(builder.inttoptr(where, function.as_pointer()), [data, rows, items])

    return types.float64(address, work, n_rows, n_items), generate
