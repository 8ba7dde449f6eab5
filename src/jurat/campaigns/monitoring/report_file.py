"""The report of a campaign as an HTML file, made by the worker."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from jurat.campaigns.task_facts import task_facts
from jurat.errors import counted

if TYPE_CHECKING:
    from jurat.campaigns.create import CampaignDefinition
    from jurat.campaigns.monitoring.filters import Filter
    from jurat.campaigns.monitoring.sections import DataVersion
    from jurat.campaigns.monitoring.worker import WorkerState
    from jurat.campaigns.service import Service


class ReportFile(NamedTuple):
    """The content of the file, and the judgments it was made from."""

    as_of: DataVersion
    content: bytes
    """Empty where there are no judgments."""
    judgments: int = 0
    """Those that the report names, which skipped items and the filter leave."""


def make_report(state: WorkerState, campaign: str, chosen: Filter) -> ReportFile:
    """The report of the judgments that a filter leaves."""
    from jurat.report.compute import compute, steps
    from jurat.report.page import to_html
    from jurat.report.settings import ReportSettings, report_date

    as_of, left = state.tables(campaign).as_of, state.filtered(campaign, chosen)
    if not left.evaluation.judged.height + left.evaluation.compared.height:
        return ReportFile(as_of, b"")
    facts = campaign_facts(state.definition(campaign))
    facts["design"] |= {f"Filter: {name}": value for name, value in chosen.fields()}
    settings = ReportSettings(
        **facts,
        models=state.with_models(campaign, chosen),
        made=report_date(),
    )
    done, every = count(1), steps()
    report = compute(
        left.evaluation, settings, lambda: state.progress(min(next(done) / every, 1.0))
    )
    return ReportFile(as_of, to_html(report), report.judgments)


def campaign_facts(definition: CampaignDefinition) -> dict[str, Any]:
    """The settings of a report that a campaign itself tells: title, texts, tasks, and groups."""
    plan, protocols = definition.plan, definition.protocols
    design: Mapping[str, str] = {
        f"Task {task.name}": (
            f"{protocol.title} (protocol {protocol.name}, version {protocol.version}); "
            f"{counted(task.wanted, 'judgment')} of every item"
        )
        for task in plan.tasks
        if (protocol := protocols[task.name])
    }
    return {
        "title": plan.title or plan.name,
        "test_set": definition.test_set,
        "design": design,
        "tasks": tuple(task_facts(plan, task, protocols[task.name]) for task in plan.tasks),
        "study": plan.report,
        "contact": ", ".join(filter(None, (plan.contact.name, plan.contact.address))),
        "citations": tuple(protocol.citation for protocol in protocols.values()),
        "group": "reference" if any(task.groups for task in plan.tasks) else "",
    }


def planned_facts(service: Service, campaign: str) -> dict[str, Any]:
    """The settings of a report that tell what was planned beside what was done."""
    frozen = service.campaigns.frozen(campaign)
    rows = service.campaigns.planned_and_done(campaign)
    return {
        "frozen": str(frozen) if frozen else "",
        "planned": tuple((row.what, row.planned, row.done) for row in rows),
    }
