"""Translations with the errors that judges marked in them, those with the worst errors first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
# How a severity is drawn, from the heaviest on: colour and line differ.
KINDS = ("critical", "major", "minor", "neutral")
HEAVY = {"critical": 0, "non-translation": 0, "major": 1, "minor": 2, "neutral": 3, "no-error": 3}

Place = tuple[str, str, str]


class Span(NamedTuple):
    """An error from the code point `start` to before `end`; something is missing if they agree."""

    start: int
    end: int
    severity: str
    category: str


class MarkedText(NamedTuple):
    """A translation, and the errors that each judge marked in it, as the report names them."""

    system: str
    document: str
    segment: str
    text: str
    judges: Mapping[str, tuple[Span, ...]]


def marked_texts(
    evaluation: Evaluation,
    test_set: TestSet | None,
    names: Pseudonyms,
    translations: pl.DataFrame | None = None,
) -> tuple[MarkedText, ...]:
    """The translations with the heaviest errors; none where spans or texts are unknown.

    The texts are those of the test set, else of the table of `translations`, else of the spans.
    """
    spans = evaluation.spans
    if spans is None or not {*spans.columns} >= NEEDED:
        return ()
    texts = known_texts(evaluation, test_set, translations)
    weight = pl.col("weight").fill_null(1.0) if "weight" in spans.columns else pl.lit(1.0)
    worst = (
        spans.group_by("system", "document", "segment", maintain_order=True)
        .agg(weight.sum().alias("heavy"))
        .sort("heavy", descending=True, maintain_order=True)
    )
    places = [place for *place, _ in worst.iter_rows() if tuple(place) in texts][:MOST_SHOWN]
    return tuple(_marked_text(spans, place, texts[tuple(place)], names) for place in places)


def known_texts(
    evaluation: Evaluation, test_set: TestSet | None, translations: pl.DataFrame | None
) -> dict[Place, str]:
    """The translations by system, document and segment, as far as they are known."""
    if test_set is not None:
        return _translations(test_set)
    if translations is not None:
        return dict(_texts_of(translations))
    tables = (evaluation.spans, evaluation.judged)
    return {place: text for one in tables if one is not None for place, text in _texts_of(one)}


def _translations(test_set: TestSet) -> dict[Place, str]:
    return {
        (system, document.id, segment.id): translation.text
        for document, segment in test_set.segments()
        for system, translation in segment.translations.items()
    }


def _texts_of(table: pl.DataFrame) -> Iterator[tuple[Place, str]]:
    """The text of each translation, where the table has it."""
    column = next((name for name in TEXT_COLUMNS if name in table.columns), None)
    if column is not None and {"system", "document", "segment"} <= {*table.columns}:
        for system, document, segment, text in (
            table.select("system", "document", "segment", column).unique().iter_rows()
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
        names.systems.get(system, system),
        document,
        segment,
        text,
        {judge: tuple(judges[judge]) for judge in sorted(judges)},
    )


def _span(row: Mapping[str, Any], length: int) -> Span:
    start, end = (min(max(int(row[name] or 0), 0), length) for name in ("start", "end"))
    return Span(start, max(start, end), str(row["severity"] or ""), str(row.get("category") or ""))


def marked_section(texts: Sequence[MarkedText]) -> str:
    """The texts as HTML, a line for each judge, with what the severities look like."""
    found = {span.severity for one in texts for spans in one.judges.values() for span in spans}
    shown = sorted(found, key=lambda name: (HEAVY.get(name.lower(), 1), name))
    legend = " ".join(
        _mark(name or "no severity", Span(0, 1, name, ""), told=False) for name in shown
    )
    told = paragraph(
        f"The {len(texts)} translations with the heaviest errors, as each judge marked them. "
        "Heavier errors have heavier lines; severity and category follow each mark, and […] "
        "stands where something is missing.",
        "rem",
    )
    # the script fills in boxes by which a reader chooses what is shown
    boxes = element("form", "", class_="noprint choose", hidden=True)
    key = element("p", f"Severity: {legend}", class_="rem")
    return told + key + boxes + "".join(_text_block(one) for one in texts)


def _text_block(one: MarkedText) -> str:
    lines = "".join(
        element(
            "div",
            element("dt", words(judge)) + element("dd", _with_marks(one.text, spans), dir="auto"),
            data_judge=judge,
        )
        for judge, spans in one.judges.items()
    )
    head = element("h3", words(f"{one.system}, {one.document} {one.segment}"))
    inner = head + element("dl", lines, class_="marked")
    return element("div", inner, data_system=one.system, data_document=one.document)


def _with_marks(text: str, spans: Iterable[Span]) -> str:
    """The text with its errors marked; one that overlaps another begins after it."""
    parts, at = [], 0
    for span in sorted(spans):
        # no letter may stand twice in the text
        start = max(span.start, at)
        parts += [words(text[at:start]), _mark(text[start : span.end], span)]
        at = max(start, span.end)
    return "".join([*parts, words(text[at:])])


def _mark(text: str, span: Span, *, told: bool = True) -> str:
    """A marked piece of text; its severity decides the line below it."""
    kind = KINDS[HEAVY.get(span.severity.lower(), 1)]
    label = ", ".join(filter(None, (span.severity, span.category))) if told else ""
    # what is marked may end in a space, which belongs after the label
    bare = text.rstrip()
    inner = words(bare or text or "[…]") + (element("small", words(f" {label}")) if label else "")
    space = words(text[len(bare) :]) if bare else ""
    name = span.severity or "no severity"
    return element("mark", inner, class_=kind, data_severity=name) + space
