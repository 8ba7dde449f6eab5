"""The status of a campaign: overview, progress with reminders, and the audit log.

The overview also starts, stops and closes phases of tasks, or everything at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast, get_args

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.lifecycle import Action
from jurat.campaigns.monitoring.on_track import on_track
from jurat.campaigns.monitoring.progress import JudgeProgress
from jurat.campaigns.monitoring.reminders import AFTER, Reminder
from jurat.campaigns.monitoring.status import CampaignStatus
from jurat.campaigns.monitoring.timeline import JudgeActivity, Per, Timeline
from jurat.errors import InputError
from jurat.i18n import DEFAULT, languages
from jurat.kits.audit_findings import Audit, Finding, NotReady
from jurat.model import Phase
from jurat.store import AuditEntry
from jurat.web.coordinator.judge_accounts import form_id, suggested_accounts
from jurat.web.coordinator.page_context import SURE, StaffVisit, coordinators
from jurat.web.forms import sent_form

# Characters of a reason, which judges read.
MAX_REASON = 500
COLUMNS: dict[str, Callable[[JudgeProgress], object]] = {
    "pin": lambda one: one.account.pin,
    "done": lambda one: one.done,
    "left": lambda one: one.left,
    "decisions": lambda one: one.decisions - one.skipped,
    "seen": lambda one: one.last_seen,
    "day": lambda one: one.pace.day,
    "seconds": lambda one: one.seconds,
    "time": lambda one: one.time_left,
    "flags": lambda one: len(one.remarks),
}
ACTIVITY_COLUMNS: dict[str, Callable[[JudgeActivity], object]] = {
    "pin": lambda one: one.account.pin,
    "total": lambda one: one.total,
}
# Entries on a page, the newest first.
PAGE_SIZE = 200


@coordinators
async def show_overview(visit: StaffVisit) -> Response:
    """The overview: progress by phase, what needs attention, and buttons to start and stop."""
    status = await visit.call(visit.service.monitoring.status, visit.campaign)
    enabled = [one for one in status.judges if not one.account.disabled]
    active = [one for one in enabled if one.account.active]
    flagged = [one for one in active if one.remarks]
    plan = visit.service.campaigns.plan(visit.campaign)
    return visit.render(
        "coordinator/overview.html",
        campaign_status=status,
        begun=sum(one.begun for one in active),
        accounts=len(active),
        waiting=len(enabled) - len(active),
        flagged_items=await visit.call(visit.service.monitoring.flag_count, visit.campaign),
        flagged=flagged,
        reminders=await visit.call(_reminders, visit, status) if flagged else [],
        track=on_track(status, plan.last_day),
        deadline=plan.last_day,
        findings=await _findings(visit, status),
        # accounts of groups are created on a page of their own
        suggested=0
        if enabled or any(task.groups for task in plan.tasks)
        else await visit.call(suggested_accounts, visit),
        once=form_id(),
    )


async def _findings(visit: StaffVisit, status: CampaignStatus) -> list[Finding]:
    """What would keep a task from being started, and all warnings as long as nothing was."""
    waiting = {phase.task for phase in status.phases if phase.state in ("ready", "stopped")}
    if not waiting:
        return []
    campaigns = visit.service.campaigns
    audit: Audit = await visit.call(campaigns.audit, visit.campaign)
    obstacles: list[Finding] = await visit.call(campaigns.obstacles, visit.campaign, audit, waiting)
    if any(phase.state != "ready" for phase in status.phases):
        return obstacles
    warnings = (one for one in audit.findings if one.severity == "warning")
    return [*obstacles, *(one for one in warnings if one not in obstacles)]


@coordinators
async def change_phases(visit: StaffVisit) -> Response:
    """Start, stop or close phases; if one cannot start, the page lists why."""
    form = await sent_form(visit)
    action = str(form.get("action", ""))
    task, phase = str(form.get("task", "")) or None, str(form.get("phase", "")) or None
    if action not in get_args(Action) or phase not in (None, *get_args(Phase)):
        raise HTTPException(400)
    if action == "close" and SURE not in form:
        say = visit.language.say
        question = say("desk-close-sure", task=_called(visit, task, phase))
        notes = [say("desk-close-sure-note")]
        return visit.confirm(form, question, say("desk-close"), back=visit.base, notes=notes)
    try:
        await visit.call(
            visit.service.campaigns.change_phases,
            visit.campaign,
            cast("Action", action),
            author=visit.person.name,
            task=task,
            phase=cast("Phase | None", phase),
            reason=_reason(form, "reason"),
            anyway=_reason(form, "anyway"),
            ask=True,
        )
    except NotReady as error:
        return visit.refuse((), error.findings, anyway=form)
    except InputError as error:
        return visit.refuse(error.problems)
    return visit.redirect_to_page("")


def _reason(form: FormData, name: str) -> str:
    return str(form.get(name, "")).replace("\0", "").strip()[:MAX_REASON]


def _called(visit: StaffVisit, task: str | None, phase: str | None) -> str:
    """The task and phase that a form is about, as the page calls them."""
    if task is None or task not in {
        one.name for one in visit.service.campaigns.plan(visit.campaign).tasks
    }:
        return visit.language.say("desk-all-tasks")
    title = visit.task_title(task)
    return f"{title}, {visit.language.say(phase)}" if phase else title


@coordinators
async def remind(visit: StaffVisit) -> Response:
    """Mail the reminders that were ticked, or note that they were given by hand."""
    form = await sent_form(visit)
    chosen = {str(pin) for pin in form.getlist("pin")}
    # asked again: somebody else may have reminded some of them since the page was loaded
    due = await visit.call(_reminders, visit)
    emails = [one.email for one in due if one.email.pin in chosen]
    mail_server = visit.site.mail_server if form.get("by") == "mail" else None
    deliver = visit.service.monitoring.remind
    try:
        # in a thread, which may wait many seconds for the mail server
        failed = await visit.call(
            deliver, visit.campaign, emails, mail_server=mail_server, author=visit.person.name
        )
    except InputError as error:  # nothing could be sent at all
        return visit.refuse(error.problems)
    return (
        await _progress_page(visit, failed=failed) if failed else visit.redirect_to_page("progress")
    )


@coordinators
async def give_address(visit: StaffVisit) -> Response:
    """Set the email address to which a judge's reminders are sent."""
    form = await sent_form(visit)
    pin, address = str(form.get("pin", "")), str(form.get("address", "")).strip()
    give = visit.service.accounts.set_address
    try:
        await visit.call(give, visit.campaign, pin, address, author=visit.person.name)
    except InputError as error:
        return visit.refuse(error.problems)
    return visit.redirect_to_page("progress")


def _reminders(visit: StaffVisit, status: CampaignStatus | None = None) -> list[Reminder]:
    link = visit.login_address
    return visit.service.monitoring.reminders(visit.campaign, link=link, status=status)


async def _progress_page(visit: StaffVisit, *, failed: dict[str, str] | None = None) -> Response:
    """Every judge, the forecast, and the reminders that are due."""
    status = await visit.call(visit.service.monitoring.status, visit.campaign)
    due = await visit.call(_reminders, visit, status)
    return visit.render(
        "coordinator/progress.html",
        campaign_status=status,
        judges=visit.sorted(status.judges, COLUMNS, first="pin"),
        reminders=due,
        remind_after=AFTER.days,
        mail=visit.site.mail_server is not None,
        failed=failed or {},
    )


@coordinators
async def show_timeline(visit: StaffVisit) -> Response:
    """Judgments day by day or hour by hour, of all and of each judge."""
    asked = visit.request.query_params.get("per", "day")
    per: Per = "hour" if asked == "hour" else "day"
    page = visit.page_number()
    find = visit.service.monitoring.timeline
    found: Timeline | None = await visit.call(find, visit.campaign, per, page)
    judges = found.judges if found else ()
    return visit.render(
        "coordinator/timeline.html",
        timeline=found,
        judges=visit.sorted(judges, ACTIVITY_COLUMNS, first="pin"),
        per=per,
        page=page,
    )


@coordinators
async def show_log(visit: StaffVisit) -> Response:
    """The entries, newest first, also judges' messages to the coordinator."""
    entries = await visit.call(visit.service.campaigns.audit_log, visit.campaign)
    only = visit.request.query_params.get("action", "")
    named = [(_action(entry), entry) for entry in reversed(entries)]
    actions = {action: _action_in_words(visit, action) for action, _ in named}
    chosen = [(actions[action], entry) for action, entry in named if only in ("", action)]
    page = visit.page_number()
    return visit.render(
        "coordinator/audit-log.html",
        entries=chosen[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        actions=sorted(actions.items(), key=lambda one: one[1].casefold()),
        only=only,
        page=page,
        more=len(chosen) > page * PAGE_SIZE,
    )


def _action(entry: AuditEntry) -> str:
    """What was done: kits are also taken from judges whose judgments are excluded."""
    details = entry.details
    if entry.action == "give back" and isinstance(details, dict) and details.get("finished"):
        return "exclude"
    return entry.action


def _action_in_words(visit: StaffVisit, action: str) -> str:
    """In the reader's language; as it stands where the log has it from elsewhere."""
    key = f"desk-log-{action.replace(' ', '-')}"
    return visit.language.say(key) if key in languages()[DEFAULT].keys else action


routes = [
    Route("/", show_overview),
    Route("/run", change_phases, methods=["POST"]),
    Route("/progress", coordinators(_progress_page)),
    Route("/progress/remind", remind, methods=["POST"]),
    Route("/progress/address", give_address, methods=["POST"]),
    Route("/progress/timeline", show_timeline),
    Route("/log", show_log),
]
