"""Settings of a campaign: those that can be changed, locked ones with reasons, and copying."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns import nested_values
from jurat.campaigns.config import roles_in
from jurat.campaigns.drafts import PARTS
from jurat.campaigns.update import Lock
from jurat.errors import Problem
from jurat.protocols import Protocol
from jurat.store import CampaignDraft
from jurat.web.coordinator.campaign_form import rule_groups, task_groups
from jurat.web.coordinator.draft import collect_faults
from jurat.web.coordinator.form_fields import Field, FieldGroup, FilledForm, read_line
from jurat.web.coordinator.form_merge import FormChanges, form_changes
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import sent_form
from jurat.yamlfile import dump

# Keys of the texts for reasons are this and the reason's code.
REASON_PREFIX = "desk-why-"
FILE_FIELDS = {
    "test_set": "desk-test-set",
    "tutorial": "desk-tutorial-set",
    "human_references": "desk-humans",
}
# Worth telling also where nothing is declared.
ALWAYS_SHOWN = ("name", "seed")


class LockedField(NamedTuple):
    """A setting that can no longer be changed."""

    task: str
    """The name of its task; empty for settings of the campaign."""
    words: str
    why: str
    value: object
    said: bool = False
    """Whether the value is the key of a text."""
    of_tutorial: bool = False
    """Whether it is about the tutorial's kits, of which fields have the same words as others."""


@coordinators
async def save(visit: StaffVisit) -> Response:
    """Save the settings that were changed, all of them or none.

    Where somebody else has changed the same setting meanwhile, nothing is saved, and the page shows
    both values with status 409.
    """
    form = await sent_form(visit)
    changes = await visit.call(_changes, visit, form)
    if changes.conflicts:
        return await _page(visit, 409, changes=changes)
    change, author = visit.service.campaigns.update, visit.person.name
    # `update` checks again which fields are locked: a phase may have been started meanwhile
    faults = await collect_faults(visit, change, visit.campaign, changes.values, author=author)
    return (
        await _page(visit, 422, changes=changes, faults=faults)
        if faults
        else visit.redirect_to_page("settings")
    )


@coordinators
async def copy(visit: StaffVisit) -> Response:
    """Create a draft as a copy of this campaign; for site coordinators only."""
    await sent_form(visit)
    if not visit.person.site:
        raise HTTPException(403)
    made: CampaignDraft = await visit.call(
        visit.service.drafts.copy, visit.campaign, author=visit.person.name
    )
    return visit.redirect_to(f"{visit.site.desk}draft/{made.id}/set")


@coordinators
async def delete(visit: StaffVisit) -> Response:
    """Delete this campaign, after its archive was offered and its short name typed."""
    form = await sent_form(visit)
    if not visit.person.site:
        raise HTTPException(403)
    typed = read_line(form, "typed")
    if typed != visit.campaign:
        say = visit.language.say
        wrong = [say("desk-delete-wrong")] if typed else []
        return visit.confirm(
            form,
            say("desk-delete-sure", name=visit.campaign),
            say("desk-delete"),
            back=f"{visit.base}settings",
            notes=[
                *wrong,
                say("desk-delete-note"),
                say("desk-delete-type", name=visit.campaign),
            ],
            ask="typed",
            template="coordinator/delete.html",
        )
    await visit.call(visit.service.campaigns.delete, visit.campaign, author=visit.person.name)
    return visit.redirect_to(visit.site.desk)


def _changes(visit: StaffVisit, form: FormData) -> FormChanges:
    """What the form changes of the settings that are not locked."""
    parts = _parts(visit)
    # locked fields are not read, even if a forged form sends them
    open_ = _open(parts, visit.service.campaigns.locked(visit.campaign))
    return form_changes(form, open_, visit.service.campaigns.get(visit.campaign).declaration)


def _parts(visit: StaffVisit) -> list[FieldGroup]:
    """The fields of the campaign and of every task."""
    plan = visit.service.campaigns.plan(visit.campaign)
    tasks = (
        FieldGroup("", _fields(n, visit.protocol(one.name)), label=one.name)
        for n, one in enumerate(plan.tasks, 1)
    )
    return [*rule_groups(guests=bool(plan.tutorial) or plan.guest), *tasks]


def _fields(task: int, protocol: Protocol) -> list[Field]:
    """The fields of a task, named by their path in campaign.yaml."""
    # no protocols, systems or documents to choose from: only the declared ones are listed
    parts = task_groups((), None, protocol, tutorial=True)
    return [replace(one, name=f"tasks.{task}.{one.name}") for part in parts for one in part.fields]


def _open(parts: Sequence[FieldGroup], locked: Mapping[str, Lock]) -> list[FieldGroup]:
    """The fields that can still be changed."""
    own = [[one for one in part.fields if not _lock(one.name, locked)] for part in parts]
    pairs = zip(parts, own, strict=True)
    return [replace(part, fields=some) for part, some in pairs if some]


def _lock(name: str, locked: Mapping[str, Lock]) -> Lock | None:
    # the dots make it match whole names: `kits` locks `kits.order`, but not `kits_x`
    found = [one for field, one in locked.items() if f"{name}.".startswith(f"{field}.")]
    return found[0] if found else None


def _locked(
    parts: Sequence[FieldGroup], content: object, locked: Mapping[str, Lock]
) -> Iterator[LockedField]:
    """The settings that are locked, with reasons."""
    for name, words in FILE_FIELDS.items():
        # files are no fields of the form, so they are listed by themselves
        value = nested_values.value_at(content, (name,))
        if value and name in locked:
            files = roles_in(value) if name in PARTS else value
            assert isinstance(files, dict | list)
            yield LockedField("", words, REASON_PREFIX + locked[name].code, ", ".join(files))
    form = FilledForm(parts, content)
    for part in parts:
        for field in part.fields:
            lock, value = _lock(field.name, locked), form.value(field)
            if lock and (value is not None or field.name in ALWAYS_SHOWN):
                shown = LockedField(
                    part.label, field.words, REASON_PREFIX + lock.code, *field.describe(value)
                )
                yield shown._replace(of_tutorial=".tutorial." in field.name)


async def _page(
    visit: StaffVisit,
    status: int = 200,
    *,
    changes: FormChanges | None = None,
    faults: Sequence[Problem] = (),
) -> Response:
    """The settings page."""
    stored = await visit.call(visit.service.campaigns.get, visit.campaign)
    locked = await visit.call(visit.service.campaigns.locked, visit.campaign)
    content: Any = stored.declaration
    # what was not saved is shown again in the form, over what is stored
    entered = changes.over(content) if changes else content
    parts = _parts(visit)
    return visit.render(
        "coordinator/settings.html",
        status,
        form=FilledForm(_open(parts, locked), entered, faults, stored=content),
        conflicts=changes.conflicts if changes else (),
        locked=list(_locked(parts, stored.declaration, locked)),
        text=dump(stored.declaration),
        webhook_key=await visit.call(visit.service.webhooks.key, visit.campaign),
    )


routes = [
    Route("/settings", coordinators(_page), methods=["GET"]),
    Route("/settings", save, methods=["POST"]),
    Route("/settings/copy", copy, methods=["POST"]),
    Route("/settings/delete", delete, methods=["POST"]),
]
