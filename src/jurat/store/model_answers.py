"""What model judges were asked and answered."""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, literal_column, select

from jurat.model import Item
from jurat.store.campaigns import find
from jurat.store.database import Conflict, Session
from jurat.store.encoding import from_json, from_time, to_json, to_time
from jurat.store.errors import AlreadyDecided, NoSuchItem
from jurat.store.judgment_overrides import ITEM
from jurat.store.records import ModelAnswer, NewModelAnswer
from jurat.store.schema import columns, insert_into, items, kits, model_answers, phases

ADD = insert_into(model_answers)
ONCE = select(model_answers.c.id).where(
    model_answers.c.campaign_id == bindparam("campaign_id"),
    model_answers.c.judge == bindparam("judge"),
    model_answers.c.kit_id == bindparam("kit_id"),
    model_answers.c.index == bindparam("at"),
    model_answers.c.swapped == bindparam("turned"),
    model_answers.c.error == literal_column("''"),
)
_OWN = (
    *("judge", "model", "error", "swapped", "settings", "messages", "answers"),
    *("attempts", "prompt_tokens", "answer_tokens", "cost", "asked_at", "seconds", "index"),
)
EVERY = (
    select(*columns(model_answers, *_OWN), phases.c.task, kits.c.number, items.c.content)
    .join(kits, kits.c.id == model_answers.c.kit_id)
    .join(phases, phases.c.id == kits.c.phase_id)
    .join(
        items, (items.c.kit_id == model_answers.c.kit_id) & (items.c.index == model_answers.c.index)
    )
    .where(model_answers.c.campaign_id == bindparam("campaign_id"))
    .order_by(model_answers.c.id)
)
_item = msgspec.json.Decoder(Item).decode


def add(session: Session, campaign: str, new: NewModelAnswer) -> bool:
    """Store an answer; false where this judge has already answered the item in this order.

    Raises `NoSuchItem` where the kit has no such item, and `AlreadyDecided` where another process
    stores the same answer at the same time.
    """
    campaign_id = find(session, campaign)
    place = {"task": new.task, "phase": "evaluation", "kit": new.kit, "index": new.index}
    found = session.one(ITEM, campaign_id=campaign_id, **place)
    if found is None:
        raise NoSuchItem(f"kit {new.kit} of the task {new.task} has no item {new.index}")
    own = {"campaign_id": campaign_id, "kit_id": found[0], "at": new.index}
    if not new.error and session.one(ONCE, judge=new.judge, turned=new.swapped, **own):
        return False
    try:
        session.run(
            ADD,
            campaign_id=campaign_id,
            kit_id=found[0],
            index=new.index,
            judge=new.judge,
            model=new.model,
            error=new.error,
            swapped=new.swapped,
            settings=to_json(new.settings),
            messages=to_json(new.messages),
            answers=to_json(new.answers),
            attempts=new.attempts,
            prompt_tokens=new.prompt_tokens,
            answer_tokens=new.answer_tokens,
            cost=new.cost,
            asked_at=to_time(new.asked_at),
            seconds=new.seconds,
        )
    except Conflict as error:
        # between the two statements another process has stored its answer
        raise AlreadyDecided("this judge has answered this item meanwhile") from error
    return True


def every(session: Session, campaign: str) -> tuple[ModelAnswer, ...]:
    """All answers of model judges, also those in vain, in the order in which they came."""
    made = []
    for *own, task, kit, content in session.all(EVERY, campaign_id=find(session, campaign)):
        told = dict(zip(_OWN, own, strict=True))
        for name in ("settings", "messages", "answers"):
            told[name] = from_json(told[name])
        told |= {"asked_at": from_time(told["asked_at"]), "swapped": bool(told["swapped"])}
        made.append(ModelAnswer(task=task, kit=kit, item=_item(content), **told))
    return tuple(made)
