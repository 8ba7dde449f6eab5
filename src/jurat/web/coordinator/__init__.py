"""Coordinator pages: of the whole site under `/desk/`, of a campaign under `/c/NAME/desk/`."""

from starlette.routing import Route

from jurat.web.coordinator import (
    accounts,
    adjudication,
    campaigns,
    draft,
    draft_tasks,
    draft_testset,
    export,
    judges,
    results,
    segments,
    settings,
    status,
)

# The list of campaigns, drafts of new ones, and coordinators' accounts.
site_routes: list[Route] = [
    *accounts.routes,
    *campaigns.routes,
    *draft_testset.routes,
    *draft_tasks.routes,
    *draft.routes,
]
# One campaign: status, judges, results, settings.
routes: list[Route] = [
    *status.routes,
    *judges.routes,
    *results.routes,
    *segments.routes,
    *adjudication.routes,
    *export.routes,
    *settings.routes,
]
