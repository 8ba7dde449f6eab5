"""The second step of a draft: its tasks and kits, with a preview of what judges will see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat import protocols
from jurat.campaigns import nested_values
from jurat.campaigns.drafts import PROTOCOLS
from jurat.errors import Problem
from jurat.i18n import DEFAULT
from jurat.kits.audit_findings import Audit
from jurat.kits.expected_time import typical_seconds
from jurat.model import Judge, TestSet
from jurat.protocols import Protocol
from jurat.protocols.localization import in_language
from jurat.protocols.questions import is_name
from jurat.store import CampaignDraftChanged
from jurat.web.coordinator.campaign_form import not_applicable, task_groups
from jurat.web.coordinator.draft import (
    Draft,
    MergedForm,
    UploadRefused,
    collect_faults,
    draft_id,
    draft_page,
    load_draft,
    merge_form,
    next_page,
    receive_upload,
    redirect_to_draft,
    section,
)
from jurat.web.coordinator.form_fields import FieldGroup, FieldOption, FilledForm, read_line
from jurat.web.coordinator.form_merge import BEFORE, Conflict, entered_values
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.coordinator.protocol_cards import protocol_cards
from jurat.web.coordinator.task_preview import preview
from jurat.web.forms import sent_form

MOST_JUDGES = 1000
MOST_TASKS = nested_values.MOST
# Seconds of a whole document above which kits are made of segments, and of such a kit.
TOO_LONG = 1800
KIT_SECONDS = 600
FEWEST_SEGMENTS = 5
# Bytes of a protocol.
MAX_PROTOCOL_BYTES = 1 << 20

Tasks = list[Any]


@coordinators
async def show(visit: StaffVisit) -> Response:
    """The tasks, the form of one of them with its preview, and the workload."""
    found = await load_draft(visit)
    return await _page(visit, found, _asked(visit.request.query_params, "task", found))


@coordinators
async def save(visit: StaffVisit) -> Response:
    """Save a task; its problems are shown beside the fields, unless a button leads elsewhere."""
    form = await sent_form(visit)
    to = next_page(form, "")
    if not _asked(form, "task", await load_draft(visit)) and not to:
        raise HTTPException(404)
    kept = await _save(visit, form)
    if kept.response:
        return kept.response
    number = kept.number
    # problems of the draft as it is stored now; they are stored, too, and keep nobody from going on
    if not to and _of_task(kept.found.problems("tasks", asked=True), number):
        return await _page(visit, kept.found, number, 422)
    return redirect_to_draft(visit, to or f"tasks?task={number}")


class SavedTask(NamedTuple):
    """What became of the task in a form."""

    found: Draft
    number: int
    """Its number now; 0 without tasks."""
    response: Response | None = None
    """The page that shows what was not saved."""


async def _save(visit: StaffVisit, form: FormData) -> SavedTask:
    """Save the task in a form, if it has one: every button of the page sends it along."""
    found = await load_draft(visit)
    number = _number_now(form, found)
    if not number or BEFORE not in form:
        return SavedTask(found, number)
    groups = await _parts(visit, found, _protocol(found, number))
    if number < 0:
        # nobody adds a task again that somebody else has removed, but what was entered is shown
        lost = entered_values(form, groups)
        page = await _page(visit, found, _first(_tasks(found)), 409, removed=lost)
        return SavedTask(found, 0, page)
    merged = await merge_form(visit, _renamed(form, _tasks(found), number), groups, number)
    if not merged.saved:
        status = 409 if merged.changes.conflicts else 422
        page = await _page(visit, merged.found, number, status, merged=merged)
        return SavedTask(merged.found, number, page)
    return SavedTask(merged.found, number)


@coordinators
async def add(visit: StaffVisit) -> Response:
    """Add a task with a shipped protocol or an uploaded one."""
    try:
        form, files, _ = await receive_upload(visit, files=1, largest=MAX_PROTOCOL_BYTES)
    except UploadRefused as error:
        found = await load_draft(visit)
        wrong = (Problem(message=error.words),)
        return await _page(visit, found, _first(_tasks(found)), error.status, refused=wrong)
    kept = await _save(visit, form)
    if kept.response:
        return kept.response
    found, tasks = kept.found, _tasks(kept.found)
    number = len(tasks) + 1

    def declare() -> None:
        drafts, name = visit.service.drafts, read_line(form, "add-protocol")
        after = found.stored.edition
        if files:
            name = drafts.upload_protocol(draft_id(visit), files[0])
            after += 1
        # the name is needed before the task has a form in which it could be entered
        task: dict[str, object] = {"name": _free(name, tasks), "protocol": name}
        size = _kit_size(name, found.preview.test_set)
        if size:
            task["kits"] = {"segments": size}
        if "tutorial" in found.stored.declaration:
            task["required"] = {"tutorial": 1}
        drafts.set_fields(draft_id(visit), {f"tasks.{number}": task}, after=after)

    return await _changed(visit, found, declare, f"tasks?task={number}")


@coordinators
async def arrange(visit: StaffVisit) -> Response:
    """Move a task up or down, or remove it."""
    form = await sent_form(visit)
    # such as `up 2`; without a number it is the task of the form
    action, _, said = read_line(form, "action").partition(" ")
    kept = await _save(visit, form)
    if kept.response:
        return kept.response
    found, tasks = kept.found, _tasks(kept.found)
    number = _number(said, len(tasks)) if said else kept.number
    if not number:
        raise HTTPException(404)
    task = tasks.pop(number - 1)
    if action in ("up", "down"):
        number = min(max(number + (1 if action == "down" else -1), 1), len(tasks) + 1)
        tasks.insert(number - 1, task)
    elif action == "remove":
        # the next task is shown, or the one before if the last was removed
        number = min(number, len(tasks))
    else:
        raise HTTPException(400)
    after = found.stored.edition
    set_fields = visit.service.drafts.set_fields

    def declare() -> None:
        set_fields(draft_id(visit), {"tasks": tasks or None}, after=after)

    return await _changed(visit, found, declare, f"tasks?task={number}" if tasks else "tasks")


async def _changed(
    visit: StaffVisit, found: Draft, change: Callable[[], None], to: str
) -> Response:
    """Make a change and go to a page; what is refused is said on the page of the first task."""
    try:
        refused = await collect_faults(visit, change)
        status = 422
    # the numbers of tasks may mean others by now
    except CampaignDraftChanged as error:
        refused, status = error.problems, 409
        found = await load_draft(visit)
    if refused:
        return await _page(visit, found, _first(_tasks(found)), status, refused=refused)
    return redirect_to_draft(visit, to)


async def _page(
    visit: StaffVisit,
    found: Draft,
    number: int,
    status: int = 200,
    *,
    refused: Sequence[Problem] = (),
    merged: MergedForm | None = None,
    removed: Sequence[Conflict] = (),
) -> Response:
    """The page; `number` is that of the task whose form is shown, 0 for none.

    `removed` is what was entered for a task that somebody else has removed.
    """
    asked = visit.request.query_params
    faults = found.problems("tasks", asked=status != 200)
    own, elsewhere = _of_task(faults, number), []
    form = None
    if number:
        # from the draft as it is stored, which also has values that are not valid yet
        content = section(found, number)
        entered = merged.changes.over(content) if merged else content
        protocol = _protocol(found, number)
        groups = await _parts(visit, found, protocol)
        form = FilledForm(
            groups,
            entered,
            own,
            prefix=f"tasks.{number}.",
            stored=content,
            # in a thread: it goes through all segments
            idle=await visit.call(not_applicable, protocol, found.preview.test_set),
        )
        elsewhere = form.others
    judges = _number(asked.get("judges", ""), MOST_JUDGES)
    language = visit.language.code
    return draft_page(
        visit,
        found,
        "tasks",
        status,
        refused=[*refused, *(merged.refused if merged else ())],
        conflicts=merged.changes.conflicts if merged else (),
        removed=removed,
        tasks=[_about(task) for task in _tasks(found)],
        number=number,
        form=form,
        faults=[*elsewhere, *(fault for fault in faults if fault not in own)],
        shown=await visit.call(
            preview, found.preview, number, _number(asked.get("step", "1"), 9), language
        ),
        audit=await visit.call(_audit, found, judges),
        judges=judges,
        most_judges=MOST_JUDGES,
        cards_=await visit.call(protocol_cards, language),
        about=_said_about(found, number, language),
        about_in=DEFAULT if _is_shipped(found, number) else None,
    )


async def _parts(visit: StaffVisit, found: Draft, protocol: Protocol | None) -> list[FieldGroup]:
    names = await visit.call(_protocols, found, visit.language.code)
    tutorial = "tutorial" in found.stored.declaration
    return task_groups(names, found.preview.test_set, protocol, tutorial=tutorial)


def _protocol(found: Draft, number: int) -> Protocol | None:
    """The protocol of a task; None without one that can be read."""
    return found.preview.protocols.get(found.preview.tasks.get(number, ""))


def _protocols(found: Draft, language: str) -> list[FieldOption]:
    """The protocols to choose from: uploaded ones first, then shipped ones by title."""
    held = found.preview.files
    files = [one.name for one in found.stored.files if one.name not in held]
    own = [FieldOption(name, name) for name in files if name.endswith(PROTOCOLS)]
    shipped = [in_language(protocols.load(name), language) for name in protocols.names()]
    titles = [FieldOption(one.name, one.title) for one in shipped]
    return [*own, *sorted(titles, key=lambda one: one.label.casefold())]


def _said_about(found: Draft, number: int, language: str) -> str:
    """The purpose of the task's protocol."""
    protocol = _protocol(found, number)
    return in_language(protocol, language).about if protocol else ""


def _is_shipped(found: Draft, number: int) -> bool:
    """Whether the task's protocol is shipped; their purpose is written in English."""
    protocol = _protocol(found, number)
    return protocol is not None and protocol.name in protocols.names()


def _audit(found: Draft, judges: int) -> Audit | None:
    """The audit of the draft for so many judges, spread evenly over the groups of the tasks."""
    groups = [group for task in found.preview.plan.tasks for group in task.groups] or [""]
    # nobody has an account yet: the coordinator says how many judges they expect
    thought_of = [Judge(id=str(n), group=groups[n % len(groups)]) for n in range(judges)]
    return found.preview.audit(thought_of)


def _of_task(faults: Sequence[Problem], number: int) -> list[Problem]:
    name = f"tasks.{number}"
    return [f for f in faults if f.field == name or (f.field or "").startswith(f"{name}.")]


def _tasks(found: Draft) -> Tasks:
    declared = found.stored.declaration.get("tasks")
    return list(declared) if isinstance(declared, list | tuple) else []


def _about(task: object) -> tuple[str, str]:
    """Name and protocol of a task as texts, also if its entry in the file is malformed."""
    said = task if isinstance(task, Mapping) else {}
    return str(said.get("name", "")), str(said.get("protocol", ""))


def _asked(given: Mapping[str, Any] | FormData, name: str, found: Draft) -> int:
    """The number of the task in the address, else of the first with problems; 0 without tasks."""
    tasks = _tasks(found)
    if number := _number(str(given.get(name, "")), len(tasks)):
        return number
    faults = found.problems("tasks", asked=True)
    wrong = (n for n in range(1, len(tasks) + 1) if _of_task(faults, n))
    return next(wrong, _first(tasks))


def _first(tasks: Tasks) -> int:
    return 1 if tasks else 0


def _number(said: str, most: int) -> int:
    # a few digits are enough, and `int` refuses thousands of them
    number = int(said) if said.isdecimal() and len(said) < 7 else 0
    return number if number <= most else 0


def _renamed(form: FormData, tasks: Tasks, number: int) -> FormData:
    """The form, with the task renamed after its new protocol if it was named after the old one."""
    others = [*tasks[: number - 1], *tasks[number:]]
    name, protocol = _about(tasks[number - 1])
    chosen = read_line(form, "protocol")
    # a name that the coordinator chose stays; only one that was made by `_free` follows
    if chosen != protocol and read_line(form, "name") == name == _free(protocol, others):
        kept = [(key, value) for key, value in form.multi_items() if key != "name"]
        return FormData([*kept, ("name", _free(chosen, others))])
    return form


def _number_now(form: FormData, found: Draft) -> int:
    """The number that the task of a form has by now: 0 without one, -1 if it was removed."""
    tasks = _tasks(found)
    said = read_line(form, "task")
    number = _number(said, MOST_TASKS)
    names = [_about(task)[0] for task in tasks]
    called = form.get("called")
    if not isinstance(called, str) or called == "".join(names[number - 1 : number]):
        return _asked(form, "task", found)
    # somebody else has moved it, or renamed it where it stands
    if called in names:
        return names.index(called) + 1
    kept = 0 < number <= len(tasks) and _about(tasks[number - 1])[1] == read_line(form, "protocol")
    return number if kept else -1


def _kit_size(protocol: str, test_set: TestSet | None) -> int:
    """The segments of a kit of about ten minutes; 0 where whole documents are short enough."""
    if test_set is None or protocol not in protocols.names():
        return 0
    seconds = typical_seconds(protocols.load(protocol), len(test_set.systems))
    longest = max((len(one.segments) for one in test_set.documents), default=0)
    return max(FEWEST_SEGMENTS, round(KIT_SECONDS / seconds)) if longest * seconds > TOO_LONG else 0


def _free(protocol: str, tasks: Tasks) -> str:
    """A free name for a task: that of its protocol, with a number if it is taken."""
    stem = PurePosixPath(protocol).stem if protocol.endswith(PROTOCOLS) else protocol
    base = stem if is_name(stem) else "task"
    taken = {_about(task)[0] for task in tasks}
    names = (base if n == 1 else f"{base}-{n}" for n in count(1))
    return next(name for name in names if name not in taken)


routes = [
    Route("/draft/{key}/tasks", show, methods=["GET"]),
    Route("/draft/{key}/tasks", save, methods=["POST"]),
    Route("/draft/{key}/tasks/add", add, methods=["POST"]),
    Route("/draft/{key}/tasks/arrange", arrange, methods=["POST"]),
]
