"""A report as PDF, typeset by typst with fonts of its own: it needs no network and no browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

import msgspec

from jurat import __version__
from jurat.errors import input_error
from jurat.report.compute import Answer, Report, Section
from jurat.report.fact_tables import (
    PLANNED,
    PUBLISHED,
    SIGNATURES,
    Rows,
    data_rows,
    method_rows,
    missing_rows,
    source_rows,
    unknown_facts,
)
from jurat.report.findings import findings, limits
from jurat.report.page import capital, counts
from jurat.report.paper_figures import PaperFigure, drawn_once
from jurat.report.paragraph import paragraph_text
from jurat.report.result_texts import result_table, told, value_heading, with_footnotes
from jurat.report.svg.canvas import Palette
from jurat.report.svg.standalone import StandaloneFigure, colours
from jurat.report.systems_table import (
    ADJUSTED_HEAD,
    SCORES,
    Ends,
    adjusted_score,
    answer_ends,
    caption_words,
    interval_head,
    rank_range,
    reach,
    remarks,
    splits,
    system_scores,
)
from jurat.results import NUMERIC, Key, Result, spoken

# Rows of a table on paper; of a longer one the first few are shown, and the CSV files have all.
MOST_ROWS, FIRST_ROWS = 30, 10
# Pixels of a figure's height for which a page has room, beside headings and caption.
PAGE = 880.0
SMALLEST = 0.5
TOO_HIGH = "The figure is too high for a page: --paper writes it as a file."
# The fonts that come with typst: letters they lack are looked for among the system's.
FONT = "Libertinus Serif"
Block = dict[str, Any]


def to_pdf(report: Report) -> bytes:
    """The report as a tagged PDF file; raises `InputError` if typst is not installed."""
    try:
        import typst
    except ModuleNotFoundError as error:
        needed = "PDF files need the extra 'pdf': pip install 'jurat[pdf]'"
        raise input_error(needed) from error
    given = msgspec.json.encode(_document(report)).decode()
    template = files("jurat.report").joinpath("report.typ").read_bytes()
    made: bytes = typst.compile(template, format="pdf", sys_inputs={"report": given})
    return made


def _document(report: Report) -> Block:
    """What is on paper, in its order."""
    settings = report.settings
    made = f" · {settings.made}" if settings.made else ""
    return {
        "title": settings.title,
        "kicker": f"Human evaluation report{made}",
        "counts": counts(report),
        "footer": f"{settings.title} · Jurat {__version__}",
        "accent": colours()["accent"],
        "blocks": list(_blocks(report)),
    }


def _blocks(report: Report) -> Iterator[Block]:
    yield _section("Findings")
    yield {
        "kind": "findings",
        "items": [
            _first_sentence(f"{told(one.text)} {one.explained}".strip()) for one in findings(report)
        ],
    }
    yield _section("What to mistrust")
    cared = [
        capital(f"{f'{one.about}: ' if one.about else ''}{one.text}.") for one in limits(report)
    ]
    yield {"kind": "list", "items": cared or ["Nothing unusual was noticed about the data."]}
    if report.settings.published:
        yield _section("Published numbers")
        yield {"kind": "text", "text": report.settings.published_summary}
        numbers = [list(row) for row in report.settings.published]
        yield _table(PUBLISHED, numbers, numeric=PUBLISHED[1:], all_rows=True)
    if report.facts:
        yield _section("Campaign and data")
        yield _table(["Corpus", ""], data_rows(report))
        yield {"kind": "remark", "text": unknown_facts(report)}
    if report.settings.planned:
        yield {"kind": "question", "text": "Planned and done"}
        planned = [list(row) for row in report.settings.planned]
        yield _table(PLANNED, planned, method=f"{capital(report.settings.frozen)}.")
    palette = Palette(report.systems)
    for section in report.sections:
        if section.answers:
            yield from _section_blocks(section, report, palette)
    if missing := missing_rows(report):
        yield _section("Not in this report")
        yield _table(["Section", "What it would need"], missing)
    yield from _method_blocks(report)


def _section_blocks(section: Section, report: Report, palette: Palette) -> Iterator[Block]:
    kind = section.kind
    yield _section(kind.title)
    if section.remark:
        yield {"kind": "remark", "text": section.remark}
    if kind.name in ("systems", "heval"):
        ends = answer_ends(report) if kind.name == "systems" else {}
        yield from _systems(section, report.settings.confidence, ends)
    for answer in section.answers:
        if answer.statistic.name in kind.first:
            yield {"kind": "question", "text": answer.statistic.asks}
            yield from _answer(answer, palette)
    rest = [a for a in section.answers if a.statistic.name not in kind.first and a.headline]
    if rest:
        yield {"kind": "question", "text": "In short"}
        told_shortly = [
            {"first": answer.statistic.asks, "rest": told(answer.headline, answer.statistic.asks)}
            for answer in rest
        ]
        yield {"kind": "terms", "items": told_shortly}
    if section.left_out:
        left = f"Left out for so many judgments; jurat {kind.command} tells: "
        yield {"kind": "remark", "text": left + " ".join(section.left_out)}


def _systems(section: Section, confidence: float, ends: Mapping[Key, Ends]) -> Iterator[Block]:
    score = system_scores(section)
    if score is None:
        return
    for split, rows in splits(section, score):
        adjusted = any(row.adjusted for row in rows)
        ranked_by = [ADJUSTED_HEAD] if adjusted else []
        places = any(row.rank for row in rows)
        columns = ["Cluster", "System", "Rank"] if places else ["System"]
        columns += [*ranked_by, SCORES[score.name], interval_head(rows, confidence), "Judgments"]
        cells: Rows = []
        rules: list[int] = []
        last = None
        for n, row in enumerate(rows):
            cluster = row.cluster.value if row.cluster else None
            new = n == 0 or cluster != last
            if new and n:
                rules.append(n)
            told_cluster = spoken(int(cluster)) if new and cluster is not None else ""
            fair = [adjusted_score(row)] if adjusted else []
            numbers = [*fair, spoken(row.score.value), reach(row.score)]
            named = [told_cluster, row.system, rank_range(row.rank)] if places else [row.system]
            cells.append([*named, *numbers, f"{row.score.n:,}"])
            last = cluster
        about = ", ".join(f"{name} {value}" for name, value in split)
        method = f"{caption_words(score, rows)} {remarks(split, rows, ends)}".strip()
        yield _table(
            columns,
            cells,
            numeric=columns[2 if places else 1 :],
            caption=f"Systems ({about})" if about else "Systems",
            method=method,
            signature=score.signature,
            rules=rules,
        )


def _answer(answer: Answer, palette: Palette) -> Iterator[Block]:
    """Figures and tables of a question; results without a headline are in the files alone."""
    drawn = drawn_once(answer, palette, font=FONT)
    for n, result in enumerate(answer.known):
        headline = told(result.headline, answer.statistic.asks)
        if n and not headline:
            continue
        picture = drawn.get(id(result))
        if picture is not None:
            yield from _figures(picture, headline)
            headline = ""
        yield _result_table(replace(result, headline=headline))


def _figures(picture: PaperFigure, headline: str) -> Iterator[Block]:
    """A figure; one higher than a page by its rows of facets, as small as letters can be read."""
    parts: Sequence[PaperFigure | StandaloneFigure] = [picture]
    if picture.height > PAGE:
        parts = picture.rows
    for n, part in enumerate(parts):
        share = min(1.0, PAGE / part.height)
        if share < SMALLEST:
            yield {"kind": "text", "text": headline}
            yield {"kind": "remark", "text": TOO_HIGH}
            return
        yield {
            "kind": "figure",
            "caption": "" if n else headline,
            "title": "" if n else picture.title,
            "svg": part.svg,
            "alternative": part.alternative,
            "share": share,
        }


def _result_table(result: Result) -> Block:
    columns, rows = result_table(result)
    heads = [value_heading(result) if name == "value" else name for name in columns]
    rows, told_notes = with_footnotes(columns, rows)
    return _table(
        heads,
        rows,
        numeric=[head for head, name in zip(heads, columns, strict=True) if name in NUMERIC],
        caption=result.headline,
        method=f"{told_notes} {capital(result.method)}.".strip(),
        signature=result.signature,
    )


def _method_blocks(report: Report) -> Iterator[Block]:
    yield _section("Data and method")
    yield _table(["Data and method", ""], method_rows(report))
    if not report.sections:
        return
    yield {"kind": "remark", "text": SIGNATURES}
    yield {"kind": "question", "text": "Where the methods come from"}
    yield _table(["Question", "After"], source_rows(report), all_rows=True)
    yield {"kind": "question", "text": "A paragraph for a paper"}
    yield {"kind": "text", "text": paragraph_text(report)}


def _section(title: str) -> Block:
    return {"kind": "section", "text": title}


def _first_sentence(text: str) -> Block:
    """A finding whose first sentence stands out."""
    first, stop, rest = text.partition(". ")
    return {"first": first + stop.strip(), "rest": rest}


def _table(
    columns: Sequence[str],
    rows: Rows,
    *,
    numeric: Sequence[str] = (),
    caption: str = "",
    method: str = "",
    signature: str = "",
    rules: Sequence[int] = (),
    all_rows: bool = False,
) -> Block:
    shown = rows if all_rows or len(rows) <= MOST_ROWS else rows[:FIRST_ROWS]
    return {
        "kind": "table",
        "columns": list(columns),
        "numeric": [name in numeric for name in columns],
        "rows": shown,
        "left": len(rows) - len(shown),
        "rules": list(rules),
        "caption": caption,
        "method": method,
        "signature": signature,
    }
