"""Each kind of wording is written in one function: the others call it."""

import ast
from itertools import pairwise
from pathlib import Path

import hedgerow

SOURCE = Path(hedgerow.__file__).parent


def trees():
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def writes_percentage(text):
    """Return whether an f-string writes a number as a percentage: `{share:.2%}` or `{number} %`."""
    for value in text.values:
        spec = getattr(value, "format_spec", None)
        if spec is not None and any(str(getattr(part, "value", "")).endswith("%") for part in spec.values):
            return True
    return any(
        isinstance(first, ast.FormattedValue)
        and isinstance(second, ast.Constant)
        and second.value.lstrip().startswith("%")
        for first, second in pairwise(text.values)
    )


def test_one_function_writes_percentages():
    places = [
        (name, function.name)
        for name, tree in trees()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for text in ast.walk(function)
        if isinstance(text, ast.JoinedStr) and writes_percentage(text)
    ]
    assert places == [("wording/numbers.py", "percentage")]


READS_QUESTIONS = {"run/wishes.py"}
"""Modules that know the sign because they read questions that people write."""


def test_one_module_words_questions():
    with_sign = set()
    for name, tree in trees():
        docstrings = {
            statement.value
            for statement in ast.walk(tree)
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        }
        texts = (each for each in ast.walk(tree) if isinstance(each, ast.Constant) and each not in docstrings)
        if any(isinstance(text.value, str) and "≤" in text.value for text in texts):
            with_sign.add(name)
    assert with_sign - READS_QUESTIONS == {"wording/questions.py"}
