"""The texts of segments: what was judged, and the references that groups saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from jurat.faults import unknown
from jurat.metrics.metric import Metric
from jurat.metrics.word_f1 import WordF1
from jurat.stats.bias.groups import GROUP, Grouping, Groups, grouped
from jurat.stats.evaluation import Evaluation
from jurat.tables.columns import hidden, words

TRANSLATIONS = ("mt", "translation", "target", "hypothesis", "output")
"""What the column of what was judged may be called."""


class BiasSettings(Grouping, frozen=True, kw_only=True):
    """What `jurat bias` asks for beyond groups."""

    texts: pl.DataFrame | None = None
    """A row a segment, with a column for each reference and one by which items are found."""
    references: tuple[str, ...] = ()
    metric: str = ""
    """A column of scores, which stand beside the judgments."""
    similarity: tuple[Metric, ...] = (WordF1(),)
    """What tells how alike two texts are."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Texts:
    """A row a segment; the columns that are references, and the one that was judged."""

    frame: pl.DataFrame = field(repr=False)
    references: tuple[str, ...]
    translation: str = ""

    def of_items(self, groups: Groups) -> dict[str, dict[str, str]]:
        """The texts of each item, by the names of their columns; empty where none are found."""
        judged = groups.ratings.frame
        wanted = [name for name in (*self.references, self.translation, groups.source) if name]
        there = [name for name in dict.fromkeys(wanted) if name in self.frame.columns]
        keys = keys_of(self.frame, judged, there)
        if not keys:
            return {}
        named = judged.select("item", *(words(judged[k]).alias(f"\0{k}") for k in keys))
        one = self.frame.select(*(words(self.frame[k]).alias(f"\0{k}") for k in keys), *there)
        found = named.unique("item", keep="first").join(
            one.unique(named.columns[1:], keep="first"), on=named.columns[1:]
        )
        return {str(row.pop("item")): row for row in found.select("item", *there).to_dicts()}


def keys_of(texts: pl.DataFrame, judged: pl.DataFrame, told: Sequence[str]) -> list[str]:
    """The columns by which the texts of an item are found: `item`, or all that both tables have."""
    if "item" in texts.columns:
        return ["item"]
    both = [name for name in texts.columns if name in judged.columns and not hidden(name)]
    return [name for name in both if name not in told]


def texts_of(evaluation: Evaluation, settings: BiasSettings) -> Texts | str:
    """The texts given, or those that stand beside the judgments; or why there are none."""
    parts = evaluation.once(grouped, settings.group, settings.source)
    names = tuple(dict.fromkeys(name for groups in parts for name in groups.references))
    if settings.texts is None and len(settings.references) == 1:
        return _as_shown(parts[0], settings.references[0]) if parts else "there are no judgments"
    frame = parts[0].ratings.frame if settings.texts is None and parts else settings.texts
    if frame is None:
        return "there are no judgments"
    for name in settings.references:
        if name not in frame.columns:
            raise unknown("column of texts", name, _shown(frame), field="--references")
    references = settings.references or tuple(n for n in names if n in frame.columns)
    if not references:
        return "needs texts: --texts FILE with a column of each reference (--references names them)"
    if settings.texts is None:
        frame = frame.unique("item", keep="first", maintain_order=True)
    told = frame.with_columns(words(frame[name]).alias(name) for name in references)
    return Texts(frame=told, references=references, translation=_translation(frame))


def _shown(frame: pl.DataFrame) -> list[str]:
    return [name for name in frame.columns if not hidden(name)]


def _as_shown(groups: Groups, column: str) -> Texts:
    """Texts of a column that holds what each judge saw: a column a group."""
    judged = groups.ratings.frame
    if column not in judged.columns:
        raise unknown("column of texts", column, _shown(judged), field="--references")
    seen = judged.with_columns(words(judged[column]).alias("\0text")).pivot(
        GROUP, index="item", values="\0text", aggregate_function="first"
    )
    translation = _translation(judged)
    if translation:
        once = judged.select("item", translation).unique("item", keep="first")
        seen = seen.join(once, on="item", maintain_order="left")
    references = tuple(name for name in groups.references if name in seen.columns)
    return Texts(frame=seen, references=references, translation=translation)


def _translation(frame: pl.DataFrame) -> str:
    there = (n for n in TRANSLATIONS if n in frame.columns and frame[n].dtype == pl.String)
    return next(there, "")
