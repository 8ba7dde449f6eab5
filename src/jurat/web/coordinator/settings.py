"""What of a campaign can still be changed, what cannot and why; and another one like it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import fields
from jurat.campaigns.changing import Lock
from jurat.campaigns.declared import CampaignPlan
from jurat.campaigns.preparing import PARTS
from jurat.campaigns.sources import roles_in
from jurat.declarations import dump
from jurat.faults import Fault
from jurat.store import Preparation
from jurat.web.coordinator.asking import Choice, Field, Filled, Names, Pairs, Part, declared
from jurat.web.coordinator.declaring import rule_parts, task_parts
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.drafts import faults_of
from jurat.web.forms import sent_form

WHY = {
    "address": "desk-why-address",
    "kits": "desk-why-kits",
    "given": "desk-why-given",
    "begun": "desk-why-begun",
    "closed": "desk-why-closed",
    "no-tutorial": "desk-why-no-tutorial",
}
SETS = {
    "test_set": "desk-test-set",
    "tutorial": "desk-tutorial-set",
    "human_references": "desk-humans",
}
ALWAYS = ("name", "seed")
"""Worth telling also where nothing is declared."""


class Locked(NamedTuple):
    """Something that stays as it is."""

    task: str
    """Of which task; nothing where it is the campaign's."""
    words: str
    why: str
    value: object
    said: bool = False
    """Whether the value is the key of words."""


@coordinators
async def show(desk: Desk) -> Response:
    """What is declared: open to changes, or locked with the reason."""
    return await _page(desk)


@coordinators
async def save(desk: Desk) -> Response:
    """Change what the form says otherwise, all of it or nothing.

    A form that knows nothing of somebody else's change would undo it, and is not taken.
    """
    form = await sent_form(desk)
    stored = await desk.call(desk.service.store.campaign, desk.campaign)
    if form.get("edition") != str(stored.edition):
        return await _page(desk, 409, stale=True)
    changes = await desk.call(_changes, desk, form)
    change, author = desk.service.change, desk.person.name
    faults = await faults_of(desk, change, desk.campaign, changes, author=author)
    return await _page(desk, 422, changes=changes, faults=faults) if faults else desk.to("settings")


@coordinators
async def copy(desk: Desk) -> Response:
    """Another campaign like this one, in preparation: whoever sees all campaigns can make one."""
    await sent_form(desk)
    if not desk.person.site:
        raise HTTPException(403)
    made: Preparation = await desk.call(
        desk.service.preparations.copy, desk.campaign, author=desk.person.name
    )
    return desk.away(f"/desk/draft/{made.id}/set")


def _changes(desk: Desk, form: FormData) -> dict[str, object]:
    """What the form says of every field that is open."""
    parts = _parts(desk.service.plan(desk.campaign))
    open_ = _open(parts, desk.service.locked(desk.campaign))
    said = declared(form, open_)
    return {
        field.name: fields.value_at(said, tuple(field.name.split(".")))
        for part in open_
        for field in part.fields
    }


def _parts(plan: CampaignPlan) -> list[Part]:
    """The rules, and every task."""
    tasks = (Part("", _fields(n), label=one.name) for n, one in enumerate(plan.tasks, 1))
    return [*rule_parts(), *tasks]


def _fields(task: int) -> list[Field]:
    """All fields of a task, under the names that they have in the whole declaration."""
    parts = task_parts((), None, tutorial=True)
    return [replace(one, name=f"tasks.{task}.{one.name}") for part in parts for one in part.fields]


def _open(parts: Sequence[Part], locked: Mapping[str, Lock]) -> list[Part]:
    """What may still change."""
    own = [[one for one in part.fields if not _lock(one.name, locked)] for part in parts]
    pairs = zip(parts, own, strict=True)
    return [part._replace(fields=some, open=True) for part, some in pairs if some]


def _lock(name: str, locked: Mapping[str, Lock]) -> Lock | None:
    found = [one for field, one in locked.items() if f"{name}.".startswith(f"{field}.")]
    return found[0] if found else None


def _locked(parts: Sequence[Part], content: object, locked: Mapping[str, Lock]) -> Iterator[Locked]:
    """What is declared and stays so."""
    for name, words in SETS.items():
        value = fields.value_at(content, (name,))
        if value and name in locked:
            files = roles_in(value) if name in PARTS else value
            assert isinstance(files, dict | list)
            yield Locked("", words, WHY[locked[name].code], ", ".join(files))
    form = Filled(parts, content)
    for part in parts:
        for field in part.fields:
            lock, value = _lock(field.name, locked), form.value(field)
            if lock and (value is not None or field.name in ALWAYS):
                yield Locked(part.label, field.words, WHY[lock.code], *_told(field, value))


def _told(field: Field, value: object) -> tuple[object, bool]:
    """A declared value, or the key of the words for it."""
    match field:
        case Choice():
            labels = [one.label for one in field.options if field.is_chosen(one, value)]
            return (labels[0], True) if labels else (value, False)
        case Pairs():
            return ", ".join(f"{name}: {one}" for name, one in field.shown(value) if name), False
        case Names():
            return ", ".join(field.shown(value)), False
    return field.shown(value), False


async def _page(
    desk: Desk,
    status: int = 200,
    *,
    changes: Mapping[str, object] | None = None,
    faults: Sequence[Fault] = (),
    stale: bool = False,
) -> Response:
    plan = desk.service.plan(desk.campaign)
    stored = await desk.call(desk.service.store.campaign, desk.campaign)
    locked = await desk.call(desk.service.locked, desk.campaign)
    content: Any = stored.declaration
    for name, value in (changes or {}).items():
        path = fields.resolve(content, name)
        gone = value is None
        content = fields.without(content, path) if gone else fields.put(content, path, value)
    parts = _parts(plan)
    return desk.render(
        "desk/settings.html",
        status,
        plan=plan,
        form=Filled(_open(parts, locked), content, faults),
        locked=list(_locked(parts, stored.declaration, locked)),
        text=dump(stored.declaration),
        edition=stored.edition,
        stale=stale,
    )


routes = [
    Route("/settings", show, methods=["GET"]),
    Route("/settings", save, methods=["POST"]),
    Route("/settings/copy", copy, methods=["POST"]),
]
