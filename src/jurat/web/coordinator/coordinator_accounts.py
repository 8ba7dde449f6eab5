"""Accounts of site coordinators: login, invitation, password, and the list of all of them."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from jurat.campaigns.auth import SHORTEST_PASSWORD as SHORTEST
from jurat.campaigns.auth import Closed, Locked, Refused
from jurat.campaigns.coordinators import Pass
from jurat.errors import InputError
from jurat.store import Coordinator
from jurat.web.coordinator.judge_accounts import (
    PasswordChanged,
    confirm_new_password,
    refuse_changed_password,
)
from jurat.web.coordinator.page_context import SITE_PATH, SURE, StaffVisit, coordinators
from jurat.web.forms import sent_form, try_login
from jurat.web.sessions import Session, stamp


def login_page(visit: StaffVisit, *, problem: str = "", name: str = "") -> Response:
    """The login form, with a message and status 403 after a failed attempt."""
    status = 403 if problem else 200
    return visit.render("coordinator/login.html", status, problem=problem, name=name)


async def log_in(request: Request) -> Response:
    """Log in with name and password."""
    visit = StaffVisit(request)
    form = await sent_form(visit)
    name, password = str(form.get("name", "")), str(form.get("password", ""))
    try:
        # only failures are counted, so colleagues behind one address do not slow each other down
        found = await try_login(
            visit,
            visit.service.coordinators.log_in,
            name,
            password,
            known=visit.site.devices.coordinator(visit.cookies),
        )
    except Refused as refused:
        visit.site.devices.count_failure(visit.cookies)
        return login_page(visit, problem=_why(visit, refused), name=name)
    return _enter(visit, found)


async def log_out(request: Request) -> Response:
    """End the session, also for somebody who has copied its cookie."""
    visit = StaffVisit(request)
    await sent_form(visit)
    if await visit.call(visit.known, "coordinator"):
        session = visit.session
        await visit.call(visit.service.coordinators.log_out, session.account, session.id)
    response = RedirectResponse(visit.site.desk, status_code=303)
    visit.site.keys.forget(response, place=SITE_PATH, secure=visit.site.secure)
    return response


async def begin(request: Request) -> Response:
    """An invitation link: choose a password; the first coordinator also a name."""
    visit = StaffVisit(request)
    token, accounts = request.path_params["token"], visit.service.coordinators
    try:
        invited = await visit.call(accounts.invitation, token)
    # also where the link was used before: it is valid only until a password is set
    except Refused:
        return login_page(visit, problem=visit.language.say("bad-link"))
    if request.method == "GET":
        return visit.render(
            "coordinator/invitation.html", invited=invited, problems={}, name=invited.name
        )
    form = await sent_form(visit)
    name, password = str(form.get("name", "")), str(form.get("password", ""))
    problems = _too_short(visit, password)
    if not problems:
        try:
            return _enter(
                visit,
                await visit.call_hashing(accounts.accept_invitation, token, password, name=name),
            )
        except InputError:
            problems = {"name": visit.language.say("desk-bad-name")}
    return visit.render(
        "coordinator/invitation.html", 422, invited=invited, problems=problems, name=name
    )


@coordinators
async def password(visit: StaffVisit) -> Response:
    """Change one's own password."""
    if visit.request.method == "GET":
        return visit.render("coordinator/password.html", problems={}, done=False)
    form = await sent_form(visit)
    old, new = str(form.get("old", "")), str(form.get("new", ""))
    problems = _too_short(visit, new)
    if problems:
        return visit.render("coordinator/password.html", 422, problems=problems, done=False)
    try:
        change = visit.service.coordinators.change_password
        changed = await visit.call_hashing(change, visit.session.account, old, new)
    except Locked as refused:
        problems = {"old": _why(visit, refused)}
    except Refused:
        problems = {"old": visit.language.say("wrong-old")}
    if problems:
        return visit.render("coordinator/password.html", 422, problems=problems, done=False)
    # the new password ends every session of the account, also this one
    visit.session = Session.at_all(changed)
    response = visit.render("coordinator/password.html", problems={}, done=True)
    visit.remember(response, visit.session)
    return response


def _enter(visit: StaffVisit, found: Coordinator) -> Response:
    response = RedirectResponse(visit.site.desk, status_code=303)
    visit.remember(response, Session.at_all(found))
    visit.site.devices.remember(response, found.id, secure=visit.site.secure)
    return response


def _too_short(visit: StaffVisit, password: str) -> dict[str, str]:
    if len(password) >= SHORTEST:
        return {}
    return {"password": visit.language.say("short-password", count=SHORTEST)}


def _why(visit: StaffVisit, refused: Refused) -> str:
    if isinstance(refused, Locked):
        return visit.language.say("locked", count=refused.minutes)
    closed = isinstance(refused, Closed)
    return visit.language.say("closed-account" if closed else "desk-wrong-login")


@coordinators
async def list_coordinators(visit: StaffVisit) -> Response:
    """The coordinators, with forms to add, disable or reset one; a new link is shown only once."""
    if visit.request.method == "GET":
        return await _list_page(visit)
    form = await sent_form(visit)
    action, name = str(form.get("action", "")), str(form.get("name", ""))
    if action == "reset" and SURE not in form:
        return confirm_new_password(visit, form, name, back=f"{visit.site.desk}coordinators")
    try:
        handed = await visit.call(_act, visit, action, name, form)
    # the form was sent twice, or somebody else has made a new link
    except PasswordChanged:
        words = visit.language.say("desk-renewed-already", pin=name)
        return await _list_page(visit, 409, problem=words)
    except InputError as error:
        return await _list_page(
            visit,
            422,
            problem=visit.problem_message(error.problems[0], placed=False).words,
            name=name,
        )
    return (
        # no redirect, since the new link exists only in this response
        await _list_page(visit, handed=handed)
        if handed
        else visit.redirect_to(f"{visit.site.desk}coordinators")
    )


def _act(visit: StaffVisit, action: str, name: str, form: FormData) -> Pass | None:
    people, author = visit.service.coordinators, visit.person.name
    if action == "add":
        return people.add(name, author=author)
    if action == "reset":
        # a form that is sent twice would replace a link that has been passed on already
        refuse_changed_password(people.by_name(name), form)
        return people.reset(name, author=author)
    if action in ("disable", "enable"):
        people.disable(name, author=author, disabled=action == "disable")
    return None


async def _list_page(
    visit: StaffVisit,
    status: int = 200,
    *,
    handed: Pass | None = None,
    problem: str = "",
    name: str = "",
) -> Response:
    every = await visit.call(visit.service.coordinators.all)
    return visit.render(
        "coordinator/coordinators.html",
        status,
        people=every,
        handed=handed,
        problem=problem,
        name=name,
        stamp=stamp,
    )


routes = [
    Route("/login", log_in, methods=["POST"]),
    Route("/logout", log_out, methods=["POST"]),
    Route("/begin/{token}", begin, methods=["GET", "POST"]),
    Route("/password", password, methods=["GET", "POST"]),
    Route("/coordinators", list_coordinators, methods=["GET", "POST"]),
]
