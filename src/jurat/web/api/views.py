"""Segments, adjudication, reminders, questionnaires and the report, as the pages show them."""

from __future__ import annotations

import math
from typing import Any

import msgspec
from starlette.exceptions import HTTPException

from jurat.api_types import FilterQuery, Pending
from jurat.api_types.adjudication import (
    AdjudicatedJudge,
    AdjudicationQuery,
    AdjudicationTask,
    OpenCase,
)
from jurat.api_types.reminders import DueReminder, RemindedJudges, RemindJudges
from jurat.api_types.segments import (
    SegmentDetails,
    SegmentItem,
    SegmentPage,
    SegmentQuery,
    SegmentsQuery,
    TranslationItem,
)
from jurat.campaigns.adjudication import Contest
from jurat.campaigns.monitoring.adjudication_view import JudgeAgreement
from jurat.campaigns.monitoring.cached_results import CachedValue
from jurat.campaigns.monitoring.reminders import Reminder
from jurat.campaigns.monitoring.segment_scores import SegmentScore
from jurat.web.api.operation import ApiCall, Download, operation, picked
from jurat.web.coordinator.adjudication import MAX_SHOWN, settled_counts
from jurat.web.coordinator.results_filter import read_filter
from jurat.web.coordinator.segments import PAGE_SIZE, SegmentRow, search

HTML = "text/html; charset=utf-8"


def _current(found: CachedValue[Any]) -> Any:
    """The value, or that it is being computed; an old one is not given for the present one."""
    if found.failed:
        raise HTTPException(503)
    if found.value is None or found.computing:
        return Pending(progress=found.progress)
    return found.value


@operation("GET", "/campaigns/{campaign}/segments", "read")
def list_segments(call: ApiCall, query: SegmentsQuery) -> SegmentPage | Pending:
    """Segments with their scores, in the order of the test set; 202 while they are computed."""
    results = call.service.monitoring.results
    found = _current(results.segment_scores(call.campaign, query.question))
    if isinstance(found, Pending):
        return found
    test_set = call.service.campaigns.test_set(call.campaign)
    rows = list(search(test_set, query.words, query.document))
    shown = rows[(query.page - 1) * PAGE_SIZE : query.page * PAGE_SIZE]
    return SegmentPage(
        question=found.question,
        questions=found.questions,
        count=len(rows),
        segments=tuple(
            _segment(row, found.scores.get((row.document, row.segment))) for row in shown
        ),
    )


def _segment(row: SegmentRow, score: SegmentScore | None) -> SegmentItem:
    told = {name: getattr(score, name, None) for name in ("mean", "spread", "disagreement")}
    return SegmentItem(
        document=row.document,
        segment=row.segment,
        text=row.text,
        n=score.n if score else 0,
        by_system=dict(score.by_system) if score else {},
        **told,
    )


@operation("GET", "/campaigns/{campaign}/segment", "read")
def show_segment(call: ApiCall, query: SegmentQuery) -> SegmentDetails | Pending:
    """A segment, or a document: texts, every judgment and metric scores."""
    results = call.service.monitoring.results
    found = _current(results.segment(call.campaign, query.document, query.segment))
    if isinstance(found, Pending):
        return found
    shown = tuple(picked(one, TranslationItem) for one in found.translations)
    return picked(found, SegmentDetails, translations=shown)


@operation("GET", "/campaigns/{campaign}/adjudication", "read")
def list_open_cases(call: ApiCall, query: AdjudicationQuery) -> list[AdjudicationTask]:
    """Items on which judges differ, by task; adjudicators settle them on their own pages."""
    service, settled = call.service, settled_counts(call.service, call.campaign)
    told = []
    for task in service.campaigns.plan(call.campaign).tasks:
        cases = service.adjudication.contested(call.campaign, task.name, more_than=query.more_than)
        tolerance = service.campaigns.protocol(call.campaign, task.name).tolerance
        told.append(
            AdjudicationTask(
                task=task.name,
                more_than=tolerance if query.more_than is None else query.more_than,
                open=len(cases),
                settled=settled[task.name],
                cases=tuple(map(_case, cases[:MAX_SHOWN])),
            )
        )
    return told


def _case(one: Contest) -> OpenCase:
    return OpenCase(
        phase=one.phase,
        kit=one.kit,
        document=one.item.document,
        segment=one.item.segment,
        systems=tuple(shown.system for shown in one.item.translations),
        answers=tuple(map(dict, one.answers)),
        distance=one.distance if math.isfinite(one.distance) else None,
    )


@operation("GET", "/campaigns/{campaign}/adjudication/agreement", "read")
def show_adjudicated_agreement(call: ApiCall) -> list[AdjudicatedJudge] | Pending:
    """How far each judge agrees with the adjudicators; 202 while it is computed."""
    found = _current(call.service.monitoring.results.adjudication(call.campaign))
    if isinstance(found, Pending):
        return found
    return [
        _agreement(task, one.question, judge)
        for task, questions in found.tasks.items()
        for one in questions
        for judge in (one.everyone, *one.judges)
    ]


def _agreement(task: str, question: str, one: JudgeAgreement) -> AdjudicatedJudge:
    estimates = {name: getattr(one, name) for name in ("within", "apart", "above")}
    return AdjudicatedJudge(
        task=task,
        question=question,
        judge=one.judge,
        cases=one.cases,
        same=one.same.value,
        **{name: each and each.value for name, each in estimates.items()},
    )


@operation("GET", "/campaigns/{campaign}/reminders", "judges")
def list_reminders(call: ApiCall) -> list[DueReminder]:
    """The judges who need a reminder, longest first, with the text of an email."""
    return [_reminder(one) for one in _due(call)]


def _due(call: ApiCall) -> list[Reminder]:
    return call.service.monitoring.reminders(call.campaign, link=call.login_address)


def _reminder(one: Reminder) -> DueReminder:
    return DueReminder(**msgspec.structs.asdict(one.email), last=one.last)


@operation("POST", "/campaigns/{campaign}/reminders", "judges")
def remind_judges(call: ApiCall, body: RemindJudges) -> RemindedJudges:
    """Mail reminders to those judges who are due, or log that the script has sent them.

    Others are left out: somebody may have reminded them since.
    """
    emails = [one.email for one in _due(call) if one.email.pin in body.pins]
    mail_server = call.site.mail_server if body.by == "mail" else None
    failed = call.service.monitoring.remind(
        call.campaign, emails, mail_server=mail_server, author=call.author
    )
    reminded = tuple(email.pin for email in emails if email.pin not in failed)
    return RemindedJudges(reminded=reminded, failed=failed)


@operation("GET", "/campaigns/{campaign}/questionnaires", "judges")
def list_questionnaire_answers(call: ApiCall) -> list[dict[str, Any]]:
    """What judges said about themselves, a row for each answer."""
    return list(call.service.questionnaires.table(call.campaign).to_dicts())


@operation("GET", "/campaigns/{campaign}/report", "read", media_type=HTML)
def download_report(
    call: ApiCall,
    query: FilterQuery,  # noqa: ARG001 - checked before, and read from the address as on the page
) -> Download | Pending:
    """The report as one self-contained page, with the filters of the results; 202 before."""
    found = _current(call.service.monitoring.results.report(call.campaign, read_filter(call)))
    if isinstance(found, Pending):
        return found
    if not found.content:
        raise HTTPException(404)
    return Download(found.content, f"{call.campaign}-report.html", HTML)
