"""Deleting a campaign with everything that belongs to it; the site's log records who did it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Delete, Table, bindparam, delete, select

from jurat.store import store_settings
from jurat.store.campaigns import find
from jurat.store.database import Session
from jurat.store.schema import campaigns, kits, last_id, metadata, phases


def _statement(table: Table) -> Delete | None:
    """The statement that deletes a campaign's rows of a table; None for tables of the site."""
    wanted = bindparam("campaign_id", type_=campaigns.c.id.type)
    if table is campaigns:
        return delete(table).where(table.c.id == wanted)
    if "campaign_id" in table.c:
        return delete(table).where(table.c.campaign_id == wanted)
    # rows of a kit or an assignment, which belong to a campaign by that
    for key in table.foreign_keys:
        parent = key.column.table
        if "campaign_id" in parent.c:
            own = select(parent.c.id).where(parent.c.campaign_id == wanted)
            return delete(table).where(key.parent.in_(own))
    return None


# In the reverse order of their making: rows that refer to others go first.
STATEMENTS = [
    statement
    for table in reversed(metadata.sorted_tables)
    if (statement := _statement(table)) is not None
]


def remove(session: Session, campaign: str, *, author: str, now: datetime) -> None:
    """Delete a campaign, its accounts and judgments. Raises `NoSuchCampaign`."""
    number = find(session, campaign)
    for table in (campaigns, phases, kits):
        (following,) = session.reserve(table, 1)
        store_settings.keep(session, last_id(table), str(following - 1))
    for statement in STATEMENTS:
        session.run(statement, campaign_id=number)
    details = {"campaign": campaign}
    store_settings.log(session, "delete campaign", author=author, now=now, details=details)
