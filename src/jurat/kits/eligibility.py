"""Which kits a judge may get, from summaries of the kits; a policy chooses the next of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec

from jurat.condition_language import holds, parse
from jurat.kits.task_plan import TaskPlan, keeps_apart
from jurat.model import Judge, Kit, System
from jurat.protocols import Protocol

# Whether judges get translations by systems of their own site (blindly) or not.
OwnSite = Literal["include", "avoid"]

# What a stage may show if the translation is to be judged on its own.
READING = frozenset({"translation", "context"})

# The id of a kit in the store, or its number.
KitId: TypeAlias = "int | str"


class KitSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a kit without its items: its group, block, systems and documents."""

    id: KitId
    task: str
    number: int
    block: str
    group: str = ""
    systems: Mapping[str, int] = {}
    """The number of items that show each system."""
    documents: frozenset[str] = frozenset()
    references: bool = False
    """Whether it shows references."""


class AvailableKit(KitSummary, frozen=True, kw_only=True):
    """A kit that can still be assigned `remaining` times."""

    remaining: int


def summarize_kit(kit: Kit, key: KitId | None = None) -> KitSummary:
    """The summary of a kit; without a `key`, its number is its id."""
    translations = (each for item in kit.items for each in item.translations)
    shown = Counter(system for each in translations for system in each.systems)
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
    """The summary of a kit that can still be assigned `remaining` times."""
    return AvailableKit(**msgspec.structs.asdict(summarize_kit(kit, key)), remaining=remaining)


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a task about who may get its kits."""

    apart: bool = True
    """Whether a judge gets each segment from one system only."""
    own_site: OwnSite = "include"
    judges: str = ""
    """A condition on a judge's tags, `group` and `site`."""
    unaided: bool = False
    """Whether translations are judged alone, by judges who have not seen their references."""
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


class HadKits:
    """All kits that a judge has had, in the form in which many other kits are checked by them."""

    def __init__(self, had: Iterable[KitSummary]) -> None:
        before = tuple(had)
        self.ids = {(one.task, one.id) for one in before}
        self.blocks = {one.block for one in before}
        self.with_references = [one for one in before if one.references]


def eligible(
    kit: KitSummary, judge: Judge, had: Iterable[KitSummary] | HadKits, rules: Rules
) -> bool:
    """Whether a judge may get a kit; `had` are all kits that they have had in the campaign."""
    return not any(obstacles(kit, judge, had, rules))


def obstacles(
    kit: KitSummary, judge: Judge, had: Iterable[KitSummary] | HadKits, rules: Rules
) -> Iterator[str]:
    """The reasons why a judge may not get a kit, in words; none if they may."""
    past = had if isinstance(had, HadKits) else HadKits(had)
    again = (kit.task, kit.id) in past.ids
    same_block = kit.block in past.blocks
    if kit.group not in ("", judge.group):
        yield "it is for another group of judges"
    if not admits(rules, judge):
        yield "the task asks for other judges"
    if again:
        yield "the judge has had it"
    # kits of a block have the same segments from other systems
    if rules.apart and same_block and not again:
        yield "the judge has had the same segments from other systems"
    if rules.own_site == "avoid" and _of_site(kit, judge.site, rules):
        yield "it holds systems of the judge's own site"
    # judges remember references, whichever task has shown them
    if rules.unaided and any(_gives_away(other, kit) for other in past.with_references):
        yield "the judge has seen references of translations that are judged without"


def admits(rules: Rules, judge: Judge) -> bool:
    """Whether a judge meets the task's condition on judges."""
    if not rules.judges.strip():
        return True
    return holds(parse(rules.judges), traits(judge))


def traits(judge: Judge) -> dict[str, object]:
    """The values of a judge that a condition on judges can use, by name."""
    return {**judge.tags, "group": judge.group, "site": judge.site}


def unaided(protocol: Protocol) -> bool:
    """Whether a stage asks about the translation alone, as for fluency."""
    return any(stage.questions and READING.issuperset(stage.show) for stage in protocol.stages)


def _of_site(kit: KitSummary, site: str, rules: Rules) -> bool:
    return bool(site) and any(rules.sites.get(system) == site for system in kit.systems)


def _gives_away(had: KitSummary, kit: KitSummary) -> bool:
    """Whether an earlier kit that has shown references has shown those of this kit's documents."""
    # blocks of one task share no segment, even where they share a document
    elsewhere = had.task == kit.task and had.block != kit.block
    return not elsewhere and not kit.documents.isdisjoint(had.documents)
