"""The tables that metaeval takes with the judgments: metric scores, and texts of translations.

How they are read, and how their rows are matched with the judgments: by segment keys and system
names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from jurat.errors import input_error, unknown_name
from jurat.metrics import counts_errors
from jurat.stats.ratings import Array, Codes
from jurat.tables import JUDGMENTS, SCORES, Intake
from jurat.tables.column_map import ColumnMap, columns_text, joined, parse_columns
from jurat.tables.fingerprint import digest, table_fingerprint
from jurat.tables.named_columns import visible, with_own_names
from jurat.tables.preferences import KNOWN
from jurat.tables.schema import hidden, words
from jurat.tables.scores import KEYS, scores

SEGMENT_COLUMNS = ("document", "segment")
# The column with document and segment as one key; null in rows about whole systems.
SEGMENT_KEY = "\0place"
# The system's name where neither table has one.
ONLY = "\0only"
# Names that --columns may give to the columns of judgments and preferences.
JUDGED_COLUMNS = {*JUDGMENTS.schema, *KNOWN}
# Names of the column of translations in a table with a row for each.
TRANSLATIONS = ("translation", "mt", "target", "hypothesis", "output", "text")
# The columns of sources and references.
CONTEXT = re.compile(r"(source|src|ref.*)", re.IGNORECASE)
TEXT_COLUMNS = (*SEGMENT_COLUMNS, "system", "text")
LABEL = "\0label"


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricScores:
    """The long table of scores; `lower` names metrics of which low scores are good ones."""

    frame: pl.DataFrame = field(repr=False)
    lower: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = {*self.metrics, *self.frame["metric"].unique()}
        for name in self.lower:
            if name not in known:
                raise unknown_name("metric", name, self.metrics, field="--lower-better-metrics")

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of the scores, for signatures."""
        return table_fingerprint(self.frame)

    @cached_property
    def rows(self) -> pl.DataFrame:
        """The table with the metric's full name: with its reference where it has several."""
        rows = self.frame
        if "reference" not in rows.columns:
            return rows.with_columns(pl.col("metric").alias(LABEL))
        # A metric with one reference keeps its plain name.
        several = pl.col("reference").n_unique().over("metric") > 1
        named = pl.concat_str("metric", pl.col("reference").fill_null(""), separator="-")
        told = several & pl.col("reference").is_not_null()
        return rows.with_columns(pl.when(told).then(named).otherwise("metric").alias(LABEL))

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Full names, in the order of the table."""
        return tuple(self.rows[LABEL].unique(maintain_order=True))

    @cached_property
    def signs(self) -> Array:
        """What the scores of each metric are multiplied by so that higher is better."""
        return np.array([-1.0 if self.counts_errors(name) else 1.0 for name in self.metrics])

    def counts_errors(self, metric: str) -> bool:
        """Whether low scores are good: as the user said, or as the name and the scores tell."""
        own = self.rows.filter(pl.col(LABEL) == metric)
        if {metric, *own["metric"].unique()} & set(self.lower):
            return True
        # An error rate is never negative: if all scores are, they have been negated already.
        highest = own["value"].max()
        negative = isinstance(highest, float) and highest <= 0 and bool((own["value"] < 0).any())
        return counts_errors(metric) and not negative

    @property
    def direction(self) -> str:
        """Which metrics count errors, in words for the method."""
        turned = [m for m, sign in zip(self.metrics, self.signs, strict=True) if sign < 0]
        return f"lower is better: {', '.join(turned)}" if turned else ""


def parse_widths(text: str, metrics: Sequence[str]) -> dict[str, float]:
    """The widths of bins by metric, from `0.05` or `BLEU=5,TER=0.1`; metrics not named have none.

    Raises InputError where a metric is unknown or a width is no number above 0.
    """
    steps: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = part.rpartition("=")
        if name and name not in metrics:
            raise unknown_name("metric", name, metrics, field="--step")
        try:
            step = float(number)
        except ValueError:
            step = float("nan")
        if not 0 < step < float("inf"):
            message = f"'{part}' is no step: a number above 0, or METRIC=NUMBER"
            raise input_error(message, field="--step")
        steps |= {name: step} if name else dict.fromkeys(metrics, step)
    return steps


def with_segment_keys(
    judged: pl.DataFrame, scores: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both tables with the same key for the same segment, in the column `SEGMENT_KEY`.

    That is the document and the segment as far as both tables have them, or the judgments' item
    where they have nothing else. Raises InputError where a segment's number is ambiguous.
    """
    if not any(_has(judged, key) for key in SEGMENT_COLUMNS) and _has(judged, "item"):
        # An item that is a system says nothing of segments.
        named_by_system = "system" in judged.columns and judged["item"].equals(judged["system"])
        judged = judged if named_by_system else judged.with_columns(segment=judged["item"])
    keys = [key for key in SEGMENT_COLUMNS if _has(judged, key) and _has(scores, key)]
    for rows, other in ((judged, "scores"), (scores, "judgments")):
        _check_documents(rows, keys, other)
    if keys == ["document"]:
        judged, scores = _of_documents(judged), _of_documents(scores)
    return _with_segment_key(judged, keys), _with_segment_key(scores, keys)


def _has(rows: pl.DataFrame, name: str) -> bool:
    return name in rows.columns and rows[name].null_count() < rows.height


def _check_documents(rows: pl.DataFrame, keys: Sequence[str], other: str) -> None:
    """Raise InputError if a segment is in several documents and the other table names none."""
    if keys != ["segment"] or not _has(rows, "document"):
        return
    counts = rows.group_by("segment").agg(pl.col("document").n_unique().alias("documents"))
    mixed = counts.filter((pl.col("documents") > 1) & pl.col("segment").is_not_null())
    if mixed.height:
        name = mixed["segment"].sort()[0]
        raise input_error(f"segment '{name}' is in several documents, and the {other} name none")


def _of_documents(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows about whole documents, where there are any; else those of segments, to be averaged."""
    if not _has(rows, "segment"):
        return rows
    whole = rows.filter(pl.col("segment").is_null() & pl.col("document").is_not_null())
    of_systems = rows.filter(pl.col("segment").is_null() & pl.col("document").is_null())
    return pl.concat([whole, of_systems]) if whole.height else rows


def _with_segment_key(rows: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    if not keys:
        return rows.with_columns(pl.lit(None, dtype=pl.String).alias(SEGMENT_KEY))
    parts = [rows[key] for key in keys]
    key = joined(parts) if len(parts) > 1 else words(parts[0])
    return rows.with_columns(key.alias(SEGMENT_KEY))


def with_systems(
    judged: pl.DataFrame, scores: pl.DataFrame, names: Sequence[str] = ("system",)
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both tables with systems; one without is about the only system that the other names.

    `names` are the judgments' columns of systems. Raises InputError where there are several.
    """
    if all(name in judged.columns for name in names):
        if "system" in scores.columns:
            return judged, scores
        return judged, scores.with_columns(system=pl.lit(_only_system(judged, names, "scores")))
    if "system" in scores.columns:
        only = _only_system(scores, ("system",), "judgments")
        return judged.with_columns(system=pl.lit(only)), scores
    return judged.with_columns(system=pl.lit(ONLY)), scores.with_columns(system=pl.lit(ONLY))


def _only_system(rows: pl.DataFrame, names: Sequence[str], other: str) -> str:
    systems = {str(name) for column in names for name in rows[column].unique().drop_nulls()}
    if len(systems) > 1:
        raise input_error(f"the {other} do not say which of {len(systems)} systems they speak of")
    return next(iter(systems), ONLY)


def codes_in(values: pl.Series, names: Sequence[str]) -> Codes:
    """The position of each value among the names; -1 where it is not one of them."""
    # An Enum does the look-up within polars; what is not among the names becomes null.
    cells = words(values).cast(pl.Enum(list(names)), strict=False).to_physical()
    return cells.cast(pl.Int64).fill_null(-1).to_numpy()


def read_scores(
    table: pl.DataFrame,
    *,
    columns: str = "",
    metrics: Sequence[str] = (),
    lower: tuple[str, ...] = (),
    intake: Intake | None = None,
    judged_columns: Sequence[str] = (),
) -> MetricScores:
    """The scores of a long or wide table.

    What the intake of the judgments says of document, segment and system holds here too, where
    these columns are there and `columns` says nothing of them. In a wide table without `metrics`
    every column of numbers is a metric, but those that hold judgments: Jurat's own names, those
    that the intake speaks of, and `judged_columns`.
    """
    intake = intake or Intake()
    told = dict(parse_columns(columns, SCORES.schema))
    told = {**_position_columns(table, parse_columns(intake.columns, JUDGED_COLUMNS), told), **told}
    names = {*table.columns, *told}
    # A wide table: what belongs to the judgments would be read as metrics.
    if not {"metric", "value"} <= names and not metrics:
        kept = {part.text for parts in told.values() for part in parts}
        table = table.drop(_judged(table, intake, judged_columns) - kept)
    if "system" not in names:
        table = table.with_columns(pl.lit(ONLY).alias("system"))
    # `scores` demands a system; where neither table has one, the column is dropped again.
    frame = scores(table, columns=columns_text(told), metrics=metrics)
    if frame.is_empty():
        raise input_error("the table of scores has none")
    return MetricScores(frame=frame if "system" in names else frame.drop("system"), lower=lower)


def _position_columns(table: pl.DataFrame, judged: ColumnMap, told: ColumnMap) -> ColumnMap:
    """What the judgments' map says of document, segment and system, where the scores have it."""
    named = {name: parts for name, parts in judged.items() if name in KEYS}
    if "item" in judged and not {"document", "segment"} & {*judged, *told, *table.columns}:
        named["segment"] = judged["item"]
    return {
        name: parts
        for name, parts in named.items()
        if name not in told and all(p.literal or p.text in table.columns for p in parts)
    }


def _judged(table: pl.DataFrame, intake: Intake, columns: Sequence[str]) -> set[str]:
    """The columns of a wide table that belong to the judgments and are no metrics."""
    mapped = {
        part.text
        for parts in parse_columns(intake.columns, JUDGED_COLUMNS).values()
        for part in parts
        if not part.literal
    }
    spoken = {*columns, *intake.questions, *intake.systems, intake.sum, *intake.by, *mapped}
    return {
        name for name in table.columns if name in {*JUDGED_COLUMNS, *spoken} and name not in KEYS
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class TranslationTexts:
    """The texts of translations, and the sources and references of their segments."""

    translations: pl.DataFrame = field(repr=False)
    """Columns document, segment (as far as there are any), system, text."""
    context: pl.DataFrame = field(repr=False)

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of all texts, for signatures."""
        return digest(map(table_fingerprint, (self.translations, self.context)))


def read_system_texts(
    table: pl.DataFrame, judged: Iterable[pl.DataFrame], *, columns: str = ""
) -> TranslationTexts:
    """The texts of the systems in the judged tables; see `read_texts`."""
    # A table with a column per system can only be recognised by the systems' names.
    systems = {
        str(system)
        for rows in judged
        for name in ("system", "system_a", "system_b")
        if name in rows.columns
        for system in rows[name].unique().drop_nulls()
    }
    return read_texts(table, sorted(systems), columns=columns)


def read_texts(
    table: pl.DataFrame, systems: Sequence[str], *, columns: str = ""
) -> TranslationTexts:
    """The texts of a table: a row a translation, or a row a segment with a column a system.

    `columns` maps its columns as on the command line. Raises InputError where neither is there.
    """
    frame = with_own_names(table, columns, TEXT_COLUMNS)
    there = visible(frame)
    keys = [name for name in SEGMENT_COLUMNS if name in frame.columns]
    # Where a table could be either, a row a translation takes precedence.
    told = [name for name in ("text", *TRANSLATIONS) if name in (*frame.columns, *there)]
    if "system" in frame.columns and told:
        text = frame["text"] if "text" in frame.columns else there[told[0]]
        rows = frame.select(*_named(frame, (*keys, "system")), words(text).alias("text"))
    else:
        found = [name for name in systems if name in there]
        if not keys or not found:
            wanted = "segment, system and text, or segment and a column for each system"
            raise input_error(f"texts need columns {wanted}", allowed=tuple(there), field="--texts")
        rows = pl.concat(
            frame.select(
                *_named(frame, keys),
                pl.lit(system).alias("system"),
                words(there[system]).alias("text"),
            )
            for system in found
        )
    return TranslationTexts(translations=rows.drop_nulls("text"), context=_context(frame, keys))


def texts_from_judgments(judged: pl.DataFrame) -> TranslationTexts | None:
    """The translations in the table of judgments; None where it has none."""
    plain = judged.drop(name for name in judged.columns if hidden(name))
    keys = [name for name in SEGMENT_COLUMNS if name in plain.columns]
    told = [name for name in TRANSLATIONS if name in plain.columns]
    if not keys or not told or "system" not in plain.columns:
        return None
    rows = plain.select(*_named(plain, (*keys, "system")), words(plain[told[0]]).alias("text"))
    return TranslationTexts(translations=rows.drop_nulls("text"), context=_context(plain, keys))


def _context(frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Sources and references, once for each segment."""
    there = visible(frame)
    texts = {n: s for n, s in there.items() if CONTEXT.fullmatch(n) and s.dtype == pl.String}
    rows = frame.select(
        *_named(frame, keys), *(words(s).alias(n) for n, s in texts.items() if n not in keys)
    )
    return rows.unique(list(keys), keep="first", maintain_order=True) if keys else rows


def _named(frame: pl.DataFrame, names: Sequence[str]) -> list[pl.Series]:
    return [words(frame[name]).alias(name) for name in names]
