"""The second step of a preparation: what is asked, how often, in what kits, by whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import PurePosixPath
from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat import protocols
from jurat.campaigns import fields
from jurat.campaigns.preparing import PROTOCOLS
from jurat.faults import Fault
from jurat.kits.audit import Audit
from jurat.model import Judge
from jurat.protocols.questions import is_name
from jurat.protocols.translating import in_language
from jurat.speaking import DEFAULT
from jurat.web.coordinator.asking import Filled, Option, Part, declared, written
from jurat.web.coordinator.declaring import task_parts
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.drafts import (
    Draft,
    NotReceived,
    draft,
    faults_of,
    key,
    onward,
    page,
    received,
)
from jurat.web.coordinator.preview import preview
from jurat.web.forms import sent_form

MOST_JUDGES = 1000
LARGEST = 1 << 20
"""Bytes of a protocol."""

Tasks = list[Any]


@coordinators
async def show(desk: Desk) -> Response:
    """The tasks, one of them in full, what a judge will see of it, and what all amount to."""
    found = await draft(desk)
    return await _page(desk, found, _asked(desk.request.query_params, "task", found))


@coordinators
async def save(desk: Desk) -> Response:
    """Declare a task as the form has it; what is wrong with it is told beside its fields."""
    form = await sent_form(desk)
    found = await draft(desk)
    number = _asked(form, "task", found)
    if not number:
        raise HTTPException(404)
    task = _renamed(declared(form, await _parts(desk, found)), _tasks(found), number)
    said = {f"tasks.{number}": task}
    refused = await faults_of(desk, desk.service.preparations.declare, key(desk), said)
    found = await draft(desk)
    wrong = [*refused, *_of_task(found.faults("tasks", asked=True), number)]
    if wrong:
        return await _page(desk, found, number, 422, refused=refused)
    return onward(desk, f"tasks?task={number}")


@coordinators
async def add(desk: Desk) -> Response:
    """One more task: of a protocol that is there, or of one's own."""
    try:
        form, files = await received(desk, files=1, largest=LARGEST)
    except NotReceived as error:
        found = await draft(desk)
        wrong = (Fault(message=error.words),)
        return await _page(desk, found, _first(_tasks(found)), error.status, refused=wrong)
    found = await draft(desk)
    tasks = _tasks(found)
    number = len(tasks) + 1

    def declare() -> None:
        preparations, name = desk.service.preparations, written(form, "protocol")
        if files:
            name = preparations.upload_protocol(key(desk), files[0])
        task: dict[str, object] = {"name": _free(name, tasks), "protocol": name}
        if "tutorial" in found.preparation.declaration:
            task["required"] = {"tutorial": 1}
        preparations.declare(key(desk), {f"tasks.{number}": task})

    refused = await faults_of(desk, declare)
    if refused:
        return await _page(desk, found, _first(tasks), 422, refused=refused)
    return onward(desk, f"tasks?task={number}")


@coordinators
async def arrange(desk: Desk) -> Response:
    """Put a task elsewhere in the order, or take it out."""
    form = await sent_form(desk)
    found = await draft(desk)
    number = _asked(form, "task", found)
    if not number:
        raise HTTPException(404)
    tasks = _tasks(found)
    task = tasks.pop(number - 1)
    action = written(form, "action")
    if action in ("up", "down"):
        number = min(max(number + (1 if action == "down" else -1), 1), len(tasks) + 1)
        tasks.insert(number - 1, task)
    elif action == "remove":
        number = min(number, len(tasks))
    else:
        raise HTTPException(400)
    said = {"tasks": tasks or None}
    refused = await faults_of(desk, desk.service.preparations.declare, key(desk), said)
    if refused:
        return await _page(desk, found, number, 422, refused=refused)
    return onward(desk, f"tasks?task={number}" if tasks else "tasks")


async def _page(
    desk: Desk, found: Draft, number: int, status: int = 200, *, refused: Sequence[Fault] = ()
) -> Response:
    """`number`: of the task that is shown in full, 0 where there is none."""
    asked = desk.request.query_params
    faults = found.faults("tasks", asked=status != 200)
    own, elsewhere = _of_task(faults, number), []
    form = None
    if number:
        content = fields.value_at(found.preparation.declaration, ("tasks", number - 1))
        form = Filled(await _parts(desk, found), content, own, prefix=f"tasks.{number}.")
        elsewhere = form.others
    judges = _number(asked.get("judges", ""), MOST_JUDGES)
    language = desk.language.code
    return page(
        desk,
        found,
        "tasks",
        status,
        refused=refused,
        tasks=[_about(task) for task in _tasks(found)],
        number=number,
        form=form,
        faults=[*elsewhere, *(fault for fault in faults if fault not in own)],
        shown=await desk.call(
            preview, found.outlook, number, _number(asked.get("step", "1"), 9), language
        ),
        audit=await desk.call(_audit, found, judges),
        judges=judges,
        most_judges=MOST_JUDGES,
        protocols=await desk.call(_protocols, found, language),
        about=_said_about(found, number, language),
        about_in=DEFAULT if _is_shipped(found, number) else None,
    )


async def _parts(desk: Desk, found: Draft) -> list[Part]:
    names = await desk.call(_protocols, found, desk.language.code)
    summaries = await desk.call(lambda: found.outlook.summaries)
    tutorial = "tutorial" in found.preparation.declaration
    return task_parts(names, summaries.get("test_set"), tutorial=tutorial)


def _protocols(found: Draft, language: str) -> list[Option]:
    """What can be asked: own protocols first, then those that are shipped, by title."""
    held = found.outlook.files
    files = [one.name for one in found.preparation.files if one.name not in held]
    own = [Option(name, name) for name in files if name.endswith(PROTOCOLS)]
    shipped = [in_language(protocols.load(name), language) for name in protocols.names()]
    titles = [Option(one.name, one.title) for one in shipped]
    return [*own, *sorted(titles, key=lambda one: one.label.casefold())]


def _said_about(found: Draft, number: int, language: str) -> str:
    """What the shown task's protocol is for."""
    name = found.outlook.tasks.get(number, "")
    protocol = found.outlook.protocols.get(name)
    return in_language(protocol, language).about if protocol else ""


def _is_shipped(found: Draft, number: int) -> bool:
    """Whether the shown task's protocol comes with Jurat: what those are for is said in English."""
    protocol = found.outlook.protocols.get(found.outlook.tasks.get(number, ""))
    return protocol is not None and protocol.name in protocols.names()


def _audit(found: Draft, judges: int) -> Audit | None:
    """For so many judges, who are spread evenly over the groups that tasks have."""
    groups = [group for task in found.outlook.plan.tasks for group in task.groups] or [""]
    thought_of = [Judge(id=str(n), group=groups[n % len(groups)]) for n in range(judges)]
    return found.outlook.audit(thought_of)


def _of_task(faults: Sequence[Fault], number: int) -> list[Fault]:
    name = f"tasks.{number}"
    return [f for f in faults if f.field == name or (f.field or "").startswith(f"{name}.")]


def _tasks(found: Draft) -> Tasks:
    declared = found.preparation.declaration.get("tasks")
    return list(declared) if isinstance(declared, list | tuple) else []


def _about(task: object) -> tuple[str, str]:
    """Name and protocol of a task, whatever it is."""
    said = task if isinstance(task, Mapping) else {}
    return str(said.get("name", "")), str(said.get("protocol", ""))


def _asked(given: Mapping[str, Any] | FormData, name: str, found: Draft) -> int:
    """The task that is asked for, or the first; 0 where there is none."""
    tasks = _tasks(found)
    number = _number(str(given.get(name, "")), len(tasks))
    return number or _first(tasks)


def _first(tasks: Tasks) -> int:
    return 1 if tasks else 0


def _number(said: str, most: int) -> int:
    number = int(said) if said.isdecimal() and len(said) < 7 else 0
    return number if number <= most else 0


def _renamed(task: dict[str, Any], tasks: Tasks, number: int) -> dict[str, Any]:
    """A task that was called like its protocol is called like the one that it has now."""
    others = [*tasks[: number - 1], *tasks[number:]]
    name, protocol = _about(tasks[number - 1])
    chosen = str(task.get("protocol", ""))
    if chosen != protocol and task.get("name") == name == _free(protocol, others):
        return {**task, "name": _free(chosen, others)}
    return task


def _free(protocol: str, tasks: Tasks) -> str:
    """A name for a task: like its protocol, with a number where another is called so."""
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
