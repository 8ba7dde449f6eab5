"""Whether scores and preferences order two systems on a segment alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
import polars as pl

from jurat import protocols
from jurat.protocols import Protocol
from jurat.protocols.questions import Question
from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, bootstrap_estimates, first_method, ratio
from jurat.stats.evaluation_tables import DAMAGED, Evaluation
from jurat.stats.phrases import percentage
from jurat.stats.preferences.comparisons import (
    PreferenceStatistic,
    by_question,
    preferences_only,
)
from jurat.stats.ratings import EARLIER
from jurat.stats.settings import PreferenceSettings
from jurat.tables.item_names import shared_items

# What a preference and a judgment of the same sentence have in common.
SEGMENT = ("document", "segment")
# Combinations of answers that may have a place in an order.
MOST_ANSWERS = 1000


class ScoreOrder(NamedTuple):
    """The order of translations by their scores: a row for each segment and system.

    `place` is lower for better ones, `category` the number of the leading question, `said` the
    answers in words. Adjudicated answers count where there are any, else the mean of the judges'.
    """

    name: str
    frame: pl.DataFrame
    keys: tuple[str, ...]


def score_orders(evaluation: Evaluation, protocol: Protocol | None = None) -> Iterator[ScoreOrder]:
    """The protocol's order where one is given or fits, else one by each question's numbers."""
    rows = _judged(evaluation)
    keys = segment_keys(rows, evaluation.compared)
    if not keys or "system" not in rows.columns or rows.is_empty():
        return
    # a protocol that was not named must explain every answer; one that was may leave some out
    for candidate in [protocol] if protocol else _with_an_order(rows):
        answers = _answers(rows, candidate, keys)
        places = _places(answers, candidate, strict=protocol is None)
        if places is not None:
            yield ScoreOrder(candidate.name, _settled(places, keys), keys)
            return
    for question, of_question in _numeric(rows):
        score = of_question.with_columns(
            place=-pl.col("value"), category=pl.col("value"), said=pl.col("value").cast(pl.String)
        )
        yield ScoreOrder(question, _settled(score, keys), keys)


def segment_keys(judged: pl.DataFrame, compared: pl.DataFrame) -> tuple[str, ...]:
    """The columns by which a segment is known in both tables."""
    both = {*judged.columns} & {*compared.columns}
    return tuple(n for n in SEGMENT if n in both) or (("item",) if "item" in both else ())


def _judged(evaluation: Evaluation) -> pl.DataFrame:
    """What judges and adjudicators said of true translations, without "not applicable"."""
    # the table of preferences names the items that systems share
    rows = shared_items(evaluation.judged)
    if rows.is_empty():
        return rows
    if "control" in rows.columns:
        rows = rows.filter(pl.col("control").cast(pl.String).ne_missing(DAMAGED))
    return rows.filter(~pl.col("na")).with_columns(pl.col("status").fill_null("valid"))


def _with_an_order(rows: pl.DataFrame) -> Iterator[Protocol]:
    """Protocols whose order uses only questions that were asked."""
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
    # a table may hold the answer's word, or the number that stands for it
    number = pl.col("value").cast(pl.Int64, strict=False).cast(pl.String)
    word = pl.when(pl.col("label").is_in(legal)).then(pl.col("label")).otherwise(number)
    return word.filter(pl.col("question") == question.id).first().alias(question.id)


def _places(answers: pl.DataFrame, protocol: Protocol, *, strict: bool) -> pl.DataFrame | None:
    """The answers with their places; None where `strict` and some answer has none."""
    names = [question.id for question in _ordered(protocol)]
    kinds = answers.select(names).unique()
    # an order is found by asking the protocol about each combination, which takes its time
    if kinds.height > MOST_ANSWERS:
        return None
    given = [{n: a for n, a in row.items() if a is not None} for row in kinds.to_dicts()]
    places = [_place(protocol, answer, names) for answer in given]
    if not places or (strict and None in places):
        return None
    words = ["-".join(answer.values()) for answer in given]
    known = kinds.with_columns(place=pl.Series(places, dtype=pl.Float64), said=pl.Series(words))
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
    # an adjudicator overrules all judges of the segment, not only one of them
    settled = (pl.col("status") == "adjudicated").any().over(of_segment)
    kept = places.filter((pl.col("status") == "adjudicated") | ~settled)
    return kept.group_by(of_segment, maintain_order=True).agg(
        pl.col("place", "category").mean(), pl.col("said").unique().sort().str.join(" / ")
    )


def settled_preferences(
    evaluation: Evaluation,
) -> Iterator[tuple[str, dict[str, Key], pl.DataFrame]]:
    """Adjudicated preferences where there are any for a comparison, else each judge's."""
    if evaluation.preferences is None:
        return
    for question, part in by_question(_adjudicated_first(evaluation)):
        for tags, frame in preferences_only(evaluation).split(part):
            yield question, dict(tags), frame


def _adjudicated_first(evaluation: Evaluation) -> pl.DataFrame:
    judged = evaluation.compared
    if evaluation.preferences is None or "status" not in judged.columns:
        return judged
    settled = evaluation.preferences.frame.filter(pl.col("status") == "adjudicated")
    names = ("question", "item", "document", "segment")
    key = [name for name in names if name in judged.columns]
    pair = [pl.min_horizontal("system_a", "system_b"), pl.max_horizontal("system_a", "system_b")]
    # names that no column of a table can have
    both = [one.alias(f"\0{n}") for n, one in enumerate(pair)]
    known = settled.select(*key, *both).unique()
    # nulls are equal: without documents all are null, and still the same
    open_ones = judged.with_columns(*both).join(
        known, on=known.columns, how="anti", nulls_equal=True, maintain_order="left"
    )
    return pl.concat([settled, open_ones.select(judged.columns)], how="diagonal_relaxed")


KINDS = (
    "the lower one preferred",
    "no preference, within one category",
    "no preference, further apart",
)
# Kinds of answers that are listed, the most frequent first.
MOST_LISTED = 50
# Means of places that are equal on paper count as equal.
NEAR = 1e-9
ANSWERS = "adjudicated answers where there are any, else judges' mean place and each decision"


class OrderAgreement(PreferenceStatistic):
    """TAP-ET's comparison of adequacy and preference."""

    name = "order-agreement"
    asks = "Do judges prefer the system that they also score higher?"
    formula = (
        "share of preferences whose system has an equal or higher place, “no preference” only "
        "where places are equal"
    )
    formulas: ClassVar = {
        "order-agreement": (f"{formula}; {ANSWERS}; n counts preferences with both systems scored"),
        "order-mismatch": (
            f"preferences that disagree, by kind; {ANSWERS}; n counts all preferences"
        ),
        "order-mismatch-answers": (
            f"preferences that disagree, by the answers of both systems; {ANSWERS}"
        ),
    }
    source = "TAP-ET, section 5.1.3"
    order = 70

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """The share that agrees, and the mismatches by kind and by answers."""
        found = [
            _OrderedPreferences.of(order, question, tags, rows, settings)
            for order in score_orders(evaluation, settings.protocol)
            for question, tags, rows in settled_preferences(evaluation)
        ]
        nothing = [_nothing(evaluation, found)]
        how = first_method([one.found for one in found if one.found])
        give = partial(
            self.preference_result,
            evaluation,
            settings,
            protocol=settings.protocol.name if settings.protocol else None,
        )
        yield give([one.share() for one in found] or nothing, how=how, headline=_headline(found))
        kinds = [e for one in found for e in one.kinds()]
        yield give(kinds or nothing, name="order-mismatch", draw=partial(_draw, kinds))
        answers = [e for one in found for e in one.answers()]
        yield give(answers or nothing, name="order-mismatch-answers")


def agrees(outcomes: pl.Series, first: pl.Series, second: pl.Series) -> pl.Series:
    """Whether each outcome fits the places (1 is best) of the systems a and b."""
    rows = pl.DataFrame({"outcome": outcomes, "apart": first - second})
    apart, outcome = pl.col("apart"), pl.col("outcome")
    fits = (
        pl.when(outcome == "a")
        .then(apart <= NEAR)
        .when(outcome == "b")
        .then(apart >= -NEAR)
        .otherwise(apart.abs() <= NEAR)
    )
    return rows.select(fits).to_series()


class _OrderedPreferences(NamedTuple):
    """Preferences of one question and split, with the places of both systems."""

    order: ScoreOrder
    by: dict[str, Key]
    tags: dict[str, Key]
    rows: pl.DataFrame
    found: Estimates | None

    @classmethod
    def of(
        cls,
        order: ScoreOrder,
        question: str,
        tags: dict[str, Key],
        preferences: pl.DataFrame,
        settings: PreferenceSettings,
    ) -> _OrderedPreferences:
        rows = _with_places(preferences, order)
        drawn = _drawn(rows, order, settings) if rows.height else None
        by: dict[str, Key] = {"question": question, "order": order.name}
        return cls(order, by, tags, rows, drawn)

    def share(self) -> Estimate:
        n = self.rows.height
        if self.found is None:
            reason = "no preference is about two systems that were both scored on its segment"
            return Estimate.of(None, 0, about=self, reason=reason)
        return self.found.estimate(n=n, about=self)

    def kinds(self) -> Iterator[Estimate]:
        counts = dict(self._mismatches().group_by("kind").len().iter_rows())
        for kind in KINDS if self.rows.height else ():
            yield Estimate.of(counts.get(kind, 0), self.rows.height, about=self, by={"kind": kind})

    def answers(self) -> Iterator[Estimate]:
        kinds = self._mismatches().group_by("kind", "higher", "lower").len()
        order = kinds.sort("len", "kind", "higher", "lower", descending=[True, False, False, False])
        for kind, higher, lower, count in order.head(MOST_LISTED).iter_rows():
            by = {"kind": kind, "higher": higher, "lower": lower}
            yield Estimate.of(count, self.rows.height, about=self, by=by)

    def _mismatches(self) -> pl.DataFrame:
        """Preferences that do not agree, by kind, with the answers of the higher and the lower."""
        # TAP-ET tells apart whether the answers to the leading question are neighbours
        near = (pl.col("category") - pl.col("category_b")).abs() <= 1 + NEAR
        chosen = pl.col("outcome").is_in(["a", "b"])
        kind = pl.when(chosen).then(pl.lit(KINDS[0])).when(near).then(pl.lit(KINDS[1]))
        first = pl.col("place") < pl.col("place_b")
        return self.rows.filter(~pl.col("agrees")).select(
            kind.otherwise(pl.lit(KINDS[2])).alias("kind"),
            higher=pl.when(first).then("said").otherwise("said_b"),
            lower=pl.when(first).then("said_b").otherwise("said"),
        )


def _with_places(preferences: pl.DataFrame, order: ScoreOrder) -> pl.DataFrame:
    """Preferences with place, category and answers of both systems, where both were scored."""
    keys = [*order.keys, "system"]
    first, second = ([*order.keys, f"system_{side}"] for side in "ab")
    rows = preferences.select(*order.keys, "system_a", "system_b", "outcome")
    rows = rows.join(order.frame, left_on=first, right_on=keys, maintain_order="left")
    rows = rows.join(order.frame, left_on=second, right_on=keys, suffix="_b", maintain_order="left")
    fits = agrees(rows["outcome"], rows["place"], rows["place_b"])
    return rows.with_columns(fits.alias("agrees"))


def _drawn(rows: pl.DataFrame, order: ScoreOrder, settings: PreferenceSettings) -> Estimates:
    # preferences about the same segment depend on each other, and are resampled together
    segments = rows.select(pl.struct(order.keys).rank("dense")).to_series().to_numpy()
    columns = np.column_stack([rows["agrees"].to_numpy(), np.ones(rows.height)])
    return bootstrap_estimates(
        columns.astype(np.float64),
        ratio,
        settings=settings,
        clusters=segments,
    )


def _nothing(evaluation: Evaluation, found: Sequence[_OrderedPreferences]) -> Estimate:
    """Why there is nothing to list."""
    judged = evaluation.judged
    if evaluation.judgments is None:
        reason = "needs judgments of the same segments, as a campaign has that asks for both"
    elif "system" not in judged.columns:
        reason = "needs the column system"
    elif not segment_keys(judged, evaluation.compared):
        reason = "needs document, segment or item in both tables"
    elif found and any(one.rows.height for one in found):
        # all preferences agree: no mismatch is a finding, not a missing value
        return Estimate(value=0.0, n=sum(one.rows.height for one in found))
    else:
        reason = "no preference is about two systems that were both scored on its segment"
    return Estimate(value=None, n=0, reason=reason)


def _headline(found: Sequence[_OrderedPreferences]) -> str:
    for one in found:
        share = one.share()
        if share.value is not None:
            wrong = round((1 - share.value) * share.n)
            return (
                f"Preferences agree with the order by {one.order.name} in {percentage(share)} "
                f"of {share.n:,}; {wrong:,} do not."
            )
    return "Preferences cannot be compared with scores."


def _draw(mismatches: list[Estimate]) -> Figure:
    return figures.bars(
        "Preferences that scores do not bear out",
        figures.rows(mismatches),
        x=figures.axis("value", "preferences"),
        y=figures.axis("kind", "kind", "nominal"),
        colour=figures.axis("order", "order", "nominal"),
    )
