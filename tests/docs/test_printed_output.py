"""What the documentation shows as printed is what its code prints."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["explanations.md"])
def test_text_after_code_is_what_the_code_prints(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))
    assert any(shown for _, shown in blocks)
    namespace = {"__name__": page}
    for code, shown in blocks:
        exec(compile(code, page, "exec"), namespace)
        assert capsys.readouterr().out == shown
