"""What is declared of a campaign may change while it runs: every change is a new edition."""

from __future__ import annotations

from sqlalchemy import bindparam, func, insert, select

from jurat.errors import quoted
from jurat.store.campaigns import Signed, find, log
from jurat.store.database import Conflict, Session
from jurat.store.encoding import to_json
from jurat.store.errors import CampaignChanged
from jurat.store.schema import editions

LATEST = select(func.max(editions.c.number)).where(
    editions.c.campaign_id == bindparam("campaign_id")
)
ADD = insert(editions).values({c.name: bindparam(c.name) for c in editions.c}).inline()


def edition(session: Session, name: str) -> int:
    """The number of the last one; two reads of an index, nothing else."""
    return _latest(session, find(session, name))


def redeclare(
    session: Session,
    name: str,
    declared: tuple[int, str, object],
    signed: Signed,
    details: object,
) -> int:
    """Add an edition after the one of that number: title and declaration; its own number."""
    before, title, declaration = declared
    campaign_id = find(session, name)
    if _latest(session, campaign_id) != before:
        raise _changed(name)
    try:
        session.run(
            ADD,
            campaign_id=campaign_id,
            number=before + 1,
            title=title,
            declaration=to_json(declaration),
        )
    except Conflict as error:  # another process was quicker
        raise _changed(name) from error
    log(session, name, "change parameters", signed, details)
    return before + 1


def _latest(session: Session, campaign_id: int) -> int:
    row = session.one(LATEST, campaign_id=campaign_id)
    return row[0] if row and row[0] is not None else 1


def _changed(name: str) -> CampaignChanged:
    message = f"somebody has changed the campaign {quoted(name)} meanwhile"
    return CampaignChanged(f"{message}; look at it once more")
