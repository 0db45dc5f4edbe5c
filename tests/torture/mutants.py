"""Changes one operator or constant of the package at a time and runs the tests that should notice.

    python -m tests.torture.mutants --count 200 --seed 0 --state mutants.json

The package is copied once, each change is made in the copy, and the tests of the folder or file of the same name run
against it with `-x`. What survives is printed with its line, to be judged by a person: some changes change nothing that
matters.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECONDS = 600
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


def tests_of(module):
    """Return the tests that are about a module: the folder of the same name, or the file, and its own examples."""
    room = module.parts[0] if len(module.parts) > 1 else module.stem
    candidates = [ROOT / "tests" / room, ROOT / "tests" / f"test_{room}.py", ROOT / "tests" / f"test_{module.stem}.py"]
    deeper = ROOT / "tests" / module.parent
    chosen = [deeper] if len(module.parts) > 2 and deeper.is_dir() else [path for path in candidates if path.exists()]
    return chosen or [ROOT / "tests"]


def survives(copy, module, change):
    """Return whether the tests pass on the changed package."""
    line, first, last, before, after = change
    target = copy / "hedgerow" / module
    original = target.read_text(encoding="utf-8")
    lines = original.splitlines(keepends=True)
    text = lines[line - 1]
    assert text[first:last] == before, (text, change)
    lines[line - 1] = text[:first] + after + text[last:]
    target.write_text("".join(lines), encoding="utf-8")
    paths = [str(target), *map(str, tests_of(module))]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--rootdir", str(ROOT), *paths]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(copy), str(ROOT)]), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False  # an endless loop is noticed
    finally:
        target.write_text(original, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path, help="a file with what was tried, to go on with")
    parser.add_argument("--only", default="", help="modules whose path contains this")
    options = parser.parse_args()
    package = ROOT / "src" / "hedgerow"
    everything = []
    for path in sorted(package.rglob("*.py")):
        module = path.relative_to(package)
        if options.only in str(module):
            everything += [(module, change) for change in changes(path.read_text(encoding="utf-8"))]
    random.Random(options.seed).shuffle(everything)
    kept = (
        json.loads(options.state.read_text()) if options.state and options.state.exists() else {"tried": 0, "left": []}
    )
    with tempfile.TemporaryDirectory(prefix="hedgerow-mutants-") as folder:
        shutil.copytree(package, Path(folder) / "hedgerow", ignore=shutil.ignore_patterns("__pycache__"))
        for module, change in everything[kept["tried"] : options.count]:
            if survives(Path(folder), module, change):
                line = (package / module).read_text(encoding="utf-8").splitlines()[change[0] - 1].strip()
                kept["left"].append(f"{module}:{change[0]}: {change[3]!r} → {change[4]!r} in: {line}")
                print("survived", kept["left"][-1], flush=True)
            kept["tried"] += 1
            if options.state:
                options.state.write_text(json.dumps(kept, indent=1))
    print(f"{kept['tried']} changes, {kept['tried'] - len(kept['left'])} caught, {len(kept['left'])} survived")


if __name__ == "__main__":
    main()
