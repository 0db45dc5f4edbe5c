"""Calls a kernel by its address, so that callers need not be compiled together with it."""

__all__ = ["call_linked"]

from functools import cached_property
from typing import Any


class _ByAddress:
    """A call of `hedgerow.geometry.linked.linked_cost` with a tuple of arguments: compiled code goes to its address."""

    def __call__(self, _: int, arguments: tuple[Any, ...]) -> float:
        from hedgerow.geometry.linked import linked_cost

        return linked_cost(*arguments)

    @cached_property
    def _numba_type_(self) -> Any:
        from numba import types
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        @intrinsic
        def call(_context: Any, address: Any, arguments: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                where, given = values
                kinds = [types.unliteral(kind) for kind in signature.args[1].types]  # type: ignore[no-untyped-call]
                function = context.call_conv.get_function_type(types.float64, kinds)
                pointer = builder.inttoptr(where, function.as_pointer())
                parts = [builder.extract_value(given, place) for place in range(len(kinds))]
                _, found = context.call_conv.call_function(builder, pointer, types.float64, kinds, parts)
                return found

            return types.float64(address, arguments), generate

        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(call)


call_linked = _ByAddress()
