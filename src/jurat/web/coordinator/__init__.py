"""Coordinator pages: of the whole site under `/desk/`, of a campaign under `/c/NAME/desk/`."""

from starlette.routing import Route

from jurat.web.coordinator import (
    adjudication,
    audit_log,
    campaigns,
    coordinators,
    draft,
    draft_rules,
    draft_tasks,
    draft_testset,
    export,
    judges,
    login,
    overview,
    progress,
    results,
    segments,
    settings,
)

# The list of campaigns, drafts of new ones, and coordinators' accounts.
site_routes: list[Route] = [
    *login.routes,
    *campaigns.routes,
    *coordinators.routes,
    *draft_testset.routes,
    *draft_tasks.routes,
    *draft_rules.routes,
    *draft.routes,
]
# One campaign: status, judges, results, settings.
routes: list[Route] = [
    *overview.routes,
    *progress.routes,
    *judges.routes,
    *results.routes,
    *segments.routes,
    *adjudication.routes,
    *export.routes,
    *settings.routes,
    *audit_log.routes,
]
