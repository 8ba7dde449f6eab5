"""Which judges need a coordinator's attention, and why: a code with numbers for each reason.

Pages say the codes in the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from jurat.campaigns.monitoring.judge_speed import Speed

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.progress import JudgeProgress

# Who has something to do and was not seen for so long is idle.
IDLE_AFTER = timedelta(days=3)
# Kits that a judge left, from which on it is worth a word.
MANY_ABANDONED = 2


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """Something about a judge or a campaign that needs attention."""

    code: str
    """Identifies the text in `locales/`."""
    values: Mapping[str, str | int] = {}
    """The numbers in the text; `count` chooses the plural form."""


def attention_remarks(
    judge: JudgeProgress, speeds: Mapping[str, Speed], now: datetime
) -> Iterator[Remark]:
    """Why a judge needs attention; `speeds` are those of judges who are unusually fast or slow."""
    account = judge.account
    if account.disabled:
        yield Remark(code="disabled")
        return
    if account.pending:
        yield Remark(code="pending")
    if account.locked_until and account.locked_until > now:
        yield Remark(code="locked")
    if judge.has_work:
        yield from _idle(judge, now)
    # what a coordinator took from them says nothing about the judge
    if judge.abandoned >= MANY_ABANDONED:
        yield Remark(code="abandoned", values={"count": judge.abandoned})
    if account.id in speeds:
        yield Remark(code=speeds[account.id])


def _idle(judge: JudgeProgress, now: datetime) -> Iterator[Remark]:
    span = now - (judge.last_seen or judge.account.created)
    if span < IDLE_AFTER:
        return
    if judge.last_seen is None:
        yield Remark(code="never")
    else:
        yield Remark(code="idle", values={"count": span.days})
