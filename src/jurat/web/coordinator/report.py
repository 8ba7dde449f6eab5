"""The report of a campaign: a page that shows how far it is, and the file."""

from __future__ import annotations

from starlette.responses import Response

from jurat.errors import InputError
from jurat.web.coordinator.export import as_file
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.coordinator.results_filter import read_filter


@coordinators
async def show(visit: StaffVisit) -> Response:
    """The page of the report; asking for it starts the computation."""
    try:
        chosen = await visit.call(read_filter, visit)
        cached = await visit.results(visit.service.monitoring.results.report, chosen)
    except InputError:
        # the results page has the form of the filter, where the problem can be shown
        return visit.redirect_to_page(f"results?{visit.request.url.query}")
    return visit.render_results("coordinator/report.html", cached, query=visit.request.url.query)


@coordinators
async def download(visit: StaffVisit) -> Response:
    """The file itself; back to the page where it is not made yet."""
    chosen = await visit.call(read_filter, visit)
    cached = await visit.results(visit.service.monitoring.results.report, chosen)
    if cached.value is None or not cached.value.content:
        return visit.redirect_to_page(f"results/report?{visit.request.url.query}")
    return as_file(cached.value.content, f"{visit.campaign}-report.html", "text/html")
