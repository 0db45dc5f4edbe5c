"""Every kind of problem is documented in Python and as a file, and both forms are the same problem."""

import re
from pathlib import Path

from hedgerow.problems import read_problem
from hedgerow.problems.base import registry
from hedgerow.problems.problem_file import FILE_KINDS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "kinds.md"
BUILT_IN = {kind for kind, problem in registry.items() if problem.__module__.startswith("hedgerow.")}
BLOCK = re.compile(r"^```(python|toml)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_both_forms_of_every_kind_are_the_same_problem(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, _, _ = PAGE.read_text(encoding="utf-8").partition("\n## Maximising\n")
    namespace, kinds = {}, []
    for language, code in BLOCK.findall(text):
        if language == "python":
            exec(compile(code, str(PAGE), "exec"), namespace)
            continue
        (tmp_path / "problem.toml").write_text(code, encoding="utf-8")
        assert read_problem(tmp_path / "problem.toml") == namespace["problem"], code
        kinds.append(re.search(r'^kind = "(\w+)"', code, re.MULTILINE)[1])
    assert sorted(kinds) == sorted({*BUILT_IN, *FILE_KINDS})
    assert kinds[0] == "graph"
    assert kinds[3] == "selection"


def test_the_table_names_every_kind():
    table = PAGE.read_text(encoding="utf-8").partition("\n\nEach problem has two forms")[0]
    assert table.count("\n") < 20
    assert all(f"`{kind}`" in table for kind in {*BUILT_IN, *FILE_KINDS})
