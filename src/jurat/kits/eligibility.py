"""Which kits a judge may get at all; which of them he gets is a policy's choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from jurat.expressions import holds, parse
from jurat.kits.brief import keeps_apart
from jurat.kits.cards import Card
from jurat.kits.plan import TaskPlan
from jurat.model import Judge, System
from jurat.protocols import Protocol

OwnSite = Literal["include", "avoid"]
"""A judge's own site's systems are blindly among what he judges, or kept away from him."""

READING = frozenset({"translation", "context"})


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What a task demands of whoever gets its kits."""

    apart: bool = True
    """A judge gets each segment from one system only."""
    own_site: OwnSite = "include"
    judges: str = ""
    """An expression over a judge's tags, `group` and `site`."""
    unaided: bool = False
    """A translation is read with no help: not by those who know the reference already."""
    sites: Mapping[str, str] = {}
    """Whose each system is."""


def rules(
    plan: TaskPlan, protocol: Protocol, systems: Iterable[System], *, own_site: OwnSite = "include"
) -> Rules:
    """The rules of a task, from its plan, its protocol and the campaign's word on own sites."""
    return Rules(
        apart=keeps_apart(protocol, plan),
        own_site=own_site,
        judges=plan.judges,
        unaided=unaided(protocol),
        sites={system.name: system.site for system in systems},
    )


def eligible(kit: Card, judge: Judge, had: Iterable[Card], rules: Rules) -> bool:
    """Whether a judge may get a kit, after all those that he has had in the campaign."""
    return not any(obstacles(kit, judge, had, rules))


def obstacles(kit: Card, judge: Judge, had: Iterable[Card], rules: Rules) -> Iterator[str]:
    """Everything for which a judge may not get a kit, in words."""
    before = tuple(had)
    again = any((other.task, other.id) == (kit.task, kit.id) for other in before)
    same_block = any(other.block == kit.block for other in before)
    if kit.group not in ("", judge.group):
        yield "it is for another group of judges"
    if not admits(rules, judge):
        yield "the task asks for other judges"
    if again:
        yield "the judge has had it"
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
    """What an expression over judges can speak of."""
    return {**judge.tags, "group": judge.group, "site": judge.site}


def unaided(protocol: Protocol) -> bool:
    """Whether something is asked while nothing but the translation is seen, as fluency is."""
    return any(stage.questions and READING.issuperset(stage.show) for stage in protocol.stages)


def _of_site(kit: Card, site: str, rules: Rules) -> bool:
    return bool(site) and any(rules.sites.get(system) == site for system in kit.systems)


def _gives_away(had: Card, kit: Card) -> bool:
    """Whether a kit showed references of another's documents.

    Blocks of one task share no segment, even where they share a document.
    """
    elsewhere = had.task == kit.task and had.block != kit.block
    return had.references and not elsewhere and not kit.documents.isdisjoint(had.documents)
