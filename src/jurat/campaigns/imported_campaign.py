"""A campaign that was running in another tool: its kits, judges and what they have judged.

Every document is a kit (with one translation on the screen, every system's), in the order in which
judges had the documents, so that they go on after the last one that they have judged.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace as replaced
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from jurat.campaigns.accounts import Slip
from jurat.campaigns.auth import hash_password, hash_token, new_pins
from jurat.campaigns.config import read_plan
from jurat.campaigns.create import CampaignDefinition, definition_of, written
from jurat.campaigns.imported_answers import answers_in
from jurat.campaigns.imported_decisions import category_of, past_kits
from jurat.formats import ImportedCampaign
from jurat.formats.imported_protocol import (
    marking_questions,
    protocol_file,
    unweighted,
    with_kinds_of_errors,
)
from jurat.model import File, Item, Kit
from jurat.protocols import Protocol, load, read
from jurat.store import NewCampaign, NewJudge
from jurat.store.imported_campaign import PastKit
from jurat.yamlfile import dump

if TYPE_CHECKING:
    import polars as pl

TEST_SET = "testset.jsonl"
# A name of another tool that can be a PIN: it is part of addresses, and typed in lower case.
AS_PIN = re.compile(r"[a-z0-9][a-z0-9_.-]{0,59}")


class MovedCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """All that the store needs, and what the coordinator is told."""

    new: NewCampaign
    judges: tuple[NewJudge, ...]
    slips: Mapping[str, Slip]
    """By the user's name in the other tool."""
    past: tuple[PastKit, ...]
    notes: tuple[str, ...]


def move(
    found: ImportedCampaign, tables: Mapping[str, pl.DataFrame], *, now: datetime
) -> MovedCampaign:
    """The campaign of another tool, with the judgments in its tables; raises `InputError`."""
    lost: Counter[str] = Counter()
    empty = "translations that nobody was to judge, which are empty in the test set and in no kit"
    lost[empty] = len(found.absent)
    found = _with_kinds_of_errors(found, tables.get("spans"))
    judged = answers_in(tables, lost, now)
    # those who have so far done the tutorial alone go on, too
    told = tables["judgments"]["judge"].drop_nulls()
    users = list(dict.fromkeys((*found.users, *(key[0] for key in judged), *told)))
    groups = _groups(found)
    declared = read_plan(File("campaign.yaml", dump(_declaration(found, own=groups)).encode()))
    definition = definition_of(declared, lambda name: _file(found, name))
    kits = _kits(definition, found, groups)
    slips = _slips(users, groups)
    pins = {user: slip.pin for user, slip in slips.items()}
    (protocol,) = definition.protocols.values()
    past = tuple(past_kits(kits, judged, pins, protocol, lost=lost, now=now))
    return MovedCampaign(
        new=definition.new_campaign(kits, declared.declaration.content),
        judges=tuple(_judge(user, slip) for user, slip in slips.items()),
        slips=slips,
        past=past,
        notes=(*found.notes, *unweighted(protocol), *_counted(lost)),
    )


def _counted(lost: Mapping[str, int]) -> Iterator[str]:
    return (f"{what}: {count:,}" for what, count in lost.items() if count)


def campaign_protocol(found: ImportedCampaign) -> Protocol:
    """The protocol: that of its file, or else one of Jurat's."""
    own = found.protocol_file
    return read(own.data, file=own.name) if own else load(found.protocol)


def _with_kinds_of_errors(found: ImportedCampaign, spans: pl.DataFrame | None) -> ImportedCampaign:
    """The campaign with a protocol that has the severities and categories of all marked errors."""
    if spans is None:
        return found
    own = campaign_protocol(found)
    special = {mark.value for one in marking_questions(own) for mark in one.marks}
    names = ("severity", "category", "missing")
    rows = spans.select(pick for pick in names if pick in spans.columns)
    told = rows.unique(maintain_order=True).rows(named=True)
    severities = [row["severity"] for row in told if row["severity"]]
    categories = [name for name in map(category_of, told) if name not in special]
    made = with_kinds_of_errors(own, severities, categories)
    return found if made == own else replaced(found, protocol_file=protocol_file(made).file)


def _file(found: ImportedCampaign, name: str) -> File:
    """A file that the declaration names: the protocol, or else the test set."""
    own = found.protocol_file
    return own if own and own.name == name else File(name, written(found.test_set))


def _groups(found: ImportedCampaign) -> list[str]:
    """The users who have documents of their own; none where all have the same in the same order."""
    return list(found.documents_of) if len({*found.documents_of.values()}) > 1 else []


def _declaration(found: ImportedCampaign, *, own: Sequence[str]) -> dict[str, Any]:
    lists = found.documents_of.values()
    most = max(map(len, lists)) if lists else len(found.test_set.documents)
    alone = campaign_protocol(found).systems == "one"
    task: dict[str, Any] = {
        "name": found.protocol,
        "protocol": found.declared_protocol,
        "wanted": 1 if own else max(found.wanted, 1),
        "kits": {"documents": 1, **({"systems": 1} if alone else {})},
        "one_system_per_segment": False,
        "required": {"evaluation": most * (len(found.test_set.systems) if alone else 1)},
    }
    return {**found.declaration(TEST_SET), "skip": True, "tasks": [task]}


def _kits(
    definition: CampaignDefinition, found: ImportedCampaign, groups: Sequence[str]
) -> list[Kit]:
    """The kits in the order of the documents; a user with documents of their own is a group."""
    systems = [one.name for one in found.test_set.systems]
    built: defaultdict[str, list[Kit]] = defaultdict(list)
    for kit in definition.build():
        # what nobody was to judge is judged here by nobody either
        if present := tuple(_present(kit.items, found.absent)):
            built[present[0].document].append(replace(kit, items=present))
    everybody = next(iter(found.documents_of.values()), ())
    shared = everybody or tuple(document.id for document in found.test_set.documents)
    lists = {user: found.documents_of[user] for user in groups} or {"": shared}
    in_order = [
        replace(kit, group=user)
        for user, documents in lists.items()
        for document in documents
        for kit in sorted(built[document], key=lambda kit: systems.index(_first_system(kit)))
    ]
    return [replace(kit, number=number) for number, kit in enumerate(in_order, 1)]


def _present(items: Sequence[Item], absent: Collection[tuple[str, str, str]]) -> Iterator[Item]:
    """The items with those translations that somebody was to judge.

    Where one of several is left, there is nothing to compare.
    """
    for item in items:
        shown = item.translations
        left = tuple(
            one for one in shown if (item.document, item.segment, one.system) not in absent
        )
        if len(left) == len(shown) or len(left) > 1:
            yield replace(item, translations=left)


def _first_system(kit: Kit) -> str:
    return kit.items[0].translations[0].system


def _slips(users: Sequence[str], groups: Sequence[str]) -> dict[str, Slip]:
    """Credentials for every user; the PIN is their name there, where it can be."""
    own = {user: user.lower() for user in users if AS_PIN.fullmatch(user.lower())}
    single = {user: pin for user, pin in own.items() if [*own.values()].count(pin) == 1}
    others = [user for user in users if user not in single]
    pins = {**single, **dict(zip(others, new_pins(len(others), single.values()), strict=True))}
    return {
        user: Slip.new(pins[user], role="judge", group=user if user in groups else "", site="")
        for user in users
    }


def _judge(user: str, slip: Slip) -> NewJudge:
    return NewJudge(
        pin=slip.pin,
        password_hash=hash_password(slip.password),
        token_hash=hash_token(slip.token),
        group=slip.group,
        note=user if user != slip.pin else "",
    )


def slips_of(moved: MovedCampaign) -> Iterator[tuple[str, Slip, int]]:
    """The judges with their credentials, and how many kits each has done."""
    done = Counter(kit.pin for kit in moved.past if not kit.void and not kit.until)
    for user, slip in moved.slips.items():
        yield user, slip, done[slip.pin]
