"""People whom a crowd platform sends: the way in, and the way back."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from jurat.campaigns.auth import Closed
from jurat.campaigns.platforms import Outcome, PlatformFull
from jurat.campaigns.service_context import NotOffered
from jurat.errors import InputError
from jurat.web.context import Visit
from jurat.web.judge.login import login_page
from jurat.web.sessions import Session

# The keys of the heading and the sentence for each outcome; None: nobody is named.
TEXTS: dict[Outcome | None, tuple[str, str]] = {
    "completed": ("platform-completed", "platform-completed-note"),
    "screened-out": ("platform-screened-out", "platform-screened-out-note"),
    "full": ("platform-full", "platform-full-note"),
    None: ("platform-unknown", "platform-unknown-note"),
}


async def enter(request: Request) -> Response:
    """Log in the person whom the address names; they go on where they stopped."""
    visit = Visit(request)
    parameters = dict(request.query_params)
    try:
        account = await visit.call(visit.service.platforms.enter, visit.campaign, parameters)
    except PlatformFull:
        return _page(visit, "full")
    except Closed:
        return await login_page(visit, problem=visit.language.say("closed-account"))
    except NotOffered:
        raise
    except InputError:
        return _page(visit, None, status=400)
    # the identifier does not stay in the address
    response = visit.redirect("")
    visit.remember(response, Session.of(account, visit.place))
    return response


async def end(request: Request) -> Response:
    """The code and the way back to the platform; the overview for those who are not finished."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    outlook = await visit.call(visit.service.judging.outlook, visit.campaign, account.id)
    finished = outlook.rest is not None and outlook.rest.kind in ("finished", "go-on")
    service = visit.service
    outcome = service.platforms.outcome(visit.campaign, account, finished=finished)
    if outcome == "completed" and await visit.call(
        service.questionnaires.due, visit.campaign, account.id, finished=True
    ):
        outcome = None
    return _page(visit, outcome) if outcome else visit.redirect("")


def _page(visit: Visit, outcome: Outcome | None, *, status: int = 200) -> Response:
    back = visit.service.platforms.way_back(visit.campaign, outcome) if outcome else None
    title, note = TEXTS[outcome]
    return visit.render(
        "platform.html",
        status,
        plan=visit.service.campaigns.plan(visit.campaign),
        title=title,
        note=note,
        code=back.code if back else "",
        address=back.url.replace("{code}", quote(back.code, safe="")) if back else "",
    )
