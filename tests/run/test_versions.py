"""Versions for bug reports."""

import platform

import hedgerow


def test_versions_of_python_the_package_and_its_dependencies_are_printed(capsys):
    hedgerow.show_versions()
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith(f"Python {platform.python_version()} on ")
    names = {line.split(" ")[0] for line in others}
    assert {"hedgerow", "numpy", "joblib", "rich"} <= names
