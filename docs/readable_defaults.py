"""An extension of Griffe for the reference: defaults are shown by their values, not by names of constants."""

import re
from typing import Any

import griffe


class ReadableDefaults(griffe.Extension):
    """Replace `_NO_LABELS` by `Labels()`, and `_option("auto", …)` by `"auto"`, in signatures."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Go through a package that was read."""
        self._visit(pkg)

    def _visit(self, parent: griffe.Module | griffe.Class) -> None:
        for member in parent.members.values():
            if isinstance(member, griffe.Function):
                for parameter in member.parameters:
                    parameter.default = self._value(member, parameter.default)
            elif isinstance(member, griffe.Attribute) and isinstance(parent, griffe.Class):
                member.value = self._value(member, member.value)  # a field of a data class
            elif isinstance(member, griffe.Module | griffe.Class):
                self._visit(member)

    def _value(self, member: griffe.Object, default: Any) -> Any:
        """Return the default, or the value of the constant that it names."""
        text = str(default)
        if option := re.match(r"_option\(\s*([^,()]+)[,)]", text):
            return option[1]
        constant = member.module.members.get(text) if re.fullmatch(r"_?[A-Z][A-Z_]+", text) else None
        if constant is None:
            return default
        return str(constant.final_target.value if constant.is_alias else constant.value)
