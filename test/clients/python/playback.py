"""An endpoint of OpenAI's API on the loopback interface that plays back what it was given."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Playback:
    """
    A server of answers. The model that a request names is the key of one: a pair of bytes, the
    stream and the whole.
    """

    def __init__(self, answers):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(answers))
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.openai = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _handler(answers):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # which else holds each body back for 40 ms

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stream, whole = answers[request["model"]]
            if request.get("stream"):
                body, kind = stream, "text/event-stream"
            else:
                body, kind = whole, "application/json"
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass  # in place of a line for each request

    return Handler
