"""Python functions behind HTTP, for the launcher on this machine."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Gets a start request, calls the model, and returns a result; see the launcher's README.
Agent = Callable[[dict[str, Any]], dict[str, Any]]
#: Gets a simulation, its result and its steps, and returns a score, or an object with `score`.
Evaluator = Callable[[dict[str, Any]], "float | dict[str, Any]"]

MAX_BODY_BYTES = 1 << 30


class FunctionServer:
    """Serves functions under addresses that nobody can guess. Each call has a thread."""

    def __init__(self, **functions: Callable[[dict[str, Any]], Any]) -> None:
        token = secrets.token_urlsafe(16)
        by_path = {f"/{token}/{name}": function for name, function in functions.items()}
        self._server = _Server(("127.0.0.1", 0), _handler(by_path))
        self._origin = f"http://127.0.0.1:{self._server.server_address[1]}/{token}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def url(self, name: str) -> str:
        return f"{self._origin}/{name}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256


def _handler(by_path: dict[str, Callable[[dict[str, Any]], Any]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            function = by_path.get(self.path)
            if function is None:
                return self._answer(404, "there is no such function")
            try:
                given = json.loads(self._body())
                self._answer(200, json.dumps(function(given)))
            except Exception as error:  # The caller's function may raise anything; the launcher reports it.
                self._answer(500, f"{type(error).__name__}: {error}")

        def _body(self) -> bytes:
            if "chunked" not in self.headers.get("transfer-encoding", ""):
                return self.rfile.read(int(self.headers.get("content-length", "0")))
            body = bytearray()
            while size := int(self.rfile.readline(64).split(b";")[0], 16):
                if len(body) + size > MAX_BODY_BYTES:
                    raise ValueError(f"the body has more than {MAX_BODY_BYTES} bytes")
                body += self.rfile.read(size)
                self.rfile.readline(8)
            return bytes(body)

        def _answer(self, status: int, text: str) -> None:
            body = text.encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.send_header("connection", "close")
            self.close_connection = True
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
