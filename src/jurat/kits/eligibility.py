"""Which kits a judge may get, from summaries of the kits; a policy chooses the next of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec

from jurat.conditions import holds, parse
from jurat.kits.plan import TaskPlan, keeps_apart
from jurat.model import Judge, Kit, System
from jurat.protocols import Protocol

# Whether judges get translations by systems of their own site, without knowing it, or never.
OwnSite = Literal["include", "avoid"]

# What a stage shows at most where a translation is to be read without help.
READING = frozenset({"translation", "context"})

# The id that the store, or whoever else keeps kits, gives them.
KitId: TypeAlias = "int | str"


class KitSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Who may have a kit, and which systems and documents are in it."""

    id: KitId
    task: str
    number: int
    block: str
    group: str = ""
    systems: Mapping[str, int] = {}
    """How many of its items show each system."""
    documents: frozenset[str] = frozenset()
    references: bool = False
    """Whether a judge who does it sees references."""


class AvailableKit(KitSummary, frozen=True, kw_only=True):
    """A kit that can still be handed out `remaining` times."""

    remaining: int


def summarize_kit(kit: Kit, key: KitId | None = None) -> KitSummary:
    """The summary of a kit; without a `key`, its number is its id."""
    shown = Counter(each.system for item in kit.items for each in item.translations)
    return KitSummary(
        id=kit.number if key is None else key,
        task=kit.task,
        number=kit.number,
        block=kit.block,
        group=kit.group,
        systems=dict(sorted(shown.items())),
        documents=frozenset(item.document for item in kit.items),
        references=any(item.references for item in kit.items),
    )


def available_kit(kit: Kit, key: KitId | None = None, *, remaining: int) -> AvailableKit:
    """The summary of a kit that can still be handed out so many times."""
    return AvailableKit(**msgspec.structs.asdict(summarize_kit(kit, key)), remaining=remaining)


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions under which a task's kits are handed out."""

    apart: bool = True
    """A judge gets each segment from one system only."""
    own_site: OwnSite = "include"
    judges: str = ""
    """An expression over a judge's tags, `group` and `site`."""
    unaided: bool = False
    """Translations are judged without source and reference: not by judges who know these."""
    sites: Mapping[str, str] = {}
    """The site that each system belongs to."""


def rules(
    plan: TaskPlan, protocol: Protocol, systems: Iterable[System], *, own_site: OwnSite = "include"
) -> Rules:
    """The rules of a task; `own_site` is the campaign's setting for systems of a judge's site."""
    return Rules(
        apart=keeps_apart(protocol, plan),
        own_site=own_site,
        judges=plan.judges,
        unaided=unaided(protocol),
        sites={system.name: system.site for system in systems},
    )


def eligible(kit: KitSummary, judge: Judge, had: Iterable[KitSummary], rules: Rules) -> bool:
    """Whether a judge may get a kit; `had` are all kits that they had in the campaign."""
    return not any(obstacles(kit, judge, had, rules))


def obstacles(
    kit: KitSummary, judge: Judge, had: Iterable[KitSummary], rules: Rules
) -> Iterator[str]:
    """The reasons, in words, why a judge may not get a kit; none if they may."""
    before = tuple(had)
    again = any((other.task, other.id) == (kit.task, kit.id) for other in before)
    same_block = any(other.block == kit.block for other in before)
    if kit.group not in ("", judge.group):
        yield "it is for another group of judges"
    if not admits(rules, judge):
        yield "the task asks for other judges"
    if again:
        yield "the judge has had it"
    # kits of a block have the same segments; the judge who had one knows the others' texts
    if rules.apart and same_block and not again:
        yield "the judge has had the same segments from other systems"
    if rules.own_site == "avoid" and _of_site(kit, judge.site, rules):
        yield "it holds systems of the judge's own site"
    if rules.unaided and any(_gives_away(other, kit) for other in before):
        yield "the judge has seen references of what is to be read without"


def admits(rules: Rules, judge: Judge) -> bool:
    """Whether a judge's tags, group and site are those that a task asks for."""
    if not rules.judges.strip():
        return True
    return holds(parse(rules.judges), traits(judge))


def traits(judge: Judge) -> dict[str, object]:
    """The names that an expression over judges may use, with this judge's values."""
    return {**judge.tags, "group": judge.group, "site": judge.site}


def unaided(protocol: Protocol) -> bool:
    """Whether some stage asks about a translation without its source or reference (fluency)."""
    return any(stage.questions and READING.issuperset(stage.show) for stage in protocol.stages)


def _of_site(kit: KitSummary, site: str, rules: Rules) -> bool:
    return bool(site) and any(rules.sites.get(system) == site for system in kit.systems)


def _gives_away(had: KitSummary, kit: KitSummary) -> bool:
    """Whether a kit that a judge had showed references of this kit's documents."""
    # blocks of one task share no segment, even where they share a document
    elsewhere = had.task == kit.task and had.block != kit.block
    return had.references and not elsewhere and not kit.documents.isdisjoint(had.documents)
