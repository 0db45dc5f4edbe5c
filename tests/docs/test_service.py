"""The service in the documentation answers over HTTP what the rule book advises."""

import importlib.util
import json
import threading
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from hedgerow import RuleBook, Tree

SOURCE = Path(__file__).parents[2] / "docs" / "examples" / "service.py"


def asked(port, content):
    with urlopen(f"http://127.0.0.1:{port}/", data=content, timeout=20) as answer:
        return json.load(answer)


def test_the_service_answers_what_the_rule_book_advises(tmp_path):
    spec = importlib.util.spec_from_file_location("service", SOURCE)
    service = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(service)
    details = {"advice": ["by bridge", "by tunnel"]}
    RuleBook(Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]]), ("bridge", "tunnel"), details).save(tmp_path / "r.json")
    with service.server(RuleBook.load(tmp_path / "r.json"), port=0) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        port = running.server_address[1]
        assert asked(port, b'{"bridge": 36}') == {"leaf": 1, "text": "by tunnel", "solution": {"x2": 1.0}}
        for wrong in (b"{}", b"no JSON", b"[1]"):
            with pytest.raises(HTTPError) as refused:
                asked(port, wrong)
            assert refused.value.code == 400
            refused.value.close()
        running.shutdown()
