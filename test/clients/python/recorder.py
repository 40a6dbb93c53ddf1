"""What stands between the gateway and the fake server, to keep the requests that Gemini gets."""

import http.client
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class Recorder:
    """Passes requests on to a server, and keeps their bodies. Answers are passed on whole."""

    def __init__(self, url):
        self.requests = []
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), _handler(urlsplit(url).netloc, self.requests)
        )
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def signatures(self):
        """The signatures of the calls in the last request, in order, "" where there is none."""
        contents = self.requests[-1]["contents"]
        parts = [
            part for content in contents for part in content["parts"] if "functionCall" in part
        ]
        return [part.get("thoughtSignature", "") for part in parts]


def _handler(server, requests):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            requests.append(json.loads(body))
            connection = http.client.HTTPConnection(server)
            headers = {name: value for name, value in self.headers.items() if name != "Host"}
            connection.request("POST", self.path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            connection.close()

        def log_message(self, *_):
            pass

    return Handler
