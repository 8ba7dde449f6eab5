"""What was planned, recorded before judging with a hash, beside what was done.

The record is an entry of the campaign's log, so that it is in every archive. Its hash can be
published, or sent to somebody, before the first judgment: nobody can change the plan unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

import msgspec

from jurat.campaigns.create import CampaignDefinition
from jurat.deserialize import convert
from jurat.errors import counted
from jurat.store import AuditEntry
from jurat.store.records import PhaseTally

ACTION = "freeze"
# What a campaign may change without changing what is measured.
FREE = (
    "title",
    "contact",
    "report",
    "deadline",
    "welcome",
    "language",
    "questionnaires",
    "platform",
)


class Frozen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plan as it was recorded."""

    at: datetime
    test_set: str
    """The hash of the texts."""
    tutorial: str
    protocols: dict[str, str]
    """Name and version of the protocol of each task."""
    rules: str
    """The hash of the tasks and of all other rules in `campaign.yaml`."""
    exclusions: str
    analysis: str
    stopping: str
    decisions: int
    """How many decisions there were already."""

    @property
    def hash(self) -> str:
        """The hash of the record itself."""
        return _hash(self)

    def __str__(self) -> str:
        begun = f", after {counted(self.decisions, 'judgment')}" if self.decisions else ""
        return f"planned {self.at:%Y-%m-%d %H:%M} UTC{begun}, hash {self.hash}"


class PlannedRow(NamedTuple):
    """A part of a plan beside what was done."""

    what: str
    planned: str
    done: str
    changed: bool = False


def freeze(
    definition: CampaignDefinition,
    *,
    now: datetime,
    exclusions: str,
    analysis: str,
    stopping: str,
    decisions: int,
) -> Frozen:
    """The record of a campaign as it is declared now."""
    return Frozen(
        at=now.replace(microsecond=0),
        test_set=_hash(definition.test_set),
        tutorial=_hash(definition.tutorial) if definition.tutorial else "",
        protocols={
            task: f"{protocol.name} {protocol.version}"
            for task, protocol in definition.protocols.items()
        },
        rules=_rules(definition),
        exclusions=exclusions,
        analysis=analysis,
        stopping=stopping or _stopping(definition),
        decisions=decisions,
    )


def recorded(log: Sequence[AuditEntry]) -> list[Frozen]:
    """The plans in a campaign's log, the latest last."""
    return [convert(entry.details, Frozen) for entry in log if entry.action == ACTION]


def compared(
    frozen: Frozen, definition: CampaignDefinition, phases: Sequence[PhaseTally]
) -> Iterator[PlannedRow]:
    """What was planned, and what is so now."""
    now = freeze(
        definition,
        now=frozen.at,
        exclusions=frozen.exclusions,
        analysis=frozen.analysis,
        stopping=frozen.stopping,
        decisions=frozen.decisions,
    )
    for what, name in (("Test set", "test_set"), ("Tutorial", "tutorial"), ("Rules", "rules")):
        before, after = getattr(frozen, name), getattr(now, name)
        if before or after:
            yield PlannedRow(what, _short(before), _state(before, after), before != after)
    for task in dict.fromkeys((*frozen.protocols, *now.protocols)):
        before, after = frozen.protocols.get(task, ""), now.protocols.get(task, "")
        yield PlannedRow(f"Protocol of {task}", before, _state(before, after), before != after)
    yield PlannedRow("Stopping rule", frozen.stopping, _decided(phases))
    yield PlannedRow("Exclusion rules", frozen.exclusions, "see judges, and data and method")
    yield PlannedRow("Analysis", frozen.analysis, "see data and method")


def _short(text: str) -> str:
    return text[:16] or "none"


def _state(before: str, after: str) -> str:
    return "the same" if before == after else f"changed: {after[:48] or 'none'}"


def _decided(phases: Sequence[PhaseTally]) -> str:
    parts = [
        f"{one.task}: {one.judged:,} of {one.wanted_decisions:,} judgments"
        for one in phases
        if one.phase == "evaluation"
    ]
    return "; ".join(parts)


def _stopping(definition: CampaignDefinition) -> str:
    return "; ".join(
        f"{task.name}: {counted(task.wanted, 'judgment')} of every item"
        for task in definition.plan.tasks
    )


def _rules(definition: CampaignDefinition) -> str:
    """The hash of everything that is declared, but for names and what people read."""
    plan = msgspec.to_builtins(definition.plan)
    return _hash({name: value for name, value in plan.items() if name not in FREE})


def _hash(content: object) -> str:
    # sorted, so that the same content has the same bytes on every machine
    return sha256(msgspec.json.encode(content, order="sorted")).hexdigest()
