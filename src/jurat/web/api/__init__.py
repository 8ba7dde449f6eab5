"""The HTTP API for coordinators' scripts, under `/api/v1`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from jurat.web.api import campaigns, drafts, judges, results, views
from jurat.web.api.openapi import document
from jurat.web.api.operation import OPERATIONS, route
from jurat.web.context import Site

__all__ = ["campaigns", "drafts", "judges", "results", "routes", "views"]


async def show_document(request: Request) -> Response:
    """The OpenAPI document, for everybody."""
    site: Site = request.app.state.site
    return Response(document(site.root_path), media_type="application/json")


routes = [
    Mount("/v1", routes=[Route("/openapi.json", show_document), *map(route, OPERATIONS)]),
]
