"""Single sentences with their translations and all scores: easy, hard and disputed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from jurat.report.html import element, paragraph, words
from jurat.report.marked_texts import Place, known_texts
from jurat.report.pseudonyms import Pseudonyms
from jurat.report.settings import ReportSettings
from jurat.results import decimals, spoken
from jurat.stats import Evaluation
from jurat.stats.systems.score_table import has_system_scores

# Sentences of each kind, and judges and metrics with a column of their own.
MOST_SHOWN = 2
MOST_JUDGES = 8
MOST_METRICS = 6
PLACE = ["document", "segment"]
KINDS = {
    "easiest": "The easiest sentences: the best mean score over systems",
    "hardest": "The hardest sentences: the worst mean score over systems",
    "disputed": "The most disputed sentences: judges of the same translation differ most",
}


class SheetRow(NamedTuple):
    """A translation with its scores by judge, and by metric, as they are shown."""

    system: str
    text: str
    mean: float
    judges: Mapping[str, str]
    metrics: Mapping[str, str]


class SheetSentence(NamedTuple):
    """A sentence, why it is shown, and its translations from the best to the worst."""

    kind: str
    place: str
    source: str
    rows: tuple[SheetRow, ...]


def results_sheet(
    evaluation: Evaluation, settings: ReportSettings, names: Pseudonyms
) -> tuple[SheetSentence, ...]:
    """Sentences of the first question about systems; none where the texts are unknown."""
    texts = known_texts(evaluation, settings.test_set, settings.translations)
    rated = next((one for one in evaluation.scored if has_system_scores(one)), None)
    if not texts or rated is None or not {*PLACE, "judge"} <= {*rated.frame.columns}:
        return ()
    frame = rated.frame.drop_nulls(["system", *PLACE])
    sheet = _Sheet(frame, texts, _sources(settings), _metric_scores(settings), names)
    chosen = _chosen(frame, lower=settings.lower_better)
    return tuple(sheet.sentence(kind, *place) for kind, place in chosen)


class _Sheet(NamedTuple):
    """What sentences are shown from."""

    frame: pl.DataFrame
    texts: Mapping[Place, str]
    sources: Mapping[tuple[str, str], str]
    scores: pl.DataFrame | None
    names: Pseudonyms

    def sentence(self, kind: str, document: str, segment: str) -> SheetSentence:
        """A sentence with its translations."""
        here = (pl.col("document") == document) & (pl.col("segment") == segment)
        own = self.frame.filter(here)
        rows = [
            self._row(str(system), part, here, self.texts.get((str(system), document, segment), ""))
            for (system,), part in own.group_by(["system"], maintain_order=True)
        ]
        rows.sort(key=lambda row: -row.mean)
        source = self.sources.get((document, segment), "")
        return SheetSentence(kind, f"{document} {segment}", source, tuple(rows))

    def _row(self, system: str, part: pl.DataFrame, here: pl.Expr, text: str) -> SheetRow:
        judges = part.group_by("judge", maintain_order=True).agg(pl.col("value").mean())
        judged = {self.names.judges.get(j, j): _score(v) for j, v in judges.iter_rows()}
        metrics: dict[str, str] = {}
        if self.scores is not None:
            mine = self.scores.filter(here & (pl.col("system") == system))
            metrics = {m: spoken(v) for m, v in mine.select("metric", "value").iter_rows()}
        mean = float(part.select(pl.col("value").mean()).item())
        return SheetRow(self.names.systems.get(system, system), text, mean, judged, metrics)


def _chosen(frame: pl.DataFrame, *, lower: bool) -> list[tuple[str, list[str]]]:
    """The kinds and places of the sentences, each sentence once."""
    spread = pl.col("value").max() - pl.col("value").min()
    items = frame.group_by([*PLACE, "system"]).agg(pl.col("value").mean(), spread.alias("spread"))
    each = items.group_by(PLACE).agg(
        pl.col("value").mean(), pl.col("spread").mean(), systems=pl.col("system").n_unique()
    )
    whole = each.filter(pl.col("systems") == pl.col("systems").max()).sort(PLACE)
    orders = {"easiest": ("value", not lower), "hardest": ("value", lower)}
    found: list[tuple[str, list[str]]] = []
    if any(whole["spread"]):
        orders["disputed"] = ("spread", True)
    for kind, (column, down) in orders.items():
        taken = [place for _, place in found]
        places = whole.sort(column, descending=down, maintain_order=True).select(PLACE).rows()
        fresh = [list(place) for place in places if list(place) not in taken]
        found += [(kind, place) for place in fresh[:MOST_SHOWN]]
    return found


def _score(value: float) -> str:
    """A judge's answer as it was given: whole numbers have no decimals."""
    return f"{int(value):,}" if float(value).is_integer() else spoken(value)


def _by_number(name: str) -> tuple[int, str]:
    """J2 before J10."""
    return len(name), name


def _sources(settings: ReportSettings) -> dict[tuple[str, str], str]:
    if settings.test_set is not None:
        parts = settings.test_set.segments()
        return {(document.id, segment.id): segment.source or "" for document, segment in parts}
    table = settings.translations
    if table is None or not {*PLACE, "source"} <= {*table.columns}:
        return {}
    rows = table.select(*PLACE, "source").unique(PLACE, keep="first").iter_rows()
    return {(str(document), str(segment)): str(source or "") for document, segment, source in rows}


def _metric_scores(settings: ReportSettings) -> pl.DataFrame | None:
    if settings.scores is None:
        return None
    frame = settings.scores.frame
    return frame if {*PLACE, "system"} <= {*frame.columns} else None


def sheet_section(sentences: Sequence[SheetSentence]) -> str:
    """The sentences as HTML: source, then a line for each translation."""
    told = paragraph(
        "What single sentences got, translation by translation, from the best to the worst.", "rem"
    )
    parts, last = [told], ""
    for one in sentences:
        if one.kind != last:
            parts.append(element("h3", words(KINDS[one.kind])))
        last = one.kind
        parts.append(_table(one))
    return "".join(parts)


def _table(one: SheetSentence) -> str:
    judges = sorted({j for row in one.rows for j in row.judges}, key=_by_number)[:MOST_JUDGES]
    metrics = list(dict.fromkeys(m for row in one.rows for m in row.metrics))[:MOST_METRICS]
    heads = element("th", "System", scope="col") + element("th", "Translation", scope="col")
    heads += "".join(
        element("th", words(name), scope="col", class_="num")
        for name in ("Mean", *judges, *metrics)
    )
    means = _mean_words([row.mean for row in one.rows])
    body = "".join(
        _line(row, mean, judges, metrics) for row, mean in zip(one.rows, means, strict=True)
    )
    table = element("table", f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody>")
    frame = element("div", table, class_="scroll", tabindex=0, role="group", aria_label=one.place)
    source = f": {one.source}" if one.source else ""
    return paragraph(f"{one.place}{source}", "cap block") + frame


def _mean_words(means: Sequence[float]) -> list[str]:
    """Means with the same number of decimals."""
    most = max(map(abs, means), default=0.0)
    return [spoken(mean, decimals(most) if most > 1 else 2) for mean in means]


def _line(row: SheetRow, mean: str, judges: Sequence[str], metrics: Sequence[str]) -> str:
    cells = [mean, *(row.judges.get(j, "") for j in judges)]
    cells += [row.metrics.get(m, "") for m in metrics]
    numbers = "".join(element("td", words(cell), class_="num") for cell in cells)
    head = element("th", words(row.system), scope="row")
    return element("tr", head + element("td", words(row.text), class_="text", dir="auto") + numbers)
