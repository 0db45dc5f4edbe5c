"""The service in the documentation answers over HTTP what the rule book advises."""

import importlib.util
import json
import threading
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from hedgerow import RuleBook, Tree
from hedgerow.rules import Labels

SOURCE = Path(__file__).parents[2] / "docs" / "examples" / "service.py"


@pytest.fixture
def port():
    """The port of a running service."""
    spec = importlib.util.spec_from_file_location("service", SOURCE)
    service = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(service)
    labels = Labels(advice=("by bridge", "by tunnel"))
    rules = RuleBook(Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]]), ("bridge", "tunnel"), labels=labels)
    with service.server(rules, port=0) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running.server_address[1]
        running.shutdown()


def asked(port, content, **headers):
    """Return the status and the answer to a request."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", "/", content, headers)
    with closing(connection), connection.getresponse() as answer:
        return answer.status, json.load(answer)


def test_the_service_answers_what_the_rule_book_advises(port):
    advice = {"leaf": 1, "advice": "by tunnel", "filled_in": "", "outside": ""}
    assert asked(port, b'{"bridge": 36}') == (200, advice)


@pytest.mark.parametrize("reading", ["Infinity", "-Infinity", "1e999", "NaN", "null", '"36"', "[36]", "9" * 400])
def test_a_reading_that_is_no_finite_number_is_refused_in_a_sentence(port, reading):
    status, answer = asked(port, f'{{"bridge": {reading}}}'.encode())
    assert status == 400
    assert answer["error"].startswith("readings ")


@pytest.mark.parametrize(
    "content",
    [b"", b"no JSON", b"[1]", b'"bridge"', b"\xff", b'{"bridge": ' + b"9" * 5_000 + b"}", b"[" * 100_000],
    ids=["empty", "text", "list", "string", "bytes", "many digits", "deep"],
)
def test_what_is_no_object_of_readings_is_refused_in_a_sentence(port, content):
    status, answer = asked(port, content)
    assert status == 400
    assert answer["error"].startswith("the request must be a JSON object of readings")


@pytest.mark.parametrize("length", ["1000001", "9" * 5_000, "-1", "many", "²"])
def test_an_absurd_length_is_refused_before_anything_is_read(port, length):
    status, answer = asked(port, b"{}", **{"Content-Length": length.encode("latin-1")})
    assert status == 400
    assert answer["error"] == "Content-Length must be a number up to 1000000."
