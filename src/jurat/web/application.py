"""The application's outermost part, with a short cut for what judges ask for all the time."""

from __future__ import annotations

import re

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from jurat.web.judge.api import decide
from jurat.web.security import secured
from jurat.web.site import Site

DECISION = re.compile(r"/c/([\w-]+)/api/decide")
"""Of a campaign with a proper name; any other is none, and is looked for in vain elsewhere."""


class Application(Starlette):
    """Answers every request; decisions without a look at all the other roads."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        found = DECISION.fullmatch(scope["path"]) if scope.get("method") == "POST" else None
        if found is None:
            await super().__call__(scope, receive, send)
            return
        scope["app"], scope["path_params"] = self, {"campaign": found[1]}
        request, site = Request(scope, receive), self.state.site
        try:
            await site.look_up(found[1])
            response = await decide(request)
        except ClientDisconnect:
            return  # nobody is there to be told
        except Exception as error:  # noqa: BLE001 - every one has its words
            await self._explain(request, error, send)
        else:
            await _send(response, request, send)

    async def _explain(self, request: Request, error: Exception, send: Send) -> None:
        """Say what is wrong as on every other road; a mistake of ours goes to the log as well."""
        known = next(kind for kind in type(error).__mro__ if kind in self.exception_handlers)
        await _send(self.exception_handlers[known](request, error), request, send)
        if known is Exception:
            raise error


async def _send(response: Response, request: Request, send: Send) -> None:
    site: Site = request.app.state.site
    response.raw_headers = secured(response.raw_headers, secure=site.secure)
    await response(request.scope, request.receive, send)
