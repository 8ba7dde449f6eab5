"""The first table of a report: systems with cluster, rank, score and a drawn interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from jurat.report.compute import Report, Section
from jurat.report.html import element, paragraph, words
from jurat.report.live.packed import split_key
from jurat.report.result_texts import names_adjusted_scores, noted
from jurat.report.svg.canvas import Palette, Scale, label, line, percent, tick_labels
from jurat.results import Estimate, Key, Result, spoken
from jurat.stats.phrases import listed

# What may stand for a system's score, best first; then the heading of its column.
SCORES = {"system-score": "Mean", "system-wins": "Share of wins", "heval-score": "HEval score"}
# What these scores are, in the caption.
ABOUT = {
    "system-score": "Mean of the judgments",
    "system-wins": "How often a system is better than another one, in the mean over the others",
    "heval-score": "Mean of the features' scores",
}
ADJUSTED = (
    " The order is that of their adjusted scores, since they were judged by different judges or on "
    "different sentences."
)
# The heading of their column.
ADJUSTED_HEAD = "Adjusted score"
CLUSTERS = " Lines separate clusters of systems that differ reliably."
TOPS = " Top answers are those at the best point of the scale."
BEYOND = (
    "Where an interval reaches beyond all answers, too few documents or judges tell how far the "
    "score may be off."
)
# The lowest and the highest answer.
Ends = tuple[float, float]
Split = tuple[tuple[str, Key], ...]


# Tables that are shown at once; such as those of the eleven features of HEval are folded.
MOST_TABLES = 3


class SystemRow(NamedTuple):
    """A system's line: its score, and its rank, cluster and share of top answers if known.

    `adjusted` is its adjusted score, where the headline ranks systems by that.
    """

    system: str
    score: Estimate
    rank: Estimate | None
    cluster: Estimate | None
    top: Estimate | None
    adjusted: Estimate | None = None


def systems_tables(
    section: Section, palette: Palette, confidence: float, ends: Mapping[Key, Ends] | None = None
) -> str:
    """A table for each question and split; nothing where systems have no scores.

    `ends` are the lowest and the highest answer to each question, as far as they are known.
    """
    score = system_scores(section)
    if score is None:
        return ""
    tables = [
        _table(split, rows, score, palette, confidence, remark=remarks(split, rows, ends or {}))
        for split, rows in splits(section, score)
    ]
    shown, rest = tables[:MOST_TABLES], tables[MOST_TABLES:]
    head = element("summary", element("b", f"Systems in {len(rest)} more questions or parts"))
    folded = element("details", head + "".join(rest), class_="fold") if rest else ""
    return "".join(shown) + folded


def answer_ends(report: Report) -> dict[Key, Ends]:
    """The lowest and the highest answer to each question, where answers are numbers."""
    section = report.section("agreement")
    shares = section.result("answer-share") if section else None
    given: dict[Key, list[float]] = {}
    for one in shares.estimates if shares else ():
        answer = one.by.get("answer")
        if isinstance(answer, int | float):
            given.setdefault(one.by.get("question", ""), []).append(float(answer))
    return {question: (min(values), max(values)) for question, values in given.items()}


def remarks(split: Split, rows: Sequence[SystemRow], ends: Mapping[Key, Ends]) -> str:
    """Why systems have no interval, and what one beyond all answers means; empty for neither."""
    why: dict[str, list[str]] = {}
    for row in rows:
        if row.score.low is None and row.score.note:
            why.setdefault(noted(row.score.note), []).append(row.system)
    told = [f"No interval for {listed(names, 8)}: {note}." for note, names in why.items()]
    least, most = ends.get(dict(split).get("question", ""), (-math.inf, math.inf))
    reached = [end for row in rows for end in (row.score.low, row.score.high) if end is not None]
    if any(not least <= end <= most for end in reached):
        told.append(BEYOND)
    return " ".join(told)


def system_scores(section: Section) -> Result | None:
    """What stands for the systems' scores in a section; None where nothing does."""
    return next((r for name in SCORES if (r := section.result(name))), None)


def splits(section: Section, score: Result) -> Iterator[tuple[Split, list[SystemRow]]]:
    """The systems of each question and split, best first."""
    known = [e for e in score.estimates if e.value is not None and "system" in e.by]
    named = [f"system-{name}" for name in ("rank", "cluster", "top")]
    ranked_by = ["adjusted-score"] if names_adjusted_scores(score) else []
    others = [_by_system(section.result(name)) for name in (*named, *ranked_by)]
    found_splits: dict[Split, list[SystemRow]] = {}
    for estimate in known:
        key = _key(estimate)
        split = tuple((name, value) for name, value in key if name != "system")
        row = SystemRow(str(estimate.by["system"]), estimate, *(found.get(key) for found in others))
        found_splits.setdefault(split, []).append(row)
    for split, rows in found_splits.items():
        # By rank where there is one: it knows whether high or low scores are good. Only HEval's
        # have none, of which high ones are.
        place = {
            row.system: (row.rank.value or 0.0) if row.rank else -(row.score.value or 0.0)
            for row in rows
        }
        yield split, sorted(rows, key=lambda row: place[row.system])


def _key(estimate: Estimate) -> Split:
    return tuple(sorted({**estimate.tags, **estimate.by}.items()))


def _by_system(result: Result | None) -> dict[Split, Estimate]:
    # the first of each: answers that score systems may compare them too, under the same question
    known = [e for e in result.estimates if e.value is not None] if result else []
    return {_key(e): e for e in reversed(known)}


def _table(
    split: Split,
    rows: list[SystemRow],
    score: Result,
    palette: Palette,
    confidence: float,
    *,
    remark: str,
) -> str:
    ends = [end for row in rows for end in (row.score.value, row.score.low, row.score.high)]
    scale = Scale.of(ends, zero=False)
    colours = palette.of([row.system for row in rows])
    tops = any(row.top for row in rows)
    adjusted = any(row.adjusted for row in rows)
    ranked = any(row.rank for row in rows)
    heads = [
        *([_head("Cluster")] if ranked else []),
        _head("System"),
        # a phone has no room for both; the order tells the rank
        *([_head("Rank", "num opt" if adjusted else "num")] if ranked else []),
        *([_head(ADJUSTED_HEAD, "num")] if adjusted else []),
        _head(SCORES[score.name], "num"),
        _head(interval_head(rows, confidence), "num opt"),
        _axis_head(scale),
        *([_head("Top answers", "num opt")] if tops else []),
        _head("Judgments", "num opt"),
    ]
    body, last = [], None
    for row in rows:
        cluster = row.cluster.value if row.cluster else None
        class_ = "new" if cluster != last or row is rows[0] else None
        cells = _cells(
            row,
            scale,
            colours[row.system],
            tops=tops,
            adjusted=adjusted,
            ranked=ranked,
            first=class_ is not None,
        )
        body.append(element("tr", cells, class_=class_))
        last = cluster
    about = ", ".join(f"{name} {value}" for name, value in split)
    told = caption_words(score, rows) + (TOPS if tops else "")
    caption = element("b", words(f"Systems{f' ({about})' if about else ''}.")) + words(f" {told}")
    whole = element("thead", element("tr", "".join(heads))) + element("tbody", "".join(body))
    sign = element("p", words(score.signature), class_="sign")
    below = (paragraph(remark, "rem whole-only") if remark else "") + sign
    inner = element("p", caption, class_="cap") + element("table", whole) + below
    return element("div", inner, class_="tab", data_split=split_key(dict(split), {}))


def caption_words(score: Result, rows: Sequence[SystemRow]) -> str:
    """What the scores are, why they stand in this order, and what the lines mean."""
    adjusted = names_adjusted_scores(score)
    drawn = any(row.cluster for row in rows)
    said = ABOUT[score.name]
    return f"{said}.{ADJUSTED if adjusted else ''}{CLUSTERS if drawn else ''}"


def _head(text: str, class_: str | None = None) -> str:
    return element("th", words(text), scope="col", class_=class_)


def _axis_head(scale: Scale) -> str:
    ticks = scale.ticks(4)
    texts = [
        label(
            text,
            percent(scale.share(tick)),
            11,
            anchor="middle",
            class_="mid" if 0 < n < len(ticks) - 1 else "",
        )
        for n, (tick, text) in enumerate(zip(ticks, tick_labels(ticks), strict=True))
    ]
    axis = element("svg", "".join(texts), class_="ci", height=14, aria_hidden="true")
    named = element("span", "Interval, drawn", class_="unseen")
    return element("th", axis + named, scope="col", class_="bars")


def _cells(
    row: SystemRow,
    scale: Scale,
    colour: str,
    *,
    tops: bool,
    adjusted: bool,
    ranked: bool,
    first: bool,
) -> str:
    it = row.score
    cluster = spoken(int(row.cluster.value or 0)) if row.cluster and first else ""
    place = "num opt" if adjusted else "num"
    cells = [
        *([element("td", words(cluster))] if ranked else []),
        element("th", words(row.system), scope="row"),
        *([element("td", words(rank_range(row.rank)), class_=place)] if ranked else []),
        *([element("td", words(adjusted_score(row)), class_="num")] if adjusted else []),
        element("td", element("b", words(spoken(it.value))), class_="num"),
        element("td", words(reach(it)), class_="num opt"),
        element("td", _drawn(it, scale, colour), class_="bars"),
    ]
    if tops:
        share = f"{100 * (row.top.value or 0):.0f} %" if row.top else "–"
        cells.append(element("td", share, class_="num opt"))
    return "".join([*cells, element("td", f"{it.n:,}", class_="num opt")])


def rank_range(rank: Estimate | None) -> str:
    """The ranks that a system may have, such as 1–3."""
    if rank is None:
        return "–"
    low, high = rank.low, rank.high
    if low is None or high is None or low == high:
        return f"{rank.value:g}"
    return f"{low:g}–{high:g}"


def interval_head(rows: Sequence[SystemRow], confidence: float) -> str:
    """The heading of the intervals: of the mean, where adjusted scores stand beside it."""
    level = f"{100 * confidence:g} % interval"
    return f"{level} of the mean" if any(row.adjusted for row in rows) else level


def adjusted_score(row: SystemRow) -> str:
    """The adjusted score of a row in words."""
    return spoken(row.adjusted.value) if row.adjusted else "–"


def reach(estimate: Estimate) -> str:
    """The interval of a score in words."""
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{spoken(estimate.low)} to {spoken(estimate.high)}"


def _drawn(estimate: Estimate, scale: Scale, colour: str) -> str:
    grid = "".join(
        line(percent(scale.share(t)), 0, percent(scale.share(t)), 22, "g") for t in scale.ticks(4)
    )
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        low, high = (percent(scale.share(end)) for end in (estimate.low, estimate.high))
        interval = line(low, 11, high, 11, f"e {colour}")
    at = percent(scale.share(estimate.value or 0.0))
    dot = element("circle", cx=at, cy=11, r=4, class_=colour)
    return element(
        "svg",
        grid + interval + dot,
        class_="ci",
        height=22,
        role="img",
        aria_label=f"{spoken(estimate.value)}, {reach(estimate)}",
    )
