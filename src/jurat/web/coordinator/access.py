"""Coming in as a coordinator of the whole site: the first by a link, then by name and password."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from jurat.campaigns.entrance import Closed, Locked, Refused
from jurat.campaigns.secrets import SHORTEST_PASSWORD as SHORTEST
from jurat.faults import FaultyInput
from jurat.store import Coordinator
from jurat.web.coordinator.desk import HOME, Desk, coordinators
from jurat.web.forms import sent_form
from jurat.web.knocking import knock
from jurat.web.sessions import Session

DESK = "/desk/"


def login_page(desk: Desk, *, problem: str = "", name: str = "") -> Response:
    """Where a coordinator says who he is."""
    status = 403 if problem else 200
    return desk.render("desk/login.html", status, problem=problem, name=name)


async def log_in(request: Request) -> Response:
    """Let somebody in who knows name and password."""
    desk = Desk(request)
    form = await sent_form(desk)
    name, password = str(form.get("name", "")), str(form.get("password", ""))
    try:
        found = await knock(desk, desk.service.coordinators.log_in, name, password)
    except Refused as refused:
        return login_page(desk, problem=_why(desk, refused), name=name)
    return _enter(desk, found)


async def log_out(request: Request) -> Response:
    """End the session on this device."""
    desk = Desk(request)
    await sent_form(desk)
    response = RedirectResponse(DESK, status_code=303)
    desk.site.keys.forget(response, place=HOME, secure=desk.site.secure)
    return response


async def begin(request: Request) -> Response:
    """Who follows a link chooses a password of his own; the first says who he is."""
    desk = Desk(request)
    token, accounts = request.path_params["token"], desk.service.coordinators
    try:
        invited = await desk.call(accounts.invited, token)
    except Refused:
        return login_page(desk, problem=desk.language.say("bad-link"))
    if request.method == "GET":
        return desk.render("desk/begin.html", invited=invited, problems={}, name=invited.name)
    form = await sent_form(desk)
    name, password = str(form.get("name", "")), str(form.get("password", ""))
    problems = _too_short(desk, password)
    if not problems:
        try:
            return _enter(desk, await desk.call(accounts.begin, token, password, name=name))
        except FaultyInput:
            problems = {"name": desk.language.say("desk-bad-name")}
    return desk.render("desk/begin.html", 422, invited=invited, problems=problems, name=name)


@coordinators
async def password(desk: Desk) -> Response:
    """A coordinator's own change of his password."""
    if desk.request.method == "GET":
        return desk.render("desk/password.html", problems={}, done=False)
    form = await sent_form(desk)
    old, new = str(form.get("old", "")), str(form.get("new", ""))
    problems = _too_short(desk, new)
    if problems:
        return desk.render("desk/password.html", 422, problems=problems, done=False)
    try:
        change = desk.service.coordinators.change_password
        changed = await desk.call(change, desk.session.account, old, new)
    except Locked as refused:
        problems = {"old": _why(desk, refused)}
    except Refused:
        problems = {"old": desk.language.say("wrong-old")}
    if problems:
        return desk.render("desk/password.html", 422, problems=problems, done=False)
    desk.session = Session.at_all(changed)
    response = desk.render("desk/password.html", problems={}, done=True)
    desk.remember(response, desk.session)
    return response


def _enter(desk: Desk, found: Coordinator) -> Response:
    response = RedirectResponse(DESK, status_code=303)
    desk.remember(response, Session.at_all(found))
    return response


def _too_short(desk: Desk, password: str) -> dict[str, str]:
    if len(password) >= SHORTEST:
        return {}
    return {"password": desk.language.say("short-password", count=SHORTEST)}


def _why(desk: Desk, refused: Refused) -> str:
    if isinstance(refused, Locked):
        return desk.language.say("locked", count=refused.minutes)
    closed = isinstance(refused, Closed)
    return desk.language.say("closed-account" if closed else "desk-wrong-login")


routes = [
    Route("/login", log_in, methods=["POST"]),
    Route("/logout", log_out, methods=["POST"]),
    Route("/begin/{token}", begin, methods=["GET", "POST"]),
    Route("/password", password, methods=["GET", "POST"]),
]
