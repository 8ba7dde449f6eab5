"""Progress, results, judgments as they come, and exports."""

from __future__ import annotations

import msgspec
from starlette.exceptions import HTTPException

from jurat.api_types import (
    CampaignProgress,
    ExpectedEnd,
    FeedQuery,
    JudgeStatus,
    Pending,
    PhaseProgress,
    RemarkItem,
    ResultList,
    ResultsQuery,
    TimelineCounts,
    TimelineQuery,
)
from jurat.campaigns.export_files import FORMATS, KINDS
from jurat.campaigns.monitoring.on_track import on_track
from jurat.campaigns.monitoring.progress import JudgeProgress
from jurat.web.api.campaigns import JSON_LINES, YAML
from jurat.web.api.operation import ZIP, ApiCall, Download, converted, operation
from jurat.web.coordinator.results_filter import read_filter
from jurat.yamlfile import dump

# The header of the judgments' feed that says where to go on.
CURSOR = "X-Cursor"


@operation("GET", "/campaigns/{campaign}/progress", "read")
def show_progress(call: ApiCall) -> CampaignProgress:
    """How far the campaign and every judge are, and when it will be complete."""
    status = call.service.monitoring.status(call.campaign)
    deadline = call.service.campaigns.plan(call.campaign).last_day
    track = on_track(status, deadline)
    return CampaignProgress(
        on_track=track.code,
        level=track.level,
        deadline=deadline,
        done=status.done,
        wanted=status.wanted,
        phases=converted(status.phases, tuple[PhaseProgress, ...]),
        judges=tuple(map(_judge, status.judges)),
        forecast=converted(status.forecast, ExpectedEnd),
        hours_left=status.hours_left,
        remarks=converted(status.remarks, tuple[RemarkItem, ...]),
        last=status.last,
        now=status.now,
        skipped=status.skipped,
    )


def _judge(one: JudgeProgress) -> JudgeStatus:
    left = one.time_left
    return JudgeStatus(
        pin=one.account.pin,
        done=one.done,
        left=one.left,
        decisions=one.decisions,
        returned=one.returned,
        last_seen=one.last_seen,
        seconds=one.seconds,
        hours_left=left.total_seconds() / 3600 if left is not None else None,
        remarks=converted(one.remarks, tuple[RemarkItem, ...]),
        skipped=one.skipped,
    )


@operation("GET", "/campaigns/{campaign}/timeline", "read")
def show_timeline(call: ApiCall, query: TimelineQuery) -> TimelineCounts:
    """Judgments day by day or hour by hour, of all and of each judge."""
    found = call.service.monitoring.timeline(call.campaign, query.per, query.page)
    if found is None:
        return TimelineCounts(starts=(), totals=(), judges={}, earlier=False)
    return TimelineCounts(
        starts=found.starts,
        totals=found.totals,
        judges={one.account.pin: one.counts for one in found.judges},
        earlier=found.earlier,
    )


@operation("GET", "/campaigns/{campaign}/results", "read")
def show_results(call: ApiCall, query: ResultsQuery) -> ResultList | Pending:
    """Results so far, as the commands write them; 202 while they are computed."""
    chosen, cached = read_filter(call), call.service.monitoring.results
    found = (
        cached.section(call.campaign, query.section, chosen)
        if query.section
        else cached.summary(call.campaign, chosen)
    )
    if found.failed:
        raise HTTPException(503)
    # results of earlier judgments are not given: a script would take them for the present ones
    if found.value is None or found.computing:
        return Pending(progress=found.progress)
    as_of = found.value.as_of
    return ResultList(
        version=as_of.version,
        decisions=as_of.judgments,
        last=as_of.last,
        excluded=found.value.excluded,
        results=tuple(
            row
            for part in found.value.sections.values()
            for result in part
            for row in result.to_dicts()
        ),
    )


@operation("GET", "/campaigns/{campaign}/judgments", "read", media_type=JSON_LINES)
def follow_judgments(call: ApiCall, query: FeedQuery) -> Download:
    """Judgments as they come: the rows of the decisions after `after`, as JSON Lines.

    Each line has its `table`, the columns of the export, and the `number` of its decision. The
    header X-Cursor has the number to go on from; a response without lines means that there is
    nothing new. A changed answer comes again with a higher `revision`.
    """
    feed = call.service.campaigns.judgments_after(call.campaign, query.after, most=query.most)
    lines = msgspec.json.Encoder().encode_lines(feed.rows)
    return Download(
        lines, f"{call.campaign}-judgments.jsonl", JSON_LINES, {CURSOR: str(feed.cursor)}
    )


@operation("GET", "/campaigns/{campaign}/export/{kind}", "read", media_type=ZIP)
def export_judgments(call: ApiCall) -> Download:
    """All judgments in a zip: csv, jsonl, parquet, or as the files of another tool."""
    kind = str(call.request.path_params["kind"])
    if kind not in (*KINDS, *FORMATS):
        raise HTTPException(404)
    file = call.service.exports.judgments(call.campaign, kind)
    return Download(file, f"{call.campaign}.{kind}.zip", ZIP)


@operation("GET", "/campaigns/{campaign}/campaign.yaml", "read", media_type=YAML)
def download_declaration(call: ApiCall) -> Download:
    """The campaign.yaml, with all changes made since."""
    found = call.service.campaigns.get(call.campaign)
    return Download(dump(found.declaration).encode(), "campaign.yaml", YAML)
