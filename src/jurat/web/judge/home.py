"""The overview: what there is to do, how far the judge is, how long it will take."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from jurat.web.context import Visit
from jurat.web.forms import sent_form
from jurat.web.judge.login import login_page

LONGEST = 5000


async def show(request: Request) -> Response:
    """The judge's overview, or where to log in."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return await login_page(visit)
    plan = visit.service.campaigns.plan(visit.campaign)
    if account.role != "judge":
        return visit.redirect("cases/" if account.role == "adjudicator" else "desk/")
    if account.pending:
        return visit.render("pending.html", plan=plan, account=account)
    parts = await visit.call(visit.service.judging.overview, visit.campaign, account.id)
    return visit.render("home.html", plan=plan, account=account, parts=parts)


async def feedback(request: Request) -> Response:
    """What a judge has to say, for the coordinator to read."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    form = await sent_form(visit)
    # a database takes no zero bytes
    said = str(form.get("words", "")).replace("\0", "").strip()[:LONGEST]
    if said:
        await visit.call(
            visit.service.judging.feedback, visit.campaign, account.id, {"words": said}
        )
    return visit.render(
        "thanks.html", plan=visit.service.campaigns.plan(visit.campaign), said=bool(said)
    )
