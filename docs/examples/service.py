"""A service that answers with the advice of a rule book: `python service.py rules.json [PORT]`.

It takes a JSON object of readings by POST, and returns the leaf, the advice, and notes on the readings:

    curl -d '{"bridge": 31}' http://127.0.0.1:8000/
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pandas as pd

from hedgerow import InputError, RuleBook

MOST_BYTES = 1_000_000


def server(rules, port=8000):
    """Return the server for a rule book; port 0 is any that is free."""

    class Advising(BaseHTTPRequestHandler):
        timeout = 10  # seconds to wait for the next bytes of a request

        def do_POST(self):
            try:
                (answer,) = rules.advise(pd.DataFrame([self.readings()])).to_dict("records")
                status = 200
            except InputError as error:
                answer, status = {"error": str(error)}, 400
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def readings(self):
            length = self.headers.get("Content-Length", "")
            if not (length.isdecimal() and len(length) < 10 and int(length) <= MOST_BYTES):
                raise InputError(f"Content-Length must be a number up to {MOST_BYTES}.")
            try:
                readings = json.loads(self.rfile.read(int(length)))
            except (ValueError, RecursionError):
                readings = None
            if not isinstance(readings, dict):
                raise InputError('the request must be a JSON object of readings, such as {"bridge": 31}.')
            return readings

        def log_message(self, *_):
            pass

    return ThreadingHTTPServer(("127.0.0.1", port), Advising)


if __name__ == "__main__":
    with server(RuleBook.load(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8000) as running:
        running.serve_forever()
