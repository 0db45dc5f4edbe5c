"""Trees on disk: exact round trips, and files that are damaged, newer, hostile or half-written."""

import json
import os
import stat
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import FileError, FileFormatError, InputError, RobustTree, RuleBook, Tree
from hedgerow.problems import Selection
from hedgerow.rules import Labels
from tests.worlds import trees

TREE = Tree.full([0, 1, 1], [0.1, 1 / 3, 1e-300], [[0.1, 1.0], [1e300, 0.0], [2 / 3, 5e-324], [0.0, -7.25]])
CONTENT = RuleBook(TREE, ("morning", 'evening ≤ "night"'), labels=Labels(unit="min"), made_by="hedgerow fit")


def document(**changes):
    return {**json.loads(CONTENT.to_json()), **changes}


def refused(text):
    with pytest.raises(FileFormatError) as caught:
        RuleBook.from_json(text if isinstance(text, str) else json.dumps(text))
    message = str(caught.value)
    assert len(message) < 300
    assert "\n" not in message
    return message


@pytest.mark.parametrize("content", [CONTENT, RuleBook(TREE)])
def test_a_file_reads_back_exactly(tmp_path, content):
    path = tmp_path / ("x" * 250 + ".json")  # the longest name that systems allow
    content.save(str(path))
    assert RuleBook.load(str(path)) == content
    path.write_text(content.to_json(), encoding="utf-8-sig")  # a mark that editors put in front
    assert RuleBook.load(path) == content


@given(trees(), st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_reads_back_exactly(tree, threshold, amount):
    inner = tree.item >= 0
    changed = tree.replace(threshold=np.where(inner, threshold, np.nan), solutions=np.full_like(tree.solutions, amount))
    assert RuleBook.from_json(RuleBook.of(changed).to_json()).tree == changed


def test_what_is_not_known_is_ignored_and_names_and_details_may_be_missing():
    assert RuleBook.from_json(json.dumps(document(colour="green"))) == CONTENT
    bare = {name: part for name, part in document().items() if name not in ("feature_names", "details")}
    assert RuleBook.from_json(json.dumps(bare)) == RuleBook(TREE)


def test_a_newer_version_asks_for_an_update():
    assert "version 2" in (sentence := refused(document(version=2)))
    assert "update Hedgerow" in sentence


@pytest.mark.parametrize("version", [0, -1, 1.0, True, "1", None, [1], {}, 10**30])
def test_a_version_that_is_none_is_refused(version):
    assert "version" in refused(document(version=version))


NO_TREE_FILES = ["", "hello", "[]", "null", "3", '"tree"', "{}", "<html></html>", "\x00\x01\x02", "1" * 10_000]
NO_TREE_FILES += ['{"format": "other"}', '{"format": ["hedgerow-tree"]}']
NO_TREE_FILES += ["[" * 100_000, '{"tree":' * 100_000, "[" * 100_000 + "]" * 100_000]
NO_TREE_FILES += [
    f'{{"format": "hedgerow-tree", "version": 1, {part}}}'
    for part in ('"tree": NaN', '"details": {"robust": Infinity}', '"details": {"robust": 1e999}')
]
NO_TREE_FILES += [CONTENT.to_json()[:cut] for cut in (1, 10, 100, 200, -3)]


@pytest.mark.parametrize("text", NO_TREE_FILES, ids=lambda text: text[:20])
def test_what_is_no_tree_file_is_refused(text):
    assert "not a tree file" in refused(text)


EMPTY = {"minima": [], "maxima": [], "n_samples": 0, "depth": 2, "total_weight": 1}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tree": None}, "damaged: a node must be a dictionary"),
        ({"tree": {}}, "damaged"),
        ({"tree": {"item": 0}}, "damaged"),
        ({"tree": {"solution": ["1"]}}, "damaged"),
        ({"tree": {"solution": []}}, "damaged"),
        ({"feature_names": ["a", "a"]}, "damaged: feature names must differ"),
        ({"feature_names": ["a", ""]}, "damaged: feature names must not be empty"),
        ({"feature_names": ["a", "\ud800"]}, "half a surrogate pair"),
        ({"feature_names": ["a"]}, "reads item 1, but there are only 1"),
        ({"feature_names": "ab"}, "feature names must be a list"),
        ({"feature_names": [1, 2]}, "feature names must be a text; got 1"),
        ({"feature_names": None}, "feature names must be a list"),
        ({"details": []}, "details must be an object"),
        ({"details": None}, "details must be an object"),
        ({"details": {"training": {"minima": [0], "maxima": [1]}}}, "damaged"),
        ({"details": {"training": {**EMPTY, "n_samples": -1}}}, "damaged"),
        ({"details": {"variable_names": ["a", "a"]}}, "damaged"),
        ({"details": {"advice": [1]}}, "damaged"),
        ({"details": {"problem": {"kind": "grid", "size": 2}}}, "damaged"),
        ({"details": {"problem": {"kind": "grid", "size": 10**9}}}, "must be an integer from 2 to 200"),
        ({"details": {"uncertainty": {"kind": "local", "budget": -1}}}, "must be zero or more"),
    ],
)
def test_a_damaged_file_is_refused_with_the_reason(changes, message):
    assert message in refused(document(**changes))


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "tree.json"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(FileFormatError, match=r"tree\.json is not a tree file: it is not text"):
        RuleBook.load(path)


def test_a_file_of_absurd_size_is_not_even_read(tmp_path):
    path = tmp_path / "tree.json"
    with path.open("wb") as stream:
        stream.truncate(1 << 30)  # sparse: takes no room
    with pytest.raises(FileFormatError, match="larger than 256 MiB"):
        RuleBook.load(path)


@pytest.mark.parametrize("name", ["none.json", "nowhere/none.json"])
def test_a_file_that_is_not_there_is_an_error_of_ours_and_of_the_system(tmp_path, name):
    with pytest.raises(FileError, match=r"none\.json can't be read: there is no such file\.") as caught:
        RuleBook.load(tmp_path / name)
    assert isinstance(caught.value, OSError)
    assert (caught.value.errno, caught.value.filename) == (2, str(tmp_path / name))


# -- writing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_or_ctrl_c_half_way_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, error):
    path = tmp_path / "tree.json"
    RuleBook.of(Tree.single([1.0])).save(path)
    before = path.read_bytes()

    def fails(self, target):
        raise error

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(type(error)):
        CONTENT.save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["tree.json"]  # noqa: PTH208


@pytest.mark.parametrize("value", [float("nan"), object(), np.float32(1.0)])
def test_what_json_cannot_hold_is_refused_before_anything_is_written(tmp_path, value):
    path = tmp_path / "tree.json"
    with pytest.raises(InputError, match="finite numbers and plain texts"):
        RuleBook(TREE, labels=Labels(description={"kind": "custom", "size": value})).save(path)
    assert not path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="permissions work otherwise there")
@pytest.mark.parametrize("mode", [None, 0o600, 0o664, 0o444])
def test_a_new_file_has_usual_permissions_and_a_replaced_one_keeps_its_own(tmp_path, monkeypatch, mode):
    path, old = tmp_path / "tree.json", os.umask(0o027)
    try:
        if mode is not None:
            path.write_text("an older file")
            path.chmod(mode)
        with monkeypatch.context() as patch:  # other threads would make files with the wrong permissions meanwhile
            patch.setattr(os, "umask", lambda mask: pytest.fail("the umask was changed"))
            CONTENT.save(path)
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == (0o640 if mode is None else mode)
    assert RuleBook.load(path) == CONTENT


@pytest.mark.parametrize(
    ("questions", "kept"), [("plans:2", "plans:2"), (["items", "pairs"], "items,pairs"), ({"a": {0: 1.0, 1: -1.0}}, "")]
)
def test_the_kinds_of_questions_that_were_asked_for_are_kept(questions, kept, tmp_path):
    model = RobustTree(Selection(2, 1), depth=1, method="greedy", questions=questions).fit([[1.0, 3.0], [4.0, 2.0]])
    model.rulebook_.save(tmp_path / "rules.json")
    assert RuleBook.load(tmp_path / "rules.json").result.questions == kept
