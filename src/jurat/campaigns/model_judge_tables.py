"""The answers of model judges as long tables, and beside those of people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
import polars as pl

from jurat.campaigns.answer_rows import item_name, rows, stack, to_frame
from jurat.campaigns.model_judges import turned
from jurat.protocols import Protocol
from jurat.store import ModelAnswer
from jurat.tables.judge_kinds import JUDGE_KIND, MODEL, PERSON


def answer_tables(
    campaign: str, given: Sequence[ModelAnswer], protocols: Mapping[str, Protocol]
) -> dict[str, pl.DataFrame]:
    """The long tables of answers, each row with `judge_kind` model; `protocols` go by task."""
    made: dict[str, list[dict[str, object]]] = {}
    for number, one in enumerate(given, 1):
        for table, row in _rows(campaign, number, one, protocols[one.task]):
            made.setdefault(table, []).append(row)
    return {table: to_frame(table, values) for table, values in made.items()}


def log_table(asked: Iterable[ModelAnswer]) -> pl.DataFrame:
    """Every request as a row: prompt, raw answer, tokens, cost and what went wrong."""
    return pl.DataFrame(
        [
            {
                "judge": one.judge,
                "model": one.model,
                "task": one.task,
                "item": item_name(one.item),
                "swapped": one.swapped,
                "asked_at": one.asked_at,
                "seconds": one.seconds,
                "attempts": one.attempts,
                "prompt_tokens": one.prompt_tokens,
                "answer_tokens": one.answer_tokens,
                "cost": one.cost,
                "error": one.error or None,
                "settings": msgspec.json.encode(one.settings).decode(),
                "messages": msgspec.json.encode(one.messages).decode(),
            }
            for one in asked
        ],
        infer_schema_length=None,
    )


def with_models(
    people: Mapping[str, pl.DataFrame], models: Mapping[str, pl.DataFrame], *, every: bool
) -> dict[str, pl.DataFrame]:
    """The tables of both, one below the other, with a column `judge_kind`."""
    told = dict(people)
    for name in models if every else (n for n in models if n in ("judgments", "preferences")):
        own = people.get(name, pl.DataFrame())
        if own.height:
            own = own.with_columns(pl.lit(PERSON).alias(JUDGE_KIND))
        told[name] = stack(own, models[name])
    return told


def _rows(
    campaign: str, number: int, one: ModelAnswer, protocol: Protocol
) -> Iterator[tuple[str, dict[str, object]]]:
    item = turned(one.item) if one.swapped else one.item
    own: dict[str, object] = {
        "campaign": campaign,
        "task": one.task,
        "phase": "evaluation",
        "judge": one.judge,
        "position": number,
        "decided_at": one.asked_at,
        "seconds": one.seconds,
        "status": "valid",
        "kit": one.kit,
        JUDGE_KIND: MODEL,
        "model": one.model,
    }
    lengths = [len(shown.text) for shown in item.translations]
    for table, values in rows(protocol, one.answers, item).items():
        for row in values:
            # what is asked of one of several translations says which by its place
            place = row.get("slot")
            slot = place if isinstance(place, int) else 1 if len(lengths) == 1 else 0
            known = table == "judgments" and slot and row["segment"] == item.segment
            told = {"characters": lengths[slot - 1]} if known else {}
            yield table, {**row, **own, **told}
