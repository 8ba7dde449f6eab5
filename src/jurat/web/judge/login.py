"""Login and logout of judges: PIN and password, personal links, guests, volunteers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from jurat.campaigns.auth import SHORTEST_PASSWORD as SHORTEST
from jurat.campaigns.auth import Closed, Locked, Refused
from jurat.campaigns.service_context import NotOffered
from jurat.errors import input_error
from jurat.store import Account
from jurat.web.context import Visit
from jurat.web.forms import limited, sent_form, try_login
from jurat.web.sessions import Session


async def login_page(visit: Visit, *, problem: str = "", pin: str = "") -> Response:
    """The login page, with the contact, the guest tutorial and registration if there are any."""
    plan = visit.service.campaigns.plan(visit.campaign)
    lessons = await visit.call(visit.service.guests.tasks, visit.campaign)
    status = 403 if problem else 200
    return visit.render(
        "login.html", status, plan=plan, guests=bool(lessons), problem=problem, pin=pin
    )


async def log_in(request: Request) -> Response:
    """Log in with PIN and password; the login page with a message if they are wrong."""
    visit = Visit(request)
    form = await sent_form(visit)
    pin, password = str(form.get("pin", "")), str(form.get("password", ""))
    accounts = visit.service.accounts
    try:
        account = await try_login(visit, accounts.log_in, visit.campaign, pin, password)
    except Refused as refused:
        return await login_page(visit, problem=_why(visit, refused), pin=pin)
    return _enter(visit, account)


async def follow_link(request: Request) -> Response:
    """Log in with a personal link; the login page with a message if it is not valid."""
    visit = Visit(request)
    token = request.path_params["token"]
    try:
        # no rate limit: a token has 192 random bits, and checking it costs little
        account = await visit.call(visit.service.accounts.follow_link, visit.campaign, token)
    except Closed as refused:
        return await login_page(visit, problem=_why(visit, refused))
    except Refused:
        return await login_page(visit, problem=visit.language.say("bad-link"))
    return _enter(visit, account)


async def log_out(request: Request) -> Response:
    """End the session, also for somebody who has copied its cookie."""
    visit = Visit(request)
    # a form with a key: another site could otherwise log the judge out
    await sent_form(visit)
    account = await visit.account()
    if account is not None:
        await visit.call(
            visit.service.accounts.log_out, visit.campaign, account.id, visit.session.id
        )
    response = visit.redirect("")
    visit.site.keys.forget(response, place=visit.place, secure=visit.site.secure)
    return response


async def password(request: Request) -> Response:
    """The page on which judges change their password."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    if request.method != "POST":
        return _password_page(visit)
    form = await sent_form(visit)
    old, new = str(form.get("old", "")), str(form.get("new", ""))
    if len(new) < SHORTEST:
        return _password_page(visit, visit.language.say("short-password", count=SHORTEST))
    change = visit.service.accounts.change_password
    try:
        changed = await visit.call_hashing(change, visit.campaign, account.id, old, new)
    # a subclass of Refused, and so caught first
    except Locked as refused:
        return _password_page(visit, _why(visit, refused))
    except Refused:
        return _password_page(visit, visit.language.say("wrong-old"))
    # The new password ends every session of the account, also this one, which is replaced.
    visit.session = Session.of(changed, visit.place)
    response = visit.render("password.html", problem="", done=True, shortest=SHORTEST)
    visit.remember(response, visit.session)
    return response


async def register(request: Request) -> Response:
    """Create an account for a volunteer and log in; its password is shown only on this page."""
    visit = Visit(request)
    await sent_form(visit)
    try:
        # hashing the password is the costly part, and anybody may send this form
        slip = await limited(visit, visit.service.accounts.register, visit.campaign)
    except Locked as refused:
        return await login_page(visit, problem=_why(visit, refused))
    account = await visit.call(visit.service.accounts.by_pin, visit.campaign, slip.pin)
    visit.session = Session.of(account, visit.place)
    response = visit.render("registered.html", slip=slip, pending=account.pending)
    visit.remember(response, visit.session)
    return response


async def enter_as_guest(request: Request) -> Response:
    """Begin a session as a guest and redirect to the tutorial, or to the list of tutorials."""
    visit = Visit(request)
    await sent_form(visit)
    tasks = await _lessons(visit)
    response = visit.redirect(f"guest/{tasks[0]}/1" if len(tasks) == 1 else "guest")
    visit.remember(response, Session.guest(visit.place))
    return response


async def lessons(request: Request) -> Response:
    """The tutorials that a guest can choose from."""
    visit = Visit(request)
    if visit.session.role != "guest":
        return visit.redirect("")
    plan = visit.service.campaigns.plan(visit.campaign)
    return visit.render("guest.html", plan=plan, tasks=await _lessons(visit))


async def go_home(request: Request) -> Response:
    """Redirect to the start page, for addresses that only accept forms and were opened instead."""
    return Visit(request).redirect("")


async def _lessons(visit: Visit) -> list[str]:
    found: list[str] = await visit.call(visit.service.guests.tasks, visit.campaign)
    if not found:
        raise NotOffered(input_error("guests are not admitted to this campaign").problems)
    return found


def _enter(visit: Visit, account: Account) -> Response:
    response = visit.redirect("")
    visit.remember(response, Session.of(account, visit.place))
    return response


def _password_page(visit: Visit, problem: str = "") -> Response:
    status = 422 if problem else 200
    return visit.render("password.html", status, problem=problem, done=False, shortest=SHORTEST)


def _why(visit: Visit, refused: Refused) -> str:
    if isinstance(refused, Locked):
        return visit.language.say("locked", count=refused.minutes)
    return visit.language.say("closed-account" if isinstance(refused, Closed) else "wrong-login")
