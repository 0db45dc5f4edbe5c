"""Changes one operator or constant of the package at a time and runs the tests that should notice.

    python -m tests.torture.mutants --count 200 --seed 0 --state mutants.json

The package is copied once, each change is made in the copy, and a few files of tests run against it with `-x`: those
of the module's name, those that import it or mention the changed function, and those that share rare words with it and
lead to it by few imports. What survives is printed with its line and the files that ran out of time, to be judged by a
person: some changes change nothing that matters, and some are caught by other tests.

Where a module with kernels is changed, kernels run as plain Python on what is small: compiling them anew takes longer
than most tests. One with a `plain` version of its own is not reached then; HEDGEROW_COMPILE=always compiles everything.
After a change of another module all kernels run compiled, as they are stored.
"""

import argparse
import ast
import importlib
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
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

ALSO = {
    "engine": ["methods/exact", "methods/test_scenario", "methods/test_best"],
    "run": ["methods"],
    "compiled": ["methods/exact"],
}
"""Folders of tests that are about a folder of the package besides the one of the same name."""

WORD = re.compile(r"[A-Za-z_]\w{3,}")
NOTHING_COLLECTED, CRASHED = 5, 99
TOO_LONG = -signal.SIGXCPU, -signal.SIGKILL, -signal.SIGALRM
COMPILE = os.environ.get("HEDGEROW_COMPILE")

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


def around(source, line):
    """Return the name and the text of the innermost function or class around a line; the whole file beside them."""
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, definitions) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    if not found:
        return "", source
    # Of special methods the class says more than the name.
    inner = max((node for node in found if not node.name.startswith("__")), key=lambda node: node.lineno)
    return inner.name, ast.get_source_segment(source, inner)


def tests_of(module, name, text, most):
    """Return the files of tests that are about a function, best first.

    These are files of the module's name, those that mention the function, and those that share rare words with it.
    """
    room = module.parts[0] if len(module.parts) > 1 else module.stem
    own = {module.stem.strip("_"), module.parent.name, name} - {"", room}
    words, known = set(WORD.findall(text)), words_of_tests()
    n_files = Counter(word for found in known.values() for word in found & words)
    ranked = []
    for path, found in known.items():
        stem = path.stem.removeprefix("test_")
        near = room in path.parts or room.rstrip("s") in stem or any(part in str(path) for part in ALSO.get(room, ()))
        shared = sum(math.log(len(known) / n_files[word]) for word in found & words) / math.log(100 + len(found))
        same = near and bool({stem, stem.rstrip("s")} & own)
        named = name in found
        steps = distances(ROOT / path).get(module, 9)
        score = shared * (1.5 if near else 1.0) / steps
        ranked.append((not same, not (steps == 1 or (named and near)), not named, -score, str(path)))
    return [rank[-1] for rank in sorted(ranked)[:most]]


@cache
def imported(path):
    """Return the modules of the package that a file imports, anywhere in it, by their paths."""
    package, found = ROOT / "src" / "hedgerow", set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hedgerow"):
            module = "/".join(node.module.split(".")[1:])
            places = {module, *(f"{module}/{alias.name}".lstrip("/") for alias in node.names)}
            found |= {Path(place + end) for place in places for end in (".py", "/__init__.py")}
    return {module for module in found if (package / module).is_file()}


@cache
def distances(path):
    """Return in how many steps of imports a file of tests leads to each module."""
    found, steps, level = {}, 1, imported(path)
    while level:
        found |= dict.fromkeys(level, steps)
        beyond = (imported(ROOT / "src" / "hedgerow" / module) for module in level)
        steps, level = steps + 1, set().union(*beyond) - set(found)
    return found


@cache
def words_of_tests():
    paths = sorted(path for path in (ROOT / "tests").rglob("test_*.py") if path.name != "test_browser.py")
    return {path.relative_to(ROOT): set(WORD.findall(path.read_text(encoding="utf-8"))) for path in paths}


def verdict(copy, module, change, options, kept):
    """Return "caught" or "survived", and by which test or which files ran out of time.

    Each file of tests has so many seconds of CPU time: what it has not noticed by then, it has not noticed. Tests that
    fail without the change, too, are left out from then on.
    """
    line, first, last, before, after = change
    target = copy / "hedgerow" / module
    original = target.read_text(encoding="utf-8")
    lines = original.splitlines(keepends=True)
    text = lines[line - 1]
    assert text[first:last] == before, (text, change)
    lines[line - 1] = text[:first] + after + text[last:]
    changed, ran_out, failing, costs = "".join(lines), [], kept["failing"], kept["seconds"]
    chosen = tests_of(module, *around(original, line), options.files)
    compiled = COMPILE or ("auto" if "@kernel" in original else "always")
    paths = [str(target)] if ">>>" in original else []
    paths += sorted(chosen, key=lambda path: 3.0 * chosen.index(path) + costs.get(path, 5.0))
    try:
        while paths:
            path = paths[0]
            target.write_text(changed, encoding="utf-8")
            status, failed, seconds = tested(copy, (path,), options.seconds, failing, compiled)
            if status in (0, NOTHING_COLLECTED):
                costs[path] = seconds
            if status in TOO_LONG:
                ran_out.append(path)
            if status in (0, NOTHING_COLLECTED, *TOO_LONG):
                del paths[0]
                continue
            if failed and set(failed) <= set(kept["passing"]):
                return "caught", failed
            target.write_text(original, encoding="utf-8")
            unchanged, _, _ = tested(copy, failed or (path,), 4 * options.seconds, failing, compiled)
            if unchanged in (0, NOTHING_COLLECTED):
                kept["passing"] += failed
                return "caught", failed or [path]
            if failed:
                failing += failed
            else:
                del paths[0]
    finally:
        target.write_text(original, encoding="utf-8")
    return "survived", ran_out


class Failed:
    """Writes the names of failed tests, or of files that can't be imported, to a pipe."""

    def __init__(self, pipe):
        self.pipe = pipe

    def pytest_runtest_logreport(self, report):
        if report.failed:
            os.write(self.pipe, report.nodeid.encode() + b"\n")

    pytest_collectreport = pytest_runtest_logreport


def tested(copy, paths, seconds, failing, compiled):
    """Return pytest's exit status on some files, which tests failed, and the CPU seconds, in a fork of its own.

    The fork imports the changed package.
    """
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = CRASHED
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))  # SIGXCPU before SIGKILL
            signal.alarm(5 * seconds)  # for those that wait for others
            os.environ.update(PYTHONDONTWRITEBYTECODE="1", HEDGEROW_COMPILE=compiled)
            os.environ["PYTHONPATH"] = os.pathsep.join([str(copy), str(ROOT)])
            sys.path[:0] = [str(copy), str(ROOT)]
            os.chdir(ROOT)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            options = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not slow", "--tb=no", "--rootdir", str(ROOT)]
            options += ["-c", str(ROOT / "pyproject.toml"), "-W", "ignore::pytest.PytestAssertRewriteWarning"]
            options += [f"--deselect={name}" for name in failing]
            status = pytest.main([*options, *paths], plugins=[Failed(writes)])
        finally:
            os._exit(status)
    _, status, usage = os.wait4(pid, 0)
    os.write(writes, b"\n")
    failed = os.read(reads, 1 << 16).decode().split("\n")
    os.close(reads)
    os.close(writes)
    seconds = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), [name for name in failed if name.startswith("tests/")], seconds


def found_again(package, kept, which):
    """Return where kept changes stand now: same line of code, same operator, nearest to the old place."""
    found = []
    for module, change, text, *_ in (change for found in which for change in kept.get(found, ())):
        source = (package / module).read_text(encoding="utf-8") if (package / module).exists() else ""
        lines = source.splitlines()
        same = [
            new
            for new in changes(source)
            if new[3:] == tuple(change[3:]) and new[1] == change[1] and lines[new[0] - 1].strip() == text
        ]
        if same:
            found.append((Path(module), min(same, key=lambda new: abs(new[0] - change[0]))))
        else:
            print(f"gone {module}:{change[0]}: {text}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path, help="a file with what was tried, to go on with")
    parser.add_argument("--only", default="", help="modules whose path contains this")
    parser.add_argument("--again", type=Path, help="try only changes that were tried before, with this state")
    parser.add_argument("--found", nargs="*", default=["survived"], help="which of them")
    parser.add_argument("--seconds", type=int, default=10, help="of CPU time for each file of tests")
    parser.add_argument("--files", type=int, default=7, help="of tests for each change, at most")
    parser.add_argument("--without", nargs="*", default=[], help="folders to leave out")
    options = parser.parse_args()
    package = ROOT / "src" / "hedgerow"
    assert "hedgerow" not in sys.modules, "the package is imported by those who test a changed one"
    for name in HEAVY:
        importlib.import_module(name)
    everything = []
    if options.again:
        everything = found_again(package, json.loads(options.again.read_text()), options.found)
    else:
        for path in sorted(package.rglob("*.py")):
            module = path.relative_to(package)
            if options.only in str(module) and not any(str(module).startswith(part) for part in options.without):
                everything += [(module, change) for change in changes(path.read_text(encoding="utf-8"))]
        random.Random(options.seed).shuffle(everything)
    kept = {"tried": 0, "caught": [], "survived": [], "passing": [], "failing": [], "seconds": {}}
    if options.state and options.state.exists():
        kept |= json.loads(options.state.read_text())
    with tempfile.TemporaryDirectory(prefix="hedgerow-mutants-") as folder:
        shutil.copytree(package, Path(folder) / "hedgerow", ignore=shutil.ignore_patterns("__pycache__"))
        for module, change in everything[kept["tried"] : options.count]:
            found, tests = verdict(Path(folder), module, change, options, kept)
            line = (package / module).read_text(encoding="utf-8").splitlines()[change[0] - 1].strip()
            kept[found].append((str(module), change, line, tests))
            print(f"{found} {module}:{change[0]}: {change[3]!r} → {change[4]!r} in: {line} {tests}", flush=True)
            kept["tried"] += 1
            if options.state:
                options.state.write_text(json.dumps(kept, indent=1))
    print(f"{kept['tried']} changes: {len(kept['caught'])} caught, {len(kept['survived'])} survived")


if __name__ == "__main__":
    main()
