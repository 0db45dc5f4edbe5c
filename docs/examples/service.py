"""A service that answers with the advice of a rule book: `python service.py rules.json [PORT]`.

It takes a JSON object of readings by POST, and returns leaf, advice and solution:

    curl -d '{"bridge": 31}' http://127.0.0.1:8000/
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from hedgerow import InputError, RuleBook


def server(rules, port=8000):
    """Return the server for a rule book; port 0 is any that is free."""

    class Advising(BaseHTTPRequestHandler):
        def do_POST(self):
            try:
                readings = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                answer, status = rules.advise(readings)._asdict(), 200
            except (InputError, ValueError, AttributeError) as error:
                answer, status = {"error": str(error)}, 400
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    return ThreadingHTTPServer(("127.0.0.1", port), Advising)


if __name__ == "__main__":
    with server(RuleBook.load(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8000) as running:
        running.serve_forever()
