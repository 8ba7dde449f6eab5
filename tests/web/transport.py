"""Requests to the application within this process, each by one call of its event loop.

Starlette's own client makes eight, since it can stream answers and cancel requests: that takes
longer than most pages do.
"""

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import unquote

import anyio
import httpx2
from starlette.testclient import TestClient

Message = MutableMapping[str, Any]
PORTS = {"http": 80, "https": 443}


class WholeAnswers(httpx2.BaseTransport):
    """In the place of a client's own: it waits for all of an answer."""

    def __init__(self, client: TestClient) -> None:
        # what the client was made with: the event loop, its address, whether faults are raised
        self._own: Any = client._transport

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        own, url = self._own, request.url
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": unquote(url.path),
            "raw_path": url.raw_path.partition(b"?")[0],
            "root_path": own.root_path,
            "scheme": url.scheme,
            "query_string": url.query,
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": own.client,
            "server": [url.host, url.port or PORTS[url.scheme]],
            "state": own.app_state.copy(),
        }
        with own.portal_factory() as portal:
            start, body = portal.call(self._answer, scope, request.read())
        content = b"" if request.method == "HEAD" else body
        return httpx2.Response(
            start["status"],
            headers=start["headers"],
            stream=httpx2.ByteStream(content),
            request=request,
        )

    async def _answer(self, scope: dict[str, Any], body: bytes) -> tuple[Message, bytes]:
        """The beginning of the answer and its body."""
        start: Message = {"status": 500, "headers": []}
        parts: list[bytes] = []
        unread, complete = [body], anyio.Event()

        async def receive() -> Message:
            if unread:
                return {"type": "http.request", "body": unread.pop()}
            await complete.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                complete.set()

        try:
            await self._own.app(scope, receive, send)
        except Exception:
            if self._own.raise_server_exceptions:
                raise
        return start, b"".join(parts)
