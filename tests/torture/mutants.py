"""Changes one operator or constant of the package at a time and runs the tests that should notice.

    python -m tests.torture.mutants --count 200 --seed 0 --state mutants.json

The package is copied once, each change is made in the copy, and a few files of tests run against it with `-x`: those of
the module's name and those that mention the changed function. What survives is printed with its line, to be judged by a
person: some changes change nothing that matters, and some are caught by other tests.
"""

import argparse
import ast
import importlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = (
    "numba",
    "scipy.optimize",
    "scipy.sparse.csgraph",
    "pandas",
    "matplotlib.pyplot",
    "hypothesis",
    "networkx",
    "rich",
)
"""What most tests import; loaded once, before processes are forked."""

CPU_SECONDS = 60
MOST_FILES = 6
ALSO = {"engine": ["methods/exact"], "run": ["methods"], "compiled": ["methods/exact"]}
"""Folders of tests that are about a folder of the package besides the one of the same name."""

WHOLE = {
    "engine": ["test_exact_agreement"],
    "methods": ["test_every_method"],
    "geometry": ["test_move_cost"],
    "problems": ["test_shelf"],
}
"""Tests of the whole that hold the parts of a folder."""
NOTHING_COLLECTED = 5
ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": "1", "HEDGEROW_COMPILE": "auto"}
"""Changed kernels run as plain Python on what is small: compiling them takes longer than most tests."""

SWAPS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.Div: "*",
    ast.And: "or",
    ast.Or: "and",
}
SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Add: "+"}
SIGNS |= {ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.And: "and", ast.Or: "or"}


def changes(source):
    """Return all single changes of a file as (line, first column, last column, what stands there, instead)."""
    lines = source.splitlines()
    found = []

    def between(left, right, kind):
        """Find the operator between two operands that end and begin on one line."""
        if kind not in SWAPS or left.end_lineno != right.lineno:
            return
        text = lines[right.lineno - 1].encode()[left.end_col_offset : right.col_offset].decode()
        place = text.find(SIGNS[kind])
        if place >= 0:
            column = len(lines[right.lineno - 1].encode()[: left.end_col_offset].decode()) + place
            found.append((right.lineno, column, column + len(SIGNS[kind]), SIGNS[kind], SWAPS[kind]))

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            between(node.left, node.comparators[0], type(node.ops[0]))
        elif isinstance(node, ast.BinOp):
            between(node.left, node.right, type(node.op))
        elif isinstance(node, ast.BoolOp):
            between(node.values[0], node.values[1], type(node.op))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and node.lineno == node.end_lineno:
            column = len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
            found.append((node.lineno, column, column + 4, "not ", ""))
    return sorted(found)


def names_at(source, line):
    """Return the names of the functions and classes around a line."""
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, definitions) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]


def tests_of(module, names):
    """Return the tests that are about a module: files of its name, those that mention the function, those near it."""
    room = module.parts[0] if len(module.parts) > 1 else module.stem
    tests = ROOT / "tests"
    near = {path for folder in (room, *ALSO.get(room, ())) for path in tests.glob(f"{folder}/**/test_*.py")}
    near.update(tests.glob(f"test_*{room.rstrip('s')}*.py"))
    function = re.compile(rf"\b({'|'.join(map(re.escape, names or [module.stem]))})\b")
    ranked = []
    for path in sorted(tests.glob("**/test_*.py")):
        text = path.read_text(encoding="utf-8")
        same, named = path.stem.removeprefix("test_") == module.stem.lstrip("_"), function.search(text) is not None
        about = path in near and (module.stem in text or path.parts[-2] == module.parent.name)
        if same or named or about or path.stem in WHOLE.get(room, ()):
            ranked.append((not same, not (named and path in near), not named, not about, str(path)))
    return [rank[-1] for rank in sorted(ranked)[:MOST_FILES]]


@cache
def passes(copy, paths):
    """Return whether the tests pass on the unchanged package."""
    return tested(copy, paths) in (0, NOTHING_COLLECTED)


def verdict(copy, module, change):
    """Return "caught", "survived", or "unknown" if the tests take too long or fail without the change, too."""
    line, first, last, before, after = change
    target = copy / "hedgerow" / module
    original = target.read_text(encoding="utf-8")
    lines = original.splitlines(keepends=True)
    text = lines[line - 1]
    assert text[first:last] == before, (text, change)
    lines[line - 1] = text[:first] + after + text[last:]
    paths = (str(target), *tests_of(module, names_at(original, line)))
    if not passes(copy, paths):
        return "unknown"
    target.write_text("".join(lines), encoding="utf-8")
    try:
        status = tested(copy, paths)
        if status in (0, NOTHING_COLLECTED):
            return "survived"
        return "unknown" if status == -signal.SIGXCPU else "caught"
    finally:
        target.write_text(original, encoding="utf-8")


def tested(copy, paths):
    """Return the exit status of pytest on some files, in a copy of this process that imports the changed package."""
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        os.environ.update(ENVIRONMENT, PYTHONPATH=os.pathsep.join([str(copy), str(ROOT)]))
        sys.path[:0] = [str(copy), str(ROOT)]
        os.chdir(ROOT)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        options = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not slow", "--tb=no", "--rootdir", str(ROOT)]
        os._exit(pytest.main([*options, *paths]))
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path, help="a file with what was tried, to go on with")
    parser.add_argument("--only", default="", help="modules whose path contains this")
    parser.add_argument("--without", nargs="*", default=[], help="folders to leave out")
    options = parser.parse_args()
    package = ROOT / "src" / "hedgerow"
    assert "hedgerow" not in sys.modules, "the package is imported by those who test a changed one"
    for name in HEAVY:
        importlib.import_module(name)
    everything = []
    for path in sorted(package.rglob("*.py")):
        module = path.relative_to(package)
        if options.only in str(module) and not any(str(module).startswith(part) for part in options.without):
            everything += [(module, change) for change in changes(path.read_text(encoding="utf-8"))]
    random.Random(options.seed).shuffle(everything)
    kept = {"tried": 0, "caught": [], "survived": [], "unknown": []}
    if options.state and options.state.exists():
        kept = json.loads(options.state.read_text())
    with tempfile.TemporaryDirectory(prefix="hedgerow-mutants-") as folder:
        shutil.copytree(package, Path(folder) / "hedgerow", ignore=shutil.ignore_patterns("__pycache__"))
        for module, change in everything[kept["tried"] : options.count]:
            found = verdict(Path(folder), module, change)
            line = (package / module).read_text(encoding="utf-8").splitlines()[change[0] - 1].strip()
            shown = f"{module}:{change[0]}: {change[3]!r} → {change[4]!r} in: {line}"
            kept[found].append(shown)
            print(found, shown, flush=True)
            kept["tried"] += 1
            if options.state:
                options.state.write_text(json.dumps(kept, indent=1))
    counts = ", ".join(f"{len(kept[found])} {found}" for found in ("caught", "survived", "unknown"))
    print(f"{kept['tried']} changes: {counts}")


if __name__ == "__main__":
    main()
