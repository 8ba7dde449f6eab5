"""How alike the references are that groups saw, and how near the translation is to each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations

import polars as pl

from jurat.errors import unknown_name
from jurat.metrics.metric import Metric
from jurat.metrics.word_edits import WordF1
from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.bias.groups import GROUP, JudgeGroups, judge_groups
from jurat.stats.estimates import bootstrap_means, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.metric_scores.counts import metric_labels
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array
from jurat.stats.settings import BiasSettings, Settings
from jurat.stats.statistic import Answer, Statistic
from jurat.tables import need
from jurat.tables.item_names import shared_items
from jurat.tables.schema import cast_column, hidden, words

# Names of the column of translations.
TRANSLATIONS = ("mt", "translation", "target", "hypothesis", "output")
NO_TEXTS = "no segment has both texts"
NO_TRANSLATION = "the texts have no column of the translations (mt, translation, target)"
GROUP_FORMULA = "mean metric score of the items of a group; n counts items"
WORD_F1 = WordF1()


@dataclass(frozen=True, kw_only=True, eq=False)
class ReferenceTexts:
    """A row a segment; the columns that are references, and the one that was judged."""

    frame: pl.DataFrame = field(repr=False)
    references: tuple[str, ...]
    translation: str = ""

    def of_items(self, groups: JudgeGroups) -> dict[str, dict[str, str]]:
        """The texts of each item, by the names of their columns; empty where none are found."""
        judged = groups.ratings.frame
        wanted = [name for name in (*self.references, self.translation, groups.source) if name]
        there = [name for name in dict.fromkeys(wanted) if name in self.frame.columns]
        # Texts are often in a table of their own, whose rows are found by what both tables name.
        keys = text_keys(self.frame, judged, there)
        if not keys:
            return {}
        # where systems share an item, the table of texts names the shared one
        shared = shared_items(judged)
        named = judged.select("item", *(words(shared[k]).alias(f"\0{k}") for k in keys))
        one = self.frame.select(*(words(self.frame[k]).alias(f"\0{k}") for k in keys), *there)
        found = named.unique("item", keep="first").join(
            one.unique(named.columns[1:], keep="first"), on=named.columns[1:]
        )
        return {str(row.pop("item")): row for row in found.select("item", *there).to_dicts()}


def text_keys(texts: pl.DataFrame, judged: pl.DataFrame, told: Sequence[str]) -> list[str]:
    """The columns by which the texts of an item are found: `item`, or all that both tables have."""
    if "item" in texts.columns:
        return ["item"]
    both = [name for name in texts.columns if name in judged.columns and not hidden(name)]
    return [name for name in both if name not in told]


def reference_texts(parts: Sequence[JudgeGroups], settings: BiasSettings) -> ReferenceTexts | str:
    """The texts given, or those in the table of judgments; or why there are none.

    Raises InputError where the settings name a reference that is no column.
    """
    names = tuple(dict.fromkeys(name for groups in parts for name in groups.references))
    # A single column holds what each judge saw, which is another text in each group.
    if settings.texts is None and len(settings.references) == 1:
        return _as_shown(parts[0], settings.references[0]) if parts else "there are no judgments"
    frame = parts[0].ratings.frame if settings.texts is None and parts else settings.texts
    if frame is None:
        return "there are no judgments"
    for name in settings.references:
        if name not in frame.columns:
            raise unknown_name("column of texts", name, _shown(frame), field="--references")
    references = settings.references or tuple(n for n in names if n in frame.columns)
    if not references:
        return "needs texts: --texts FILE with a column of each reference (--references names them)"
    if settings.texts is None:
        frame = frame.unique("item", keep="first", maintain_order=True)
    told = frame.with_columns(words(frame[name]).alias(name) for name in references)
    return ReferenceTexts(frame=told, references=references, translation=_translation(frame))


def _shown(frame: pl.DataFrame) -> list[str]:
    return [name for name in frame.columns if not hidden(name)]


def _as_shown(groups: JudgeGroups, column: str) -> ReferenceTexts:
    """Texts of a column that holds what each judge saw, as a column for each group."""
    judged = groups.ratings.frame
    if column not in judged.columns:
        raise unknown_name("column of texts", column, _shown(judged), field="--references")
    seen = judged.with_columns(words(judged[column]).alias("\0text")).pivot(
        GROUP, index="item", values="\0text", aggregate_function="first"
    )
    translation = _translation(judged)
    if translation:
        once = judged.select("item", translation).unique("item", keep="first")
        seen = seen.join(once, on="item", maintain_order="left")
    references = tuple(name for name in groups.references if name in seen.columns)
    return ReferenceTexts(frame=seen, references=references, translation=translation)


def _translation(frame: pl.DataFrame) -> str:
    there = (n for n in TRANSLATIONS if n in frame.columns and frame[n].dtype == pl.String)
    return next(there, "")


def similarities(
    texts: pl.DataFrame, a: str, b: str, *, metric: Metric = WORD_F1, both_ways: bool = True
) -> Array:
    """The metric between two columns of texts, for every segment that has both.

    `both_ways` averages both directions: most metrics are not symmetric.
    """
    one, other = (column.to_list() for column in texts.select(a, b).drop_nulls())
    forward = _scores(metric, one, other)
    return (forward + _scores(metric, other, one)) / 2 if both_ways else forward


def _scores(metric: Metric, hypotheses: Sequence[str], references: Sequence[str]) -> Array:
    counts = metric.counts(hypotheses, [[text] for text in references])
    return metric.score(counts, single=True)


class ReferenceSimilarity(Statistic[BiasSettings]):
    """The mean metric score between every two references, and between each and the translation."""

    name = "reference-similarity"
    gives = ("reference-similarity", "group-metric")
    asks = "How alike are the references, and how near is the translation to each?"
    formula = "mean over segments of the metric between two references, both directions averaged"
    source = "Fomicheva & Specia 2016, section 3.1 (there with Meteor: 0.33) and table 2"
    order = 40

    def results(self, evaluation: Evaluation, settings: BiasSettings) -> Iterator[Result]:
        """Every two references, then each group's reference against the translation."""
        texts = reference_texts(judge_groups(evaluation, settings), settings)
        for label, metric in _labelled(settings):
            estimates = tuple(_between_references(texts, settings, label, metric))
            yield self.result(
                evaluation,
                settings,
                estimates,
                method=method_line(
                    f"{self.formula}; n counts segments", _metric_line(label, metric)
                ),
                headline=_headline(estimates, label, metric),
                draw=partial(_draw_references, estimates, label),
                metric=label,
                **_choices(metric),
            )
        for answer in self._of_groups(evaluation, settings, texts):
            choices = {**answer.choices, **settings.signature()}
            yield answer._replace(choices=choices).result(self, evaluation, settings, {})

    def _of_groups(
        self, evaluation: Evaluation, settings: BiasSettings, texts: ReferenceTexts | str
    ) -> Iterator[Answer]:
        """The scores of each group, from the column that was named, else of the translation."""
        if settings.metric:
            found = tuple(_scored(evaluation, settings))
            yield _group_answer(found, GROUP_FORMULA, {"metric": settings.metric})
            return
        for label, metric in _labelled(settings):
            found = tuple(_with_translation(texts, settings, label, metric))
            method = method_line(GROUP_FORMULA, _metric_line(label, metric))
            yield _group_answer(found, method, {"metric": label, **_choices(metric)})


def _labelled(settings: BiasSettings) -> list[tuple[str, Metric]]:
    metrics = settings.similarity or (WORD_F1,)
    return list(zip(metric_labels(metrics), metrics, strict=True))


def _group_answer(found: Sequence[Estimate], method: str, choices: Mapping[str, object]) -> Answer:
    return Answer(
        found, method, "group-metric", _nearest(found), lambda: _draw_groups(found), choices
    )


def _metric_line(label: str, metric: Metric) -> str:
    """What the metric is, in a line for the method."""
    first, *_ = (metric.__doc__ or metric.title).strip().splitlines()
    return f"{label}: {first.rstrip('.')}"


def _choices(metric: Metric) -> dict[str, str]:
    """The metric's options, from its own signature."""
    parts = (part.split(":", 1) for part in metric.signature([[""]], single=True).split("|"))
    return {name: value for name, value in parts if name not in ("nrefs", "version")}


def _between_references(
    texts: ReferenceTexts | str, settings: Settings, label: str, metric: Metric
) -> Iterator[Estimate]:
    if isinstance(texts, str):
        yield Estimate(None, 0, by={"metric": label}, reason=texts)
        return
    if len(texts.references) < 2:
        yield Estimate(None, 0, by={"metric": label}, reason="there is a single reference")
    for a, b in combinations(texts.references, 2):
        values = similarities(texts.frame, a, b, metric=metric)
        by = {"metric": label, "reference_a": a, "reference_b": b}
        yield bootstrap_means(values, settings=settings).estimate(
            n=len(values), by=by, reason=NO_TEXTS
        )


def _with_translation(
    texts: ReferenceTexts | str, settings: Settings, label: str, metric: Metric
) -> Iterator[Estimate]:
    """The translation's scores with each group's reference."""
    if isinstance(texts, str) or not texts.translation:
        reason = texts if isinstance(texts, str) else NO_TRANSLATION
        yield Estimate(None, 0, by={"metric": label}, reason=reason)
        return
    for name in texts.references:
        values = similarities(texts.frame, texts.translation, name, metric=metric, both_ways=False)
        by = {"group": name, "metric": label}
        yield bootstrap_means(values, settings=settings).estimate(
            n=len(values), by=by, reason=NO_TEXTS
        )


def _scored(evaluation: Evaluation, settings: BiasSettings) -> Iterator[Estimate]:
    """The mean scores of each group's items, from the column that the settings name."""
    need(evaluation.judged, (settings.metric,), "--metric")
    for groups in judge_groups(evaluation, settings):
        yield from _column(groups, settings)


def _column(groups: JudgeGroups, settings: BiasSettings) -> Iterator[Estimate]:
    """The means of a column of scores, each item once."""
    rows = groups.ratings.frame
    scores = rows.select("item", GROUP, cast_column(rows[settings.metric], pl.Float64))
    # A score belongs to an item: that several judges judged it does not make it weigh more.
    once = scores.drop_nulls().unique(["item", GROUP], keep="first", maintain_order=True)
    for name in groups.names:
        values = once.filter(pl.col(GROUP) == name)[settings.metric].to_numpy()
        by = {**groups.ratings.by, "group": name, "metric": settings.metric}
        reason = "no scores that are numbers"
        found = bootstrap_means(values, settings=settings)
        yield found.estimate(n=len(values), by=by, tags=groups.ratings.tags, reason=reason)


def _headline(estimates: Sequence[Estimate], label: str, metric: Metric) -> str:
    there = [e for e in estimates if e.value is not None]
    if not there:
        return ""
    mean = sum(e.value or 0.0 for e in there) / len(there)
    ranked = sorted(there, key=lambda e: e.value or 0.0)
    near = "alike" if metric.higher_better else "apart"
    best = f"{metric.perfect:g} is the same words"
    words = f"Any two references are {near} by {spoken(mean)} ({label}, {best}) on average"
    if len(there) == 1:
        return f"{words}{interval(there[0])}."
    most, least = (
        f"{e.by['reference_a']} and {e.by['reference_b']}" for e in ranked[:: 1 - len(ranked)]
    )
    return f"{words}: most {most}, least {least}."


def _nearest(beside: Sequence[Estimate]) -> str:
    there = sorted((e for e in beside if e.value is not None), key=lambda e: e.value or 0.0)
    if len(there) < 2:
        return ""
    low, high = there[0].by, there[-1].by
    return (
        f"{high['metric']} is highest with {high['group']} and lowest with {low['group']}: compare "
        "with the groups' mean scores."
    )


def _draw_references(estimates: Sequence[Estimate], label: str) -> Figure:
    return figures.heat(
        "How alike the references are",
        figures.rows(estimates),
        x=figures.axis("reference_a", "reference", "nominal"),
        y=figures.axis("reference_b", "reference", "nominal"),
        colour=figures.axis("value", label),
    )


def _draw_groups(estimates: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "The metric's score with each group's reference", estimates, over="group", value="metric"
    )
