"""The table of rooms in docs/architecture.md against the imports of the package, those inside functions included."""

import ast
import re
from functools import cache
from itertools import takewhile
from pathlib import Path

import hedgerow

SOURCE = Path(hedgerow.__file__).parent
DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "architecture.md"


def names_in(text):
    """Return the rooms that a text names, `mip/` and `tree.py` alike, without their endings."""
    return [name.removesuffix(".py").rstrip("/") for name in re.findall(r"`([\w/]+(?:/|\.py))`", text)]


@cache
def rows():
    """Return the rooms row by row, and the shared files that any room may import."""
    page = PAGE.read_text(encoding="utf-8")
    after = page[page.index("| room |") :].splitlines()[2:]
    table = [names_in(line.split("|")[1]) for line in takewhile(lambda line: line.startswith("|"), after)]
    shared = page[page.index("Any room may use") :].partition("\n\n")[0]
    return table, frozenset(names_in(shared))


def module_of(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return "/".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}
PACKAGE_ITSELF = {"", "__main__"}

"""Modules that import others by a name put together at run time, which the tests below don't see: the solvers' files,
methods, files of its own folder, and the rooms that the methods of a rule book lead to."""


def room_of(module):
    """Return the room that a module belongs to: its own file if that is in the table, else its folder."""
    known = {room for row in rows()[0] for room in row} | rows()[1]
    parts = module.split("/")
    places = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((place for place in places if place in known), None)


def imported(module, *, in_functions=True):
    """Yield the modules of the package that a module imports; imports for type checkers don't count."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    left_out = {
        node
        for branch in ast.walk(tree)
        if (isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING")
        or (not in_functions and isinstance(branch, ast.FunctionDef))
        for node in ast.walk(branch)
    }
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.ImportFrom):
            full = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            full = [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
            full = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        else:
            continue
        for name in full:
            if name == "hedgerow" or not name.startswith("hedgerow."):
                continue
            place = name.removeprefix("hedgerow.").replace(".", "/")
            yield place if place in MODULES else place.rpartition("/")[0]


def test_every_module_is_in_a_room_and_every_room_is_there():
    table, shared = rows()
    assert {module for module in MODULES if room_of(module) is None} == PACKAGE_ITSELF
    named = {room for row in table for room in row} | shared
    assert {room for room in named if room not in MODULES} == set()


def test_rooms_import_only_from_rooms_above_them_or_beside_them_in_the_same_row():
    table, shared = rows()
    level = {room: number for number, row in enumerate(table) for room in row} | dict.fromkeys(shared, -1)
    upward = {
        f"{module} imports {other}"
        for module in MODULES
        if module not in PACKAGE_ITSELF
        for other in imported(module)
        if other not in PACKAGE_ITSELF and level[room_of(other)] > level[room_of(module)]
    }
    assert upward == set()


def is_acyclic(edges):
    while leaves := {node for node, others in edges.items() if not others & edges.keys()}:
        edges = {node: others for node, others in edges.items() if node not in leaves}
    return not edges


def test_no_module_imports_itself_by_way_of_others():
    """Imports inside functions may do so within a room."""
    assert is_acyclic(
        {module: {*imported(module, in_functions=False)} - {*PACKAGE_ITSELF, module} for module in MODULES if module}
    )


def test_no_room_imports_itself_by_way_of_others():
    """Imports inside functions count, too."""
    rooms = {room: set() for row in rows()[0] for room in row}
    for module in MODULES:
        if module not in PACKAGE_ITSELF and room_of(module) in rooms:
            others = {room_of(other) for other in imported(module) if other not in PACKAGE_ITSELF}
            rooms[room_of(module)] |= (others & rooms.keys()) - {room_of(module)}
    assert is_acyclic(rooms)
