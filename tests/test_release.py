"""What a release says of itself agrees: version, lowest dependencies, files that hosts look for."""

import re
import tomllib
from pathlib import Path

from hedgerow import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


TOOLS = {"bench", "docs", "dev"}


def named(requirement):
    """Return the name and the lowest version of a requirement such as `dask[distributed]>=2024.1`."""
    return re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", requirement).groups()


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_one_version_everywhere():
    assert f"\nversion: {__version__}\n" in read("CITATION.cff")
    assert f'set version = "{__version__}"' in read("conda/meta.yaml")
    assert f"\n## {__version__} – " in read("CHANGELOG.md")
    assert "\n## Unreleased\n" in read("CHANGELOG.md")


def test_the_lowest_dependencies_that_are_tested_are_those_that_are_promised():
    """`numpy>=1.26` is tested with 1.26.0; the conda recipe has the same. So are the extras."""
    extras = [each for name, group in PROJECT["optional-dependencies"].items() if name not in TOOLS for each in group]
    promised, optional = (dict(map(named, each)) for each in (PROJECT["dependencies"], extras))
    tested = dict(re.findall(r"^([\w-]+)==([\d.]+)$", read("tests/lowest.txt"), re.MULTILINE))
    recipe = dict(
        re.findall(r"^    - ([\w-]+) >=([\d.]+)$", read("conda/meta.yaml").partition("run:")[2], re.MULTILINE)
    )
    assert tested.pop("distributed") == tested["dask"]
    assert tested.keys() == {*promised, *optional}
    assert all(tested[name].startswith(version) for name, version in (promised | optional).items())
    assert all(recipe[name] == version for name, version in promised.items())


def test_hosts_find_their_files():
    for name in ("CITATION.cff", "CODE_OF_CONDUCT.md", "SECURITY.md", "SUPPORT.md", ".readthedocs.yaml", "LICENSE"):
        assert read(name).strip()
    workflow = read(".github/workflows/ci.yml")
    targets = set(re.findall(r"\bmake ([\w-]+)", workflow + read(".gitlab-ci.yml") + read(".ci/run")))
    makefile = read("Makefile")
    assert {"lint", "test", "test-lowest", "smoke", "docs"} <= targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
