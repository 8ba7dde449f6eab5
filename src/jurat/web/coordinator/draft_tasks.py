"""The second step of a draft: its tasks and kits, with a preview of what judges will see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat import protocols
from jurat.campaigns import Screen, field_paths
from jurat.campaigns.draft_preview import DraftPreview
from jurat.campaigns.drafts import PROTOCOLS
from jurat.errors import Problem
from jurat.i18n import DEFAULT
from jurat.kits.findings import Audit
from jurat.model import Judge, TestSet
from jurat.protocols import Protocol
from jurat.protocols.localization import in_language
from jurat.protocols.questions import is_name
from jurat.web.coordinator.campaign_form import task_groups
from jurat.web.coordinator.draft import (
    Draft,
    UploadRefused,
    collect_faults,
    draft_id,
    draft_page,
    load_draft,
    receive_upload,
    redirect_to_draft,
)
from jurat.web.coordinator.form_fields import (
    FieldGroup,
    FieldOption,
    FilledForm,
    read_form,
    read_line,
)
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import sent_form
from jurat.web.html_text import Highlighter
from jurat.web.judge.step_form import Form, Languages, Step

# Steps of a kit in the preview.
MAX_STEPS = 3


class Preview(NamedTuple):
    """One step of a task's first kit."""

    step: Step
    number: int
    steps: int
    """The number of steps in the preview."""


class PreviewStep(Step):
    """A step of a campaign that does not exist yet, without a judge."""

    def __init__(
        self, screen: Screen, protocol: Protocol, test_set: TestSet, *, shade: bool
    ) -> None:
        self.screen = screen
        self.protocol = protocol
        source = screen.source_language or test_set.source_language
        self.languages = Languages(source, test_set.target_language)
        self._shader = Highlighter(_references(test_set)) if shade else None
        # Step.__init__ is not called: it needs a visit to a campaign that exists
        self._answers = {}
        self.form = Form(protocol, screen, {})


def preview(draft: DraftPreview, task: int, number: int, language: str) -> Preview | None:
    """A step of a task by its number, in a language; None while the draft is not complete."""
    if task not in draft.tasks or draft.test_set is None:
        return None
    screens = draft.screens(task, most=MAX_STEPS)
    if not screens:
        return None
    number = min(max(number, 1), len(screens))
    protocol = in_language(draft.protocols[draft.tasks[task]], language)
    shown = PreviewStep(screens[number - 1], protocol, draft.test_set, shade=draft.plan.shading)
    return Preview(shown, number, len(screens))


def _references(test_set: TestSet) -> list[str]:
    return [text for _, segment in test_set.segments() for text in segment.references.values()]


MOST_JUDGES = 1000
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
    """Save a task; its problems are shown beside the fields."""
    form = await sent_form(visit)
    found = await load_draft(visit)
    number = _asked(form, "task", found)
    if not number:
        raise HTTPException(404)
    task = _renamed(read_form(form, await _parts(visit, found)), _tasks(found), number)
    said = {f"tasks.{number}": task}
    refused = await collect_faults(visit, visit.service.drafts.set_fields, draft_id(visit), said)
    # again, since the problems are those of the draft as it is stored now
    found = await load_draft(visit)
    wrong = [*refused, *_of_task(found.problems("tasks", asked=True), number)]
    if wrong:
        return await _page(visit, found, number, 422, refused=refused)
    return redirect_to_draft(visit, f"tasks?task={number}")


@coordinators
async def add(visit: StaffVisit) -> Response:
    """Add a task with a shipped protocol or an uploaded one."""
    try:
        form, files = await receive_upload(visit, files=1, largest=MAX_PROTOCOL_BYTES)
    except UploadRefused as error:
        found = await load_draft(visit)
        wrong = (Problem(message=error.words),)
        return await _page(visit, found, _first(_tasks(found)), error.status, refused=wrong)
    found = await load_draft(visit)
    tasks = _tasks(found)
    number = len(tasks) + 1

    def declare() -> None:
        drafts, name = visit.service.drafts, read_line(form, "protocol")
        if files:
            name = drafts.upload_protocol(draft_id(visit), files[0])
        # the name is needed before the task has a form in which it could be entered
        task: dict[str, object] = {"name": _free(name, tasks), "protocol": name}
        if "tutorial" in found.stored.declaration:
            task["required"] = {"tutorial": 1}
        drafts.set_fields(draft_id(visit), {f"tasks.{number}": task})

    refused = await collect_faults(visit, declare)
    if refused:
        return await _page(visit, found, _first(tasks), 422, refused=refused)
    return redirect_to_draft(visit, f"tasks?task={number}")


@coordinators
async def arrange(visit: StaffVisit) -> Response:
    """Move a task up or down, or remove it."""
    form = await sent_form(visit)
    found = await load_draft(visit)
    number = _asked(form, "task", found)
    if not number:
        raise HTTPException(404)
    tasks = _tasks(found)
    task = tasks.pop(number - 1)
    action = read_line(form, "action")
    if action in ("up", "down"):
        number = min(max(number + (1 if action == "down" else -1), 1), len(tasks) + 1)
        tasks.insert(number - 1, task)
    elif action == "remove":
        # the next task is shown, or the one before if the last was removed
        number = min(number, len(tasks))
    else:
        raise HTTPException(400)
    said = {"tasks": tasks or None}
    refused = await collect_faults(visit, visit.service.drafts.set_fields, draft_id(visit), said)
    if refused:
        return await _page(visit, found, number, 422, refused=refused)
    return redirect_to_draft(visit, f"tasks?task={number}" if tasks else "tasks")


async def _page(
    visit: StaffVisit,
    found: Draft,
    number: int,
    status: int = 200,
    *,
    refused: Sequence[Problem] = (),
) -> Response:
    """The page; `number` is that of the task whose form is shown, 0 for none."""
    asked = visit.request.query_params
    faults = found.problems("tasks", asked=status != 200)
    own, elsewhere = _of_task(faults, number), []
    form = None
    if number:
        # from the draft as it is stored, which also has values that are not valid yet
        content = field_paths.value_at(found.stored.declaration, ("tasks", number - 1))
        form = FilledForm(await _parts(visit, found), content, own, prefix=f"tasks.{number}.")
        elsewhere = form.others
    judges = _number(asked.get("judges", ""), MOST_JUDGES)
    language = visit.language.code
    return draft_page(
        visit,
        found,
        "tasks",
        status,
        refused=refused,
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
        protocols=await visit.call(_protocols, found, language),
        about=_said_about(found, number, language),
        about_in=DEFAULT if _is_shipped(found, number) else None,
    )


async def _parts(visit: StaffVisit, found: Draft) -> list[FieldGroup]:
    names = await visit.call(_protocols, found, visit.language.code)
    tutorial = "tutorial" in found.stored.declaration
    return task_groups(names, found.preview.test_set, tutorial=tutorial)


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
    name = found.preview.tasks.get(number, "")
    protocol = found.preview.protocols.get(name)
    return in_language(protocol, language).about if protocol else ""


def _is_shipped(found: Draft, number: int) -> bool:
    """Whether the task's protocol is shipped; their purpose is written in English."""
    protocol = found.preview.protocols.get(found.preview.tasks.get(number, ""))
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
    """The number of the task in the address, else of the first one; 0 without tasks."""
    tasks = _tasks(found)
    number = _number(str(given.get(name, "")), len(tasks))
    return number or _first(tasks)


def _first(tasks: Tasks) -> int:
    return 1 if tasks else 0


def _number(said: str, most: int) -> int:
    # a few digits are enough, and `int` refuses thousands of them
    number = int(said) if said.isdecimal() and len(said) < 7 else 0
    return number if number <= most else 0


def _renamed(task: dict[str, Any], tasks: Tasks, number: int) -> dict[str, Any]:
    """The task, renamed with its protocol if it was named after the old one."""
    others = [*tasks[: number - 1], *tasks[number:]]
    name, protocol = _about(tasks[number - 1])
    chosen = str(task.get("protocol", ""))
    # a name that the coordinator chose stays; only one that was made by `_free` follows
    if chosen != protocol and task.get("name") == name == _free(protocol, others):
        return {**task, "name": _free(chosen, others)}
    return task


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
