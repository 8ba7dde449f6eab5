"""The accounts of a campaign: creating them in bulk, login slips, groups, new passwords.

Also the page of one judge, with their use of the scale and times beside those of the others.
"""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import get_args

import segno
from markupsafe import Markup
from msgspec import UNSET
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.accounts import Slip, slips_csv
from jurat.errors import InputError, Problem
from jurat.kits.audit import FEW_JUDGES
from jurat.store import Account, AccountsMade, Login
from jurat.store.account_records import Role
from jurat.web.coordinator.page_context import SURE, StaffVisit, coordinators
from jurat.web.coordinator.segments import format_row
from jurat.web.forms import sent_form
from jurat.web.sessions import stamp

# Accounts at once: a password's hash takes its time.
MOST = 500
LONGEST = 100
LONGEST_REASON = 500
# What can be done to a judge's kits: return the unfinished ones, exclude all, do them again.
KIT_ACTIONS = ("return", "exclude", "redo")
ROLES = tuple(role for role in get_args(Role) if role != "guest")
COLUMNS: dict[str, Callable[[Account], object]] = {
    "pin": lambda one: one.pin,
    "note": lambda one: one.note.casefold() or None,
    "role": lambda one: one.role,
    "group": lambda one: one.group or None,
    "site": lambda one: one.site or None,
}


# Fields of an account that coordinators set.
PLACED = ("note", "group", "site")
# What can be done to several accounts at once.
BULK = ("group", "site", "disable", "enable")


class PasswordChanged(Exception):
    """The password has changed since the page was rendered."""


@coordinators
async def add(visit: StaffVisit) -> Response:
    """Create accounts and show their login slips, which cannot be shown again.

    A form that is sent twice, such as by reloading the page of slips, is refused with 409.
    """
    form = await sent_form(visit)
    once = str(form.get("once", ""))
    if not once:
        raise HTTPException(400)
    said = str(form.get("count", ""))
    count = int(said) if said.isdecimal() and len(said) < 5 else 0
    if not 1 <= count <= MOST:
        return await _page(visit, 422, problem=visit.language.say("desk-count", most=MOST))
    try:
        slips = await visit.call(
            visit.service.accounts.add,
            visit.campaign,
            count,
            author=visit.person.name,
            role=_role(form),
            group=_text(form, "group"),
            site=_text(form, "site"),
            once=once,
        )
    # the slips cannot be shown again: only hashes of their passwords were stored
    except AccountsMade:
        return await _page(visit, 409, problem=visit.language.say("desk-made-already"))
    start = _role(form) == "judge" and await visit.call(_is_ready, visit)
    return slips_page(visit, slips, start=start)


def _is_ready(visit: StaffVisit) -> bool:
    """Whether no task was started yet."""
    phases = visit.service.monitoring.status(visit.campaign).phases
    return all(phase.state == "ready" for phase in phases)


@coordinators
async def change(visit: StaffVisit) -> Response:
    """Handle the buttons of an account: approve, disable, change its group, new password."""
    form = await sent_form(visit)
    pin, action = str(form.get("pin", "")), str(form.get("action", ""))
    if action == "reset" and SURE not in form:
        return confirm_new_password(visit, form, pin, back=f"{visit.base}judges")
    try:
        slip = await visit.call(_change, visit, action, pin, form)
    except PasswordChanged:
        return await _page(visit, 409, problem=visit.language.say("desk-renewed-already", pin=pin))
    except InputError as error:
        return await _page(visit, 422, problem=visit.problem_message(error.problems[0]).words)
    return slips_page(visit, [slip]) if slip else visit.redirect_to_page("judges")


@coordinators
async def change_several(visit: StaffVisit) -> Response:
    """Set the group or site of the accounts that were ticked, or block or unblock them."""
    form = await sent_form(visit)
    action = str(form.get("action", ""))
    pins = list(dict.fromkeys(str(pin) for pin in form.getlist("pick")))
    if action not in BULK:
        raise HTTPException(400)
    if not pins:
        return await _page(visit, 422, problem=visit.language.say("desk-pick-some"))

    def change_all() -> None:
        accounts, author = visit.service.accounts, visit.person.name
        for pin in pins:
            if action in ("disable", "enable"):
                accounts.disable(visit.campaign, pin, author=author, disabled=action == "disable")
            else:
                _place(visit, pin, {action: _text(form, "value")})

    try:
        await visit.call(change_all)
    except InputError as error:
        return await _page(visit, 422, problem=visit.problem_message(error.problems[0]).words)
    return visit.redirect_to_page("judges")


def _change(visit: StaffVisit, action: str, pin: str, form: FormData) -> Slip | None:
    accounts, campaign, author = visit.service.accounts, visit.campaign, visit.person.name
    if action == "reset":
        refuse_changed_password(accounts.by_pin(campaign, pin), form)
        return accounts.reset(campaign, pin, author=author)
    if action in ("disable", "enable"):
        accounts.disable(campaign, pin, author=author, disabled=action == "disable")
    elif action == "accept":
        accounts.accept(campaign, pin, author=author)
    elif action == "place":
        _place(visit, pin, {name: _text(form, name) for name in PLACED if name in form})
    else:
        raise HTTPException(400)
    return None


def confirm_new_password(visit: StaffVisit, form: FormData, name: str, *, back: str) -> Response:
    """Ask before a password is replaced: slips and links that were handed out stop working."""
    say = visit.language.say
    question, notes = say("desk-new-password-sure", name=name), [say("desk-new-password-note")]
    return visit.confirm(form, question, say("desk-new-password"), back=back, notes=notes)


def _place(visit: StaffVisit, pin: str, change: Mapping[str, str]) -> None:
    """Change the note, group or site of an account; what is not in `change` stays."""
    visit.service.accounts.update(
        visit.campaign,
        pin,
        author=visit.person.name,
        note=change.get("note", UNSET),
        group=change.get("group", UNSET),
        site=change.get("site", UNSET),
    )


def refuse_changed_password(account: Login, form: FormData) -> None:
    """Raise `PasswordChanged` if the password has changed since the form was loaded."""
    # a new password may be on a printed slip already, and must not be replaced once more
    if stamp(account) != form.get("stamp"):
        raise PasswordChanged


def slips_page(visit: StaffVisit, slips: list[Slip], *, start: bool = False) -> Response:
    """Login slips as pages to print and as a CSV file; they cannot be shown again.

    With `start`, the page offers to start all tasks.
    """
    address = visit.login_address
    content = slips_csv(slips, address=address)
    return visit.render(
        "coordinator/slips.html",
        slips=slips,
        start=start,
        address=address,
        code=qr_code(address),
        # the file travels with the page: the server does not know the passwords any more
        file=f"data:text/csv;base64,{b64encode(content).decode()}",
        file_name=f"{visit.campaign}-slips.csv",
    )


def qr_code(address: str) -> Markup:
    """An address as a QR code, in SVG."""
    # level M still reads with 15 % of the code damaged, on paper that was folded
    drawn = segno.make(address, error="m").svg_inline(omitsize=True, border=4)
    return Markup(drawn)  # noqa: S704


def form_id() -> str:
    """A new word for each rendered page, by which the store recognises a form sent twice."""
    return secrets.token_urlsafe(16)


def suggested_accounts(visit: StaffVisit) -> int:
    """The number of accounts that a campaign without any needs, at least."""
    return max(FEW_JUDGES, visit.service.campaigns.audit(visit.campaign).judges_needed)


def _role(form: FormData) -> str:
    role = str(form.get("role", "judge"))
    if role not in ROLES:
        raise HTTPException(400)
    return role


def _text(form: FormData, name: str) -> str:
    return " ".join(str(form.get(name, "")).replace("\0", "").split())[:LONGEST]


async def _page(visit: StaffVisit, status: int = 200, *, problem: str = "") -> Response:
    """The list of accounts."""
    every = await visit.call(visit.service.accounts.all, visit.campaign)
    given = visit.request.query_params
    wanted, words = given.get("role", ""), given.get("words", "").strip()
    rows = [one for one in every if wanted in ("", one.role) and _has(one, words)]
    seen = await visit.call(visit.service.monitoring.last_seen, visit.campaign)
    return visit.render(
        "coordinator/judges.html",
        status,
        accounts=visit.sorted(rows, {**COLUMNS, "seen": lambda one: seen.get(one.id)}, first="pin"),
        seen=seen,
        words=words,
        total=len(every),
        waiting=[one for one in every if one.pending and not one.disabled],
        roles=ROLES,
        role=wanted,
        problem=problem,
        most=MOST,
        suggested=10 if every else await visit.call(suggested_accounts, visit),
        once=form_id(),
        stamp=stamp,
    )


def _has(account: Account, words: str) -> bool:
    """Whether an account has all these words in its PIN, note, group or site."""
    text = " ".join((account.pin, account.note, account.group, account.site)).casefold()
    return all(word in text for word in words.casefold().split())


@coordinators
async def show_judge(visit: StaffVisit) -> Response:
    """The page of one judge; 404 for an unknown PIN."""
    pin = visit.request.path_params["pin"]
    cached = await visit.results_of(visit.service.monitoring.results.judge, pin)
    account = await visit.call(visit.service.accounts.by_pin, visit.campaign, pin)
    exclusions = await visit.call(visit.service.campaigns.exclusions, visit.campaign)
    return visit.render_results(
        "coordinator/judge.html",
        cached,
        pin=pin,
        format_row=format_row,
        account=account,
        kit_actions=await visit.call(_kit_actions, visit, account),
        excluded=[entry for entry in exclusions if entry.details["pin"] == pin],
        personal=await visit.call(visit.service.questionnaires.of_judge, visit.campaign, pin),
    )


def _kit_actions(visit: StaffVisit, account: Account) -> list[str]:
    """What can be done to the kits that a judge has."""
    progress = visit.service.monitoring.progress(visit.campaign)
    own = [tally for tally in progress.judges if tally.judge == account.id]
    unfinished = any(tally.open or tally.left for tally in own)
    judged = any(tally.decisions for tally in own)
    return [one for one in KIT_ACTIONS if (unfinished if one == "return" else judged)]


@coordinators
async def change_kits(visit: StaffVisit) -> Response:
    """Return a judge's kits to the others, or have them done again; asks before it does."""
    form = await sent_form(visit)
    pin, action = visit.request.path_params["pin"], str(form.get("action", ""))
    back = f"{visit.base}judge/{pin}"
    if action not in KIT_ACTIONS:
        raise HTTPException(400)
    say = visit.language.say
    reason = " ".join(str(form.get("reason", "")).replace("\0", "").split())[:LONGEST_REASON]
    if SURE not in form or not reason:
        question = say(f"desk-kits-{action}-sure", pin=pin)
        notes = [say(f"desk-kits-{action}-note")]
        # a reason is asked for on the same page where it is missing
        return visit.confirm(
            form, question, say(f"desk-kits-{action}"), back=back, notes=notes, ask="reason"
        )
    campaigns, author = visit.service.campaigns, visit.person.name
    try:
        if action == "redo":
            kits = await visit.call(
                campaigns.redo, visit.campaign, pin, author=author, reason=reason
            )
        else:
            kits = await visit.call(
                campaigns.give_back,
                visit.campaign,
                pin,
                author=author,
                reason=reason,
                finished=action == "exclude",
            )
    except InputError as error:
        return visit.refuse(error.problems)
    if not kits:
        message = "no kits of this judge are affected, so nothing was changed"
        return visit.refuse([Problem(message=message, code="no-kits")])
    return visit.redirect_to(back)


@coordinators
async def delete_data(visit: StaffVisit) -> Response:
    """Delete all data of a judge, for good; asks before it does."""
    form = await sent_form(visit)
    pin, say = visit.request.path_params["pin"], visit.language.say
    if SURE not in form:
        question, notes = say("desk-delete-data-sure", pin=pin), [say("desk-delete-data-note")]
        back = f"{visit.base}judge/{pin}"
        return visit.confirm(form, question, say("desk-delete-data"), back=back, notes=notes)
    try:
        await visit.call(
            visit.service.accounts.delete_data, visit.campaign, pin, author=visit.person.name
        )
    except InputError as error:
        return visit.refuse(error.problems)
    return visit.redirect_to_page("judges")


routes = [
    Route("/judges", coordinators(_page), methods=["GET"]),
    Route("/judges", change, methods=["POST"]),
    Route("/judges/add", add, methods=["POST"]),
    Route("/judges/several", change_several, methods=["POST"]),
    Route("/judge/{pin}", show_judge, methods=["GET"]),
    Route("/judge/{pin}/kits", change_kits, methods=["POST"]),
    Route("/judge/{pin}/data", delete_data, methods=["POST"]),
]
