"""What judges say of themselves before and after judging."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, delete, select

from jurat.store.campaigns import find
from jurat.store.database import Session
from jurat.store.encoding import from_json, from_time, to_json, to_time
from jurat.store.errors import NoSuchJudge
from jurat.store.records import Answers, QuestionnaireAnswer, QuestionnaireMoment
from jurat.store.schema import columns, insert_into, judges, questionnaires

ADD = insert_into(questionnaires)
REMOVE = delete(questionnaires).where(
    questionnaires.c.judge_id == bindparam("judge_id"),
    questionnaires.c.moment == bindparam("moment"),
)
JUDGE = (
    select(judges.c.id)
    .where(judges.c.campaign_id == bindparam("campaign_id"), judges.c.key == bindparam("judge"))
    .with_for_update()
)
EVERY = (
    select(
        judges.c.pin,
        *columns(questionnaires, "moment", "answers", "consent", "language", "answered_at"),
    )
    .join(judges, judges.c.id == questionnaires.c.judge_id)
    .where(questionnaires.c.campaign_id == bindparam("campaign_id"))
    .order_by(questionnaires.c.id)
)
ANSWERED = (
    select(questionnaires.c.moment)
    .join(judges, judges.c.id == questionnaires.c.judge_id)
    .where(judges.c.campaign_id == bindparam("campaign_id"), judges.c.key == bindparam("judge"))
)


def answer(
    session: Session,
    campaign: str,
    judge: str,
    moment: QuestionnaireMoment,
    answers: Answers,
    *,
    consent: str,
    language: str,
    now: datetime,
) -> None:
    """Store a judge's answers; those given before are replaced. Raises `NoSuchJudge`."""
    campaign_id = find(session, campaign)
    row = session.one(JUDGE, campaign_id=campaign_id, judge=judge)
    if row is None:
        raise NoSuchJudge("there is no such account in this campaign")
    session.run(REMOVE, judge_id=row[0], moment=moment)
    session.run(
        ADD,
        campaign_id=campaign_id,
        judge_id=row[0],
        moment=moment,
        answers=to_json(answers),
        consent=consent,
        language=language,
        answered_at=to_time(now),
    )


def answered(session: Session, campaign: str, judge: str) -> frozenset[str]:
    """Which questionnaires a judge has answered."""
    rows = session.all(ANSWERED, campaign_id=find(session, campaign), judge=judge)
    return frozenset(str(row[0]) for row in rows)


def every(session: Session, campaign: str) -> tuple[QuestionnaireAnswer, ...]:
    """All answers, in the order in which they came."""
    return tuple(
        QuestionnaireAnswer(
            judge=pin,
            moment=moment,
            answers=from_json(answers),
            consent=consent,
            language=language,
            answered_at=from_time(answered_at),
        )
        for pin, moment, answers, consent, language, answered_at in session.all(
            EVERY, campaign_id=find(session, campaign)
        )
    )
