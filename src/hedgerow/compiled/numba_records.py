"""Records as a type of Numba's; importing this module makes it known to Numba."""

__all__ = ["RecordType"]

from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from hedgerow.compiled.records import Record

_WORD = ir.IntType(64)


class RecordType(types.Type):
    """The type of a record: the names and types of its fields, in the order in which they lie in memory."""

    def __init__(self, name: str, fields: tuple[tuple[str, Any], ...]) -> None:
        self.fields = dict(fields)
        super().__init__(name=f"{name}{fields}")

    def place(self, field: str) -> int:
        """Return how many words lie before a field; see `Record`."""
        names = list(self.fields)
        kinds = [self.fields[name] for name in names[: names.index(field)]]
        return sum(1 + kind.ndim if isinstance(kind, types.Array) else 1 for kind in kinds)


@typeof_impl.register(Record)
def _type_of(record: Any, _context: Any) -> RecordType:
    name = f"{type(record).__module__}.{type(record).__qualname__}"
    return RecordType(name, tuple(zip(record._fields, map(_field_type, record), strict=True)))


def _field_type(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return types.Array(typeof(value).dtype, value.ndim, "C")
    return typeof(value)


register_model(RecordType)(models.OpaqueModel)


@unbox(RecordType)
def _address_of(_kind: Any, record: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(record, "address")
    failed = cgutils.is_null(c.builder, address)
    with c.builder.if_else(failed, likely=False) as (without, otherwise):
        with without:
            nowhere, from_error = ir.Constant(cgutils.voidptr_t, None), c.builder.block
        with otherwise:
            found = c.pyapi.long_as_voidptr(address)
            c.pyapi.decref(address)
            from_address = c.builder.block
    value = c.builder.phi(cgutils.voidptr_t)
    value.add_incoming(nowhere, from_error)
    value.add_incoming(found, from_address)
    return NativeValue(value, is_error=failed)


@infer_getattr
class _FieldTypes(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, kind: RecordType, field: str) -> Any:  # type: ignore[override]
        return kind.fields.get(field)


@lower_getattr_generic(RecordType)
def _field(context: Any, builder: Any, kind: RecordType, record: Any, field: str) -> Any:
    """Load a field. It doesn't change while compiled code runs, which owns no array of a record."""
    words = builder.bitcast(record, _WORD.as_pointer())

    def load(place: int) -> Any:
        word = builder.load(builder.gep(words, [ir.Constant(_WORD, place)]))
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
        return word

    place, wanted = kind.place(field), kind.fields[field]
    if isinstance(wanted, types.Array):
        return _array(context, builder, wanted, load(place), [load(place + 1 + axis) for axis in range(wanted.ndim)])
    value_type = context.get_value_type(wanted)
    if isinstance(value_type, ir.PointerType):
        return builder.inttoptr(load(place), value_type)
    if isinstance(value_type, ir.IntType):
        return load(place) if value_type.width == _WORD.width else builder.trunc(load(place), value_type)
    return builder.bitcast(load(place), value_type)


def _array(context: Any, builder: Any, kind: Any, address: Any, shape: list[Any]) -> Any:
    """Return a contiguous array without an owner."""
    model = context.data_model_manager[kind]
    item_size = ir.Constant(_WORD, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    n_items, strides = shape[0], [item_size]
    for length in reversed(shape[1:]):
        n_items = builder.mul(n_items, length)
        strides.insert(0, builder.mul(strides[0], length))
    data = builder.inttoptr(address, context.get_value_type(types.CPointer(kind.dtype)))
    array = ir.Constant(context.get_value_type(kind), None)
    for name, value in (("nitems", n_items), ("itemsize", item_size), ("data", data)):
        array = builder.insert_value(array, value, model.get_field_position(name))
    for axis in range(kind.ndim):
        array = builder.insert_value(array, shape[axis], [model.get_field_position("shape"), axis])
        array = builder.insert_value(array, strides[axis], [model.get_field_position("strides"), axis])
    return array
