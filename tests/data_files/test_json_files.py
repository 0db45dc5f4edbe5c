"""JSON from outside: what is refused wherever it is read, in one sentence."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.data.text_files import json_in, read_json
from hedgerow.errors import FileError, FileFormatError, HedgerowError

VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.integers(-9, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


def nested(depth, left="[", right="]"):
    return left * depth + right * depth


@given(VALUES)
def test_plain_values_read_back(value):
    assert json_in(json.dumps(value), "a value") == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Expecting value"),
        (nested(66), "deeper than 64 levels"),
        (nested(66, '{"a":', "}").replace(":}", ":1}"), "deeper than 64 levels"),
        (nested(900), "deeper than 64 levels"),
        (nested(100_000), "deeper than 64 levels"),
        ('{"a":' * 100_000, "deeper than 64 levels"),
        ('{"a": 1, "b": 2, "a": 1}', "'a' occurs twice"),
        ('[{"a": {"b": 1, "b": 2}}]', "'b' occurs twice"),
        ('{"a": 1, "\\u0061": 2}', "'a' occurs twice"),
        ("[NaN]", "NaN is not a number that JSON knows"),
        ("[-Infinity]", "Infinity is not a number that JSON knows"),
        ("[1e999]", "'1e999' is too large a number"),
        (f"[{'9' * 400}]", "is too large a number"),
        ('"\\ud83d"', "half a surrogate pair"),
        ('["\\ude00\\ud83d"]', "half a surrogate pair"),
        ('{"\\ud83d": 1}', "half a surrogate pair"),
        ('["\ud83d"]', "half a surrogate pair"),
    ],
)
def test_what_is_refused_is_told_in_a_short_sentence(text, reason):
    with pytest.raises(FileFormatError, match="this is not a value: it can't be read as JSON") as caught:
        json_in(text, "a value")
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 200
    str(caught.value).encode()


def test_what_is_just_allowed():
    assert json_in(nested(64), "a value")
    assert json_in('"\\ud83d\\ude00"', "a value") == "😀"
    assert json_in("[1e308, -5e-324]", "a value") == [1e308, -5e-324]


def test_files_are_named_in_errors(tmp_path):
    with pytest.raises(FileError, match=r"none\.json can't be read: there is no such file"):
        read_json(tmp_path / "none.json", "a value")
    (tmp_path / "binary.json").write_bytes(bytes(range(256)))
    with pytest.raises(FileFormatError, match=r"binary\.json is not a value: it is not text"):
        read_json(tmp_path / "binary.json", "a value")


@given(st.text(alphabet='{}[]":,\\ud83e01 -.n', max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        value = json_in(text, "a value")
    except HedgerowError:
        return
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
