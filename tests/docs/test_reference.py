"""The reference has every name that users type."""

import ast
import importlib
import re
from pathlib import Path

import pytest

import hedgerow
from tests.docs.test_code_blocks import PAGES, code_blocks

ROOT = Path(__file__).parents[2]
REFERENCE = "\n".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "reference").glob("*.md")))
SECTION = re.compile(r"^::: (\S+)\n(?:    options:\n)?((?:      .*\n?)*)", re.MULTILINE)
INNER_ROOMS = {
    "cli", "compiled", "data", "engine", "errors", "estimator", "geometry", "instance", "methods", "mip", "rules",
    "thresholds", "tolerances", "tree", "uncertainty", "wording",
}  # fmt: skip
"""Modules that are no address of their own: what users need of them has another, the rest is for Hedgerow itself."""


def documented():
    """Return the names on the page, by module, in full or as far as its `members` say."""
    names = {}
    for target, options in SECTION.findall(REFERENCE):
        members = re.search(r"members: \[(.*)\]", options)
        try:
            module = importlib.import_module(target)
        except ModuleNotFoundError:  # a function that is called like its module
            address, _, name = target.rpartition(".")
            names.setdefault(address, set()).add(name)
        else:
            names.setdefault(target, set()).update(members[1].split(", ") if members else module.__all__)
    elsewhere = {name for found in names.values() for name in found}
    names["hedgerow"] |= elsewhere.intersection(hedgerow.__all__)  # such as evaluate, under its own address
    return names


def imported(page):
    """Return what the page's code imports from Hedgerow, as pairs of module and name."""
    tree = ast.parse("\n".join(code for _, code in code_blocks(page)))
    return [
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "hedgerow"
        for alias in node.names
    ]


def test_every_module_that_users_import_from_has_a_section():
    folder = Path(hedgerow.__file__).parent
    rooms = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    public = {room for room in rooms if not room.startswith("_")}
    on_the_page = {name.split(".")[1] for name in documented() if "." in name}
    assert public - INNER_ROOMS == on_the_page - INNER_ROOMS


@pytest.mark.parametrize("page", [page for page in PAGES if code_blocks(page)], ids=lambda page: page.stem)
def test_what_a_page_imports_is_in_the_reference(page):
    names = documented()
    missing = [f"{module}.{name}" for module, name in imported(page) if name not in names.get(module, ())]
    assert not missing


def test_every_name_of_the_package_is_documented():
    assert set(hedgerow.__all__) - documented()["hedgerow"] == {"__version__"}


def test_what_is_on_the_page_is_there():
    for module, names in documented().items():
        assert names <= {*dir(importlib.import_module(module))}, module


def test_functions_that_are_called_like_their_module_have_an_entry_of_their_own():
    """Read from the package, such a name leads to the module, and the function would be left out."""
    assert {"evaluate"} == documented()["hedgerow.evaluation"]
    assert {"solve"} == documented()["hedgerow.methods.solve"]
