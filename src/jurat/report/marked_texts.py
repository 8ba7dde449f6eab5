"""Translations with the errors that judges marked in them, those with the worst errors first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from jurat.report.html import element, paragraph, words
from jurat.report.pseudonyms import Pseudonyms
from jurat.stats import Evaluation

if TYPE_CHECKING:
    from jurat.model import TestSet

# Translations that are shown; a reader wants examples, the tables of spans have all.
MOST_SHOWN = 20
# Names under which tables from elsewhere hold the text of the translation.
TEXT_COLUMNS = ("translation", "target", "tgt", "hypothesis")
NEEDED = {"judge", "system", "document", "segment", "start", "end", "severity"}
MINOR = ("minor", "neutral")

Place = tuple[str, str, str]


class Span(NamedTuple):
    """An error from the code point `start` to before `end`; something is missing if they agree."""

    start: int
    end: int
    severity: str
    category: str


class MarkedText(NamedTuple):
    """A translation, and the errors that each judge marked in it."""

    place: str
    """System, document and segment, as the report names them."""
    text: str
    judges: Mapping[str, tuple[Span, ...]]


def marked_texts(
    evaluation: Evaluation, test_set: TestSet | None, names: Pseudonyms
) -> tuple[MarkedText, ...]:
    """The translations with the heaviest errors; none where spans or texts are unknown."""
    spans = evaluation.spans
    if spans is None or not {*spans.columns} >= NEEDED:
        return ()
    texts = _translations(test_set) if test_set is not None else dict(_texts_of(spans))
    weight = pl.col("weight").fill_null(1.0) if "weight" in spans.columns else pl.lit(1.0)
    worst = (
        spans.group_by("system", "document", "segment", maintain_order=True)
        .agg(weight.sum().alias("heavy"))
        .sort("heavy", descending=True, maintain_order=True)
    )
    places = [place for *place, _ in worst.iter_rows() if tuple(place) in texts][:MOST_SHOWN]
    return tuple(_marked_text(spans, place, texts[tuple(place)], names) for place in places)


def _translations(test_set: TestSet) -> dict[Place, str]:
    return {
        (system, document.id, segment.id): translation.text
        for document, segment in test_set.segments()
        for system, translation in segment.translations.items()
    }


def _texts_of(spans: pl.DataFrame) -> Iterator[tuple[Place, str]]:
    """The text of each translation, where the table of spans has it."""
    column = next((name for name in TEXT_COLUMNS if name in spans.columns), None)
    if column is not None:
        for system, document, segment, text in (
            spans.select("system", "document", "segment", column).unique().iter_rows()
        ):
            yield (system, document, segment), str(text or "")


def _marked_text(spans: pl.DataFrame, place: list[str], text: str, names: Pseudonyms) -> MarkedText:
    system, document, segment = place
    own = spans.filter(
        pl.col("system") == system, pl.col("document") == document, pl.col("segment") == segment
    )
    judges: dict[str, list[Span]] = {}
    for row in own.iter_rows(named=True):
        judge = str(row["judge"])
        judges.setdefault(names.judges.get(judge, judge), []).append(_span(row, len(text)))
    return MarkedText(
        f"{names.systems.get(system, system)}, {document} {segment}",
        text,
        {judge: tuple(judges[judge]) for judge in sorted(judges)},
    )


def _span(row: Mapping[str, Any], length: int) -> Span:
    start, end = (min(max(int(row[name] or 0), 0), length) for name in ("start", "end"))
    return Span(start, max(start, end), str(row["severity"] or ""), str(row.get("category") or ""))


def marked_section(texts: Iterable[MarkedText]) -> str:
    """The texts as HTML, a line for each judge."""
    told = paragraph(
        "The translations with the heaviest errors, as each judge marked them. A solid line stands "
        "for an error that is worse than minor; a mark's severity follows it in small letters.",
        "rem",
    )
    return told + "".join(_text_block(one) for one in texts)


def _text_block(one: MarkedText) -> str:
    lines = "".join(
        element("dt", words(judge)) + element("dd", _with_marks(one.text, spans), dir="auto")
        for judge, spans in one.judges.items()
    )
    return element("h3", words(one.place)) + element("dl", lines, class_="marked")


def _with_marks(text: str, spans: Iterable[Span]) -> str:
    """The text with its errors marked; one that overlaps another begins after it."""
    parts, at = [], 0
    for span in sorted(spans):
        # no letter may stand twice in the text
        start = max(span.start, at)
        parts += [words(text[at:start]), _mark(text[start : span.end], span)]
        at = max(start, span.end)
    return "".join([*parts, words(text[at:])])


def _mark(text: str, span: Span) -> str:
    kind = "minor" if span.severity.lower() in MINOR else "major"
    label = ", ".join(filter(None, (span.severity, span.category)))
    inner = words(text or "…") + element("small", words(f" {label}"))
    return element("mark", inner, class_=kind)
