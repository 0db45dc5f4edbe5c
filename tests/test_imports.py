"""The public face: importing is light, `__all__` is the truth, and every public name shows how it is used."""

import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

import hedgerow
from tests.processes import environment_of_tests

OPTIONAL = {"gurobipy"}


def public_modules():
    """Return every module of the package that can be imported here and isn't private."""
    names = [hedgerow.__name__]
    names += [found.name for found in pkgutil.walk_packages(hedgerow.__path__, f"{hedgerow.__name__}.")]
    modules = {}
    for name in names:
        if any(part.startswith("_") for part in name.split(".")):
            continue
        try:
            modules[name] = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name not in OPTIONAL:
                raise
    return modules


MODULES = public_modules()
ADDRESSES = {
    "hedgerow.engine.bounds",
    "hedgerow.problem",
    "hedgerow.run.wishes",
    "hedgerow.testing",
    "hedgerow.tree.splits",
}
"""Files that users import from, beside folders; elsewhere an underscore is enough to say what is a file's own."""
PUBLIC = [name for name in hedgerow.__all__ if not name.startswith("__")]


HEAVY = {"highspy", "matplotlib", "networkx", "numba", "numpy", "pandas", "rich", "scipy", "sklearn", "typer"}
FIT = ["fit", "selection:4:2", "costs.csv", "--method", "one_solution"]


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        ([], set()),
        (["--help"], {"numpy", "rich", "typer"}),
        (FIT, {"numba", "numpy", "pandas", "rich", "typer", "scipy", "sklearn"}),
    ],
    ids=["import", "help", "fit"],
)
def test_nothing_is_loaded_that_is_not_needed(words, needed, tmp_path):
    (tmp_path / "costs.csv").write_text("a,b,c,d\n1,2,3,4\n4,3,2,1\n")
    run = f"sys.argv[1:] = {words!r}\nfrom hedgerow.__main__ import main\nmain()" if words else "import hedgerow"
    code = (
        f"import atexit, sys\natexit.register(lambda: print(*sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + run],
        env={**environment_of_tests(), "NUMBA_DISABLE_JIT": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stderr.splitlines()[-1].split()) <= needed


@pytest.mark.parametrize("name", MODULES)
def test_all_is_the_truth(name):
    """Every name is there, none twice, and none is private; a folder without names of its own needs no list."""
    module = MODULES[name]
    if not hasattr(module, "__path__"):
        assert hasattr(module, "__all__") == (name in ADDRESSES)
    listed = getattr(module, "__all__", [])
    assert len(set(listed)) == len(listed)
    for public in listed:
        assert hasattr(module, public), f"{name} lists {public}, which isn't there"
        assert not public.startswith("_") or public == "__version__", f"{name} lists {public}, which is private"


@pytest.mark.parametrize("name", MODULES)
def test_a_module_says_in_its_first_sentence_what_it_is_for(name):
    assert MODULES[name].__doc__
    assert MODULES[name].__doc__.strip().splitlines()[0].endswith((".", ":"))


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_has_a_docstring_with_an_example(name):
    value = getattr(hedgerow, name)
    assert inspect.isclass(value) or inspect.isfunction(value)
    assert value.__doc__, f"{name} has no docstring"
    assert ">>> " in value.__doc__, f"{name} shows no example"
