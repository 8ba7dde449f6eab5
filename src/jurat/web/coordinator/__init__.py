"""The coordinators' pages: of the site under `/desk/`, of a campaign under its own `desk/`."""

from starlette.routing import Route

from jurat.web.coordinator import (
    access,
    adjudication,
    campaigns,
    charts,
    declaration,
    export,
    front,
    judge,
    judges,
    log,
    new,
    people,
    progress,
    results,
    rules,
    running,
    segments,
    settings,
    system,
    tasks,
    test_set,
)

site_routes: list[Route] = [
    *access.routes,
    *campaigns.routes,
    *people.routes,
    *new.routes,
    *test_set.routes,
    *tasks.routes,
    *rules.routes,
    *declaration.routes,
]
"""All campaigns side by side, those in preparation, and who may see them."""
routes: list[Route] = [
    *front.routes,
    *running.routes,
    *progress.routes,
    *judges.routes,
    *results.routes,
    *charts.routes,
    *segments.routes,
    *judge.routes,
    *system.routes,
    *adjudication.routes,
    *export.routes,
    *settings.routes,
    *log.routes,
]
"""One campaign: is it going well, who is judging, what comes out."""
