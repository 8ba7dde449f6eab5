"""Coordinator pages: of the whole site under `/desk/`, of a campaign under `/c/NAME/desk/`."""

from starlette.routing import Route

from jurat.web.coordinator import (
    adjudication,
    campaigns,
    coordinator_accounts,
    draft,
    draft_rules,
    draft_tasks,
    draft_testset,
    export,
    judge_accounts,
    messages,
    results,
    segments,
    settings,
    status,
    tokens,
)

# The list of campaigns, drafts of new ones, and coordinators' accounts.
site_routes: list[Route] = [
    *coordinator_accounts.routes,
    *tokens.routes,
    *campaigns.routes,
    *draft_testset.routes,
    *draft_tasks.routes,
    *draft_rules.routes,
    *draft.routes,
]
# One campaign: status, judges, results, settings.
routes: list[Route] = [
    *status.routes,
    *judge_accounts.routes,
    *messages.routes,
    *results.routes,
    *segments.routes,
    *adjudication.routes,
    *export.routes,
    *settings.routes,
]
