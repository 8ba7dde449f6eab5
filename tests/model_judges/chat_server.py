"""A chat endpoint that answers what a test tells it to, on a port of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, NamedTuple

Request = dict[str, Any]


class Answer(NamedTuple):
    """What the endpoint answers; `hang` waits until the test is over."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = {}  # noqa: RUF012
    body: bytes | None = None
    hang: bool = False


class ChatServer:
    """The endpoint; every request is kept in `requests`."""

    def __init__(self, answer: Callable[[Request], Answer]) -> None:
        self.answer = answer
        self.requests: list[Request] = []
        self.keys: list[str | None] = []
        self.over = Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(sent)
                server.keys.append(self.headers.get("Authorization"))
                said = server.answer(sent)
                if said.hang:
                    server.over.wait()
                    return
                body = said.body if said.body is not None else completion(said.text)
                self.send_response(said.status)
                for name, value in {"Content-Length": str(len(body)), **said.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"


def completion(text: str) -> bytes:
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return json.dumps({"choices": [{"message": {"content": text}}], "usage": usage}).encode()


def user_text(request: Request) -> str:
    return str(request["messages"][-1]["content"])


@contextmanager
def chat_server(answer: Callable[[Request], Answer]) -> Iterator[ChatServer]:
    server = ChatServer(answer)
    thread = Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.http.shutdown()
        thread.join()
        server.http.server_close()
