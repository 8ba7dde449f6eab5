"""What judges' scores say about the order of systems on a segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from jurat import protocols
from jurat.protocols import Protocol
from jurat.protocols.questions import Question
from jurat.stats.evaluation import DAMAGED, Evaluation
from jurat.stats.ratings import EARLIER

SEGMENT = ("document", "segment")
"""What a preference and a judgment of the same sentence have in common."""
MOST_ANSWERS = 1000
"""Combinations of answers that may have a place in an order."""


class Order(NamedTuple):
    """Where every translation stands: a row a segment and system.

    `place` is the lower the better, `category` the number of the leading question, `told` the
    answers in words. Adjudicated answers count where there are any, else the mean of the judges'.
    """

    name: str
    frame: pl.DataFrame
    keys: tuple[str, ...]


def orders(evaluation: Evaluation, protocol: Protocol | None = None) -> Iterator[Order]:
    """The protocol's order where one is given or fits, else one by each question's numbers."""
    rows = _judged(evaluation)
    keys = segment_keys(rows, evaluation.compared)
    if not keys or "system" not in rows.columns or rows.is_empty():
        return
    for candidate in [protocol] if protocol else _with_an_order(rows):
        answers = _answers(rows, candidate, keys)
        places = _places(answers, candidate, strict=protocol is None)
        if places is not None:
            yield Order(candidate.name, _settled(places, keys), keys)
            return
    for question, of_question in _numeric(rows):
        score = of_question.with_columns(
            place=-pl.col("value"), category=pl.col("value"), told=pl.col("value").cast(pl.String)
        )
        yield Order(question, _settled(score, keys), keys)


def segment_keys(judged: pl.DataFrame, compared: pl.DataFrame) -> tuple[str, ...]:
    """The columns by which a segment is known in both tables."""
    both = {*judged.columns} & {*compared.columns}
    return tuple(n for n in SEGMENT if n in both) or (("item",) if "item" in both else ())


def _judged(evaluation: Evaluation) -> pl.DataFrame:
    """What judges and adjudicators said of true translations, without "not applicable"."""
    rows = evaluation.judged
    if rows.is_empty():
        return rows
    if "control" in rows.columns:
        rows = rows.filter(pl.col("control").cast(pl.String).ne_missing(DAMAGED))
    return rows.filter(~pl.col("na")).with_columns(pl.col("status").fill_null("valid"))


def _with_an_order(rows: pl.DataFrame) -> Iterator[Protocol]:
    """Protocols that order answers to questions which were asked."""
    asked = set(rows["question"].unique())
    for name in protocols.names():
        protocol = protocols.load(name)
        if protocol.order and {q for place in protocol.order for q in place} <= asked:
            yield protocol


def _ordered(protocol: Protocol) -> list[Question]:
    """The questions that the order speaks of, the leading one first."""
    named = dict.fromkeys(name for place in protocol.order for name in place)
    return [protocol.questions[name] for name in named]


def _answers(rows: pl.DataFrame, protocol: Protocol, keys: Sequence[str]) -> pl.DataFrame:
    """One row a decision, its answers to the ordered questions in columns of their names."""
    questions = _ordered(protocol)
    kept = ("judge", "item", "system", "status", *EARLIER)
    decision = [*dict.fromkeys((*keys, *(name for name in kept if name in rows.columns)))]
    wanted = rows.filter(pl.col("question").is_in([q.id for q in questions]))
    leading = pl.col("value").filter(pl.col("question") == questions[0].id).first()
    return wanted.group_by(decision, maintain_order=True).agg(
        leading.alias(_CATEGORY), *(_answer(question) for question in questions)
    )


_CATEGORY = "\0category"


def _answer(question: Question) -> pl.Expr:
    """A question's answer as the protocol would write it: its word, or its whole number."""
    legal = [str(answer) for answer in question.answers()]
    number = pl.col("value").cast(pl.Int64, strict=False).cast(pl.String)
    word = pl.when(pl.col("label").is_in(legal)).then(pl.col("label")).otherwise(number)
    return word.filter(pl.col("question") == question.id).first().alias(question.id)


def _places(answers: pl.DataFrame, protocol: Protocol, *, strict: bool) -> pl.DataFrame | None:
    """The answers with their places; None where `strict` and some answer has none."""
    names = [question.id for question in _ordered(protocol)]
    kinds = answers.select(names).unique()
    if kinds.height > MOST_ANSWERS:
        return None
    told = [{n: a for n, a in row.items() if a is not None} for row in kinds.to_dicts()]
    places = [_place(protocol, answer, names) for answer in told]
    if not places or (strict and None in places):
        return None
    words = ["-".join(answer.values()) for answer in told]
    known = kinds.with_columns(place=pl.Series(places, dtype=pl.Float64), told=pl.Series(words))
    found = answers.join(known, on=names, nulls_equal=True).filter(pl.col("place").is_not_null())
    return found.rename({_CATEGORY: "category"})


def _place(protocol: Protocol, answers: Mapping[str, str], names: Sequence[str]) -> int | None:
    """The place of answers that the protocol's questions can have."""
    typed = {name: int(text) if text.isdigit() else text for name, text in answers.items()}
    asked = {question.id for question in protocol.asked(typed)} & set(names)
    return protocol.place_of(typed) if asked == set(answers) else None


def _numeric(rows: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    for (question,), part in rows.partition_by(
        "question", as_dict=True, maintain_order=True
    ).items():
        if (numbers := part.filter(pl.col("value").is_not_null())).height:
            yield str(question), numbers


def _settled(places: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """One row a segment and system: adjudicated where there is one, else the judges' mean."""
    of_segment = [*keys, "system"]
    settled = (pl.col("status") == "adjudicated").any().over(of_segment)
    kept = places.filter((pl.col("status") == "adjudicated") | ~settled)
    return kept.group_by(of_segment, maintain_order=True).agg(
        pl.col("place", "category").mean(), pl.col("told").unique().sort().str.join(" / ")
    )
