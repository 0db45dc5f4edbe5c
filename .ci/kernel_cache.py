"""Prints a folder for Numba's cache that is named by a hash of all kernels: python .ci/kernel_cache.py [package].

Numba compiles a kernel anew when its own file changes, but not when a kernel or constant of another file does. So each
state of the sources gets a folder of its own. The hash is over all files with kernels and all that these import.
"""

import ast
import hashlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def kernel_files(package: Path) -> set[Path]:
    """Return the files of a package with kernels, and those of its files that they import."""
    found = {path for path in package.rglob("*.py") if "@kernel" in path.read_text(encoding="utf-8")}
    for path in tuple(found):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(package.name):
                module = package.parent.joinpath(*node.module.split("."))
                found |= {file for file in (module.with_suffix(".py"), module / "__init__.py") if file.exists()}
    return found


def cache_folder(package: Path) -> Path:
    """Return the folder of the cache for the present state of a package."""
    digest = hashlib.sha256()
    for path in sorted(kernel_files(package)):
        digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    return ROOT / ".numba" / digest.hexdigest()[:16]


if __name__ == "__main__":
    print(cache_folder(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "src" / "hedgerow"))
