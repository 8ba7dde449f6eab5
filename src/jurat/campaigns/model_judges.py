"""Model judges: what they are asked about a campaign, and their answers as tables.

A model judge judges every item of a task once, whatever people judge: it takes no kit, so that
nothing is taken from people, and its answers are kept apart from theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from jurat.campaigns.service_context import ServiceContext
from jurat.errors import input_error, quoted, unknown_name
from jurat.model import Item, Kit
from jurat.store import AlreadyDecided, ModelAnswer, NewModelAnswer

if TYPE_CHECKING:
    import polars as pl


class ModelTask(msgspec.Struct, frozen=True):
    """One item that a model judge is to judge, with the translations in the order shown."""

    task: str
    kit: int
    index: int
    item: Item
    swapped: bool

    @property
    def key(self) -> tuple[str, int, int, bool]:
        """What makes two of them the same."""
        return self.task, self.kit, self.index, self.swapped


class ModelJudges:
    """The part of the service that gives model judges their items and keeps their answers."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store

    def tasks(self, campaign: str, *, only: str | None = None) -> list[ModelTask]:
        """Every item of the evaluation, or of one task, once; pairs in both orders.

        Controls and repeats are left out: they tell about judges, not about systems.
        """
        protocols = self._context.definition(campaign).protocols
        if only is not None and only not in protocols:
            raise unknown_name("task", only, protocols)
        wanted = [name for name in protocols if only in (None, name)]
        return list(_tasks(self._store.kits(campaign), wanted))

    def answers(self, campaign: str, judge: str | None = None) -> list[ModelAnswer]:
        """What was asked and answered, of all model judges or one, also what was in vain."""
        found = self._store.model_answers(campaign)
        return [one for one in found if judge in (None, one.judge)]

    def open_tasks(
        self,
        campaign: str,
        judge: str,
        settings: Mapping[str, object],
        *,
        only: str | None = None,
    ) -> list[ModelTask]:
        """What a model judge has not answered yet.

        Raises `InputError` where its name is a person's, or where its earlier answers came with
        other settings: one judge is one model, asked in one way.
        """
        if any(account.pin == judge for account in self._store.judges(campaign)):
            raise input_error(f"{quoted(judge)} is the PIN of a person: name the judge otherwise")
        before = [one for one in self.answers(campaign, judge) if not one.error]
        for name, value in before[-1].settings.items() if before else ():
            if settings.get(name) != value:
                raise input_error(
                    f"{quoted(judge)} has answered with {name} {value}, not {settings.get(name)}:"
                    " name another judge with --judge"
                )
        known = {(one.task, one.kit, one.index, one.swapped) for one in before}
        return [one for one in self.tasks(campaign, only=only) if one.key not in known]

    def save(self, campaign: str, answer: NewModelAnswer) -> bool:
        """Store an answer; false where the same was stored before."""
        try:
            return self._store.add_model_answer(campaign, answer)
        except AlreadyDecided:
            return False

    def tables(self, campaign: str) -> dict[str, pl.DataFrame]:
        """The model judges' answers as long tables, each row with `judge_kind` model."""
        from jurat.campaigns.model_judge_tables import answer_tables

        given = [one for one in self._store.model_answers(campaign) if not one.error]
        return answer_tables(campaign, given, self._context.definition(campaign).protocols)

    def log_table(self, campaign: str) -> pl.DataFrame:
        """Every request as a row: prompt, raw answer, tokens, cost and what went wrong."""
        from jurat.campaigns.model_judge_tables import log_table

        return log_table(self._store.model_answers(campaign))


def turned(item: Item) -> Item:
    """The item with its translations in the reverse order."""
    return msgspec.structs.replace(item, translations=item.translations[::-1])


def _tasks(kits: Iterable[Kit], wanted: Sequence[str]) -> Iterator[ModelTask]:
    # not needed for judging, and it brings the tables' libraries
    from jurat.campaigns.answer_rows import item_name

    seen: set[tuple[str, str, frozenset[str]]] = set()
    for kit in kits:
        if kit.phase != "evaluation" or kit.task not in wanted:
            continue
        for index, item in enumerate(kit.items):
            systems = frozenset(shown.system for shown in item.translations)
            key = (kit.task, item_name(item), systems)
            if item.control or key in seen:
                continue
            seen.add(key)
            yield ModelTask(kit.task, kit.number, index, item, swapped=False)
            # the other order shows whether the model favours a side
            if len(item.translations) == 2:
                yield ModelTask(kit.task, kit.number, index, turned(item), swapped=True)
