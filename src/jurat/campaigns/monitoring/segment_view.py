"""One segment: its texts, every judgment, and metric scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from jurat.campaigns.monitoring.sections import DataVersion
from jurat.errors import input_error, unknown_name
from jurat.kits.items import joined
from jurat.model import Document, Segment, System, Tags, TestSet

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.monitoring.worker import WorkerState

METRICS = ("bleu", "chrf", "ter")
# BLEU tokenizers of languages written without spaces.
TOKENIZERS = {"zh": "zh", "ja": "char", "th": "char", "lo": "char", "km": "char", "my": "char"}
ORDER = ("question", "judge", "revision")

Row = Mapping[str, object]


class TranslationView(NamedTuple):
    """One system's translation of the segment."""

    system: str
    text: str
    tags: Tags
    mean: Mapping[str, float]
    """Of the judgments that count, by question."""
    metrics: Mapping[str, float]


class SegmentView(NamedTuple):
    """Everything about one segment, with the names of systems and judges."""

    as_of: DataVersion
    document: str
    segment: str
    source: str | None
    references: Mapping[str, str]
    tags: Tags
    translations: tuple[TranslationView, ...]
    rows: Mapping[str, tuple[Row, ...]]
    """Rows of the long tables, by table; whatever their phase and status."""
    before: tuple[str, str] | None
    after: tuple[str, str] | None
    """The previous and the next segment, each with its document."""


def segment(state: WorkerState, campaign: str, document: str, segment: str) -> SegmentView:
    """Everything about one segment, or about a document where it is empty; raises `InputError`."""
    definition, tables = state.definition(campaign), state.tables(campaign)
    found, whole = _found(definition.test_set, document, segment)
    rows = {name: _of(frame, document, segment) for name, frame in tables.named.items()}
    places = [(d.id, s.id) for d, s in definition.test_set.segments()]
    at = places.index((document, segment)) if segment else -1
    return SegmentView(
        as_of=tables.as_of,
        document=document,
        segment=segment,
        source=found.source,
        references=found.references,
        tags={**whole.tags, **found.tags},
        translations=tuple(_translated(definition.test_set, found, rows.get("judgments"))),
        rows={name: tuple(frame.to_dicts()) for name, frame in rows.items() if frame.height},
        before=places[at - 1] if at > 0 else None,
        after=places[at + 1] if 0 <= at < len(places) - 1 else None,
    )


def _found(test_set: TestSet, document: str, segment: str) -> tuple[Segment, Document]:
    documents = {one.id: one for one in test_set.documents}
    if document not in documents:
        raise unknown_name("document", document, documents)
    whole = documents[document]
    if not segment:
        return joined(whole), whole
    segments = {one.id: one for one in whole.segments}
    if segment not in segments:
        raise input_error(f"there is no segment {segment} in {document}", value=segment)
    return segments[segment], whole


def _of(frame: pl.DataFrame, document: str, segment: str) -> pl.DataFrame:
    """The rows of one segment, the answers to a question together."""
    import polars as pl

    there = (pl.col("document") == document) & (pl.col("segment") == segment)
    found = frame.filter(there)
    return found.sort(name for name in ORDER if name in found.columns)


def _translated(
    test_set: TestSet, segment: Segment, judged: pl.DataFrame | None
) -> Iterator[TranslationView]:
    means = _means(judged)
    for system in test_set.systems:
        translation = segment.translations.get(system.name)
        if translation is not None:
            yield TranslationView(
                system=system.name,
                text=translation.text,
                tags=translation.tags,
                mean=means.get(system.name, {}),
                metrics=_scores(test_set, segment, system),
            )


def _means(judged: pl.DataFrame | None) -> dict[str, dict[str, float]]:
    import polars as pl

    from jurat.tables.same_output import for_each_system

    found: dict[str, dict[str, float]] = {}
    if judged is None:
        return found
    judged = for_each_system(judged)
    counts = (pl.col("status") == "valid") & (pl.col("phase") == "evaluation")
    # as in the scores of systems, controls and repeats do not count
    true = pl.col("control").is_null() & pl.col("value").is_not_null()
    rows = judged.filter(counts & true)
    means = rows.group_by("system", "question", maintain_order=True).agg(pl.col("value").mean())
    for system, question, value in means.iter_rows():
        found.setdefault(system, {})[question] = value
    return found


def _scores(test_set: TestSet, segment: Segment, system: System) -> dict[str, float]:
    """Sentence scores of a translation by metric, against all references except itself."""
    # A human reference is not compared with itself.
    references = list(test_set.references_for(segment, system).values())
    text = segment.translations[system.name].text
    # a campaign that was moved may have no translation here
    if not references or not text:
        return {}
    # Imported here: it takes long, and only this page needs it.
    from jurat.metrics import metrics

    language = test_set.target_language.replace("_", "-").partition("-")[0].lower()
    cut = {"bleu": {"tokenize": TOKENIZERS[language]}} if language in TOKENIZERS else {}
    return {
        name: metrics()[name](**cut.get(name, {})).sentence(text, references) for name in METRICS
    }
