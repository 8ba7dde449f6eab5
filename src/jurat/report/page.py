"""A report as one HTML file: styles, script and figures inside, nothing from the network."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from jurat.report.compute import Report, Section
from jurat.report.fact_tables import (
    PLANNED,
    PUBLISHED,
    SIGNATURES,
    data_rows,
    method_rows,
    missing_rows,
    source_rows,
    unknown_facts,
)
from jurat.report.findings import findings, limits
from jurat.report.html import element, paragraph, table, words
from jurat.report.labels import HEADINGS, VALUES
from jurat.report.live.data import as_script
from jurat.report.marked_texts import marked_section
from jurat.report.paragraph import paragraph_text
from jurat.report.result_section import answer_block, folded_block
from jurat.report.result_texts import told, value_heading
from jurat.report.selected_sentences import sheet_section
from jurat.report.svg.canvas import Palette
from jurat.report.svg.style import figure_style
from jurat.report.systems_table import answer_ends, systems_tables

# What the filter's scripts share; then come the statistics, each of which adds itself.
FILTER = (
    "computed_results.js",
    "student_t.js",
    "linear_model.js",
    "cluster_inference.js",
    "systems.js",
    "answer_counts.js",
    "jackknife.js",
    "correlation.js",
    "resampling_units.js",
    "wins.js",
    "newton.js",
    "unit_test.js",
    "item_statistics.js",
    "krippendorff_alpha.js",
    "judge_pairs.js",
    "complete_table.js",
)
STATISTICS = "live/statistics"
# What shows them, at last the form, which starts the filter.
SHOWN_BY = (
    "number_words.js",
    "filter_data.js",
    "system_rows.js",
    "result_tables.js",
    "filter_form.js",
)


DATA = "Campaign and data"
MARKED = "Errors on their texts"
SHEET = "Single sentences"


def to_html(report: Report) -> bytes:
    """The whole page, in UTF-8."""
    style = _file("report.css") + figure_style()
    script = "\n".join(map(_file, _scripts(report)))
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"{element('title', words(report.settings.title))}"
        f"<style>{style}</style>"
    )
    body = element("main", _top(report) + _sections(report) + _method(report))
    whole = f'<!doctype html>\n<html lang="en">\n<head>{head}</head>\n<body>'
    data = f'<script type="application/json" id="live-data">{_data_of(report)}</script>\n'
    return (
        f"{whole}{body}\n{data if report.live else ''}<script>{script}</script></body>\n</html>\n"
    ).encode()


def _scripts(report: Report) -> list[str]:
    """The scripts that the page needs, in the order in which they use each other."""
    marked = ["marked_texts.js"] if report.marked else []
    return ["report.js", *(filter_scripts() if report.live else []), *marked]


def filter_scripts() -> list[str]:
    """The scripts of the filter."""
    statistics = files("jurat.report").joinpath(STATISTICS).iterdir()
    own = sorted(f"{STATISTICS}/{one.name}" for one in statistics if one.name.endswith(".js"))
    return [*(f"live/{name}" for name in FILTER), *own, *(f"live/{name}" for name in SHOWN_BY)]


def _data_of(report: Report) -> str:
    """The data of the filter, the colours of the systems, and what parts are called in tables."""
    colours = Palette(report.systems).classes
    measured = {
        result.name: value_heading(result)
        for section in report.sections
        for answer in section.answers
        for result in answer.known
    }
    wording = {"headings": HEADINGS, "values": VALUES, "measured": measured}
    return as_script({**(report.live or {}), "colours": colours, "wording": wording})


def _file(name: str) -> str:
    return files("jurat.report").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _top(report: Report) -> str:
    """Page one: title, findings and limits."""
    made = f" · {report.settings.made}" if report.settings.made else ""
    kind = element("p", words(f"Human evaluation report{made}"), class_="kind")
    said = "".join(
        element(
            "li",
            element(
                "span", _bold_first(f"{told(one.text)} {one.explained}".strip()) + _link(one.anchor)
            ),
        )
        for one in findings(report)
    )
    cared = "".join(
        element("li", words(capital(f"{f'{one.about}: ' if one.about else ''}{one.text}.")))
        for one in limits(report)
    ) or element("li", "Nothing unusual was noticed about the data.")
    return (
        kind
        + element("h1", words(report.settings.title))
        + (element("p", words(counts(report)), class_="meta") if report.judgments else "")
        + element(
            "div",
            element("section", element("h2", "Findings") + element("ol", said, class_="find"))
            + element(
                "section", element("h2", "What to mistrust") + element("ul", cared), class_="care"
            ),
            class_="top",
        )
        + _contents(report)
    )


def counts(report: Report) -> str:
    """How many judgments, judges and documents there are; empty without any."""
    if not report.judgments:
        return ""
    facts = dict(report.facts)
    meta = " · ".join(
        f"{facts[name]} {word}"
        for name, word in (("Judges", "judges"), ("Documents", "documents"))
        if facts.get(name, "")[:1].isdigit()
    )
    return " · ".join(filter(None, (f"{report.judgments:,} judgments", meta)))


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _bold_first(text: str) -> str:
    """The first sentence stands out; a full stop within a number or name ends none."""
    first, stop, rest = text.partition(". ")
    return element("b", words(first + stop.strip())) + (f" {words(rest)}" if rest else "")


def _link(anchor: str) -> str:
    return f' <a href="#{anchor}" class="more">numbers</a>'


def _contents(report: Report) -> str:
    there = [("filter", "Filter")] if report.live else []
    there += [("published", "Published numbers")] if report.settings.published else []
    there += [("data", DATA)] if report.facts else []
    there += [(s.kind.name, s.kind.title) for s in report.sections if s.answers]
    there += [("sheet", SHEET)] if report.sheet else []
    there += [("marked", MARKED)] if report.marked else []
    there += [("missing", "Not in this report"), ("method", "Data and method")]
    links = "".join(
        # the filter needs a script, which shows it
        element("li", f'<a href="#{name}">{words(title)}</a>', hidden=name == "filter")
        for name, title in there
    )
    return element("nav", element("ul", links), class_="noprint", aria_label="Sections")


def _sections(report: Report) -> str:
    palette = Palette(report.systems)
    parts = [_published(report), _data(report) if report.facts else ""]
    parts += [_filter()] if report.live else []
    parts += [_section(section, report, palette) for section in report.sections if section.answers]
    if report.sheet:
        inner = element("h2", SHEET) + sheet_section(report.sheet)
        parts.append(element("section", inner, id="sheet"))
    if report.marked:
        inner = element("h2", MARKED) + marked_section(report.marked)
        parts.append(element("section", inner, id="marked"))
    return "".join([*parts, _missing(report)])


def _published(report: Report) -> str:
    """The published numbers of a study beside the recomputed ones; nothing for other data."""
    settings = report.settings
    if not settings.published:
        return ""
    rows = [list(row) for row in settings.published]
    shown = table(
        list(PUBLISHED), rows, numeric=frozenset(PUBLISHED[1:]), label="Published numbers"
    )
    told = paragraph(settings.published_summary, "cap")
    return element("section", element("h2", "Published numbers") + told + shown, id="published")


def _filter() -> str:
    """The frame of the filter, which the script fills and shows."""
    told = paragraph(
        "Numbers, intervals and clusters are computed anew in this page, as Jurat computes them. "
        "What cannot be is grey.",
    )
    status = element("p", "", role="status")
    reset = element("p", element("button", "Reset", type="reset"))
    head = element("summary", "Leave out judges, systems, documents or kinds of text")
    folded = element("details", head + told + element("form", reset))
    inner = element("h2", "Filter") + folded + status
    return element("section", inner, id="filter", class_="noprint", hidden=True)


def _data(report: Report) -> str:
    shown = table(["Corpus", ""], data_rows(report), label="What was judged, by whom, and how")
    unknown = unknown_facts(report)
    told = paragraph(unknown, "rem") if unknown else ""
    inner = element("h2", DATA) + shown + told + _planned(report)
    return element("section", inner, id="data")


def _planned(report: Report) -> str:
    """What was planned beside what was done; nothing where no plan was recorded."""
    settings = report.settings
    if not settings.planned:
        return ""
    rows = [list(row) for row in settings.planned]
    shown = table(list(PLANNED), rows, label="What was planned and what was done")
    return (
        element("h3", "Planned and done") + shown + paragraph(f"{capital(settings.frozen)}.", "rem")
    )


def _section(section: Section, report: Report, palette: Palette) -> str:
    kind = section.kind
    first = [a for a in section.answers if a.statistic.name in kind.first]
    rest = [a for a in section.answers if a not in first]
    parts = [element("h2", words(kind.title))]
    if section.remark:
        parts.append(paragraph(section.remark, "rem"))
    if kind.name in ("systems", "heval"):
        ends = answer_ends(report) if kind.name == "systems" else None
        parts.append(systems_tables(section, palette, report.settings.confidence, ends))
    parts += [answer_block(answer, kind.name, palette) for answer in first]
    parts += [folded_block(answer, kind.name, palette) for answer in rest]
    if section.left_out:
        told = " ".join(section.left_out)
        parts.append(
            paragraph(f"Left out for so many judgments; jurat {kind.command} tells: {told}", "rem")
        )
    return element("section", "".join(parts), id=kind.name)


def _missing(report: Report) -> str:
    """The sections that do not apply, and what they would need."""
    rows = missing_rows(report)
    if not report.sections:
        inner = paragraph("No judgments are published, so that there is nothing to analyse.")
    elif not rows:
        inner = paragraph("Every section applies to these data.")
    else:
        inner = table(["Section", "What it would need"], rows, label="Sections left out")
    return element("section", element("h2", "Not in this report") + inner, id="missing")


def _method(report: Report) -> str:
    sources = table(["Question", "After"], source_rows(report), label="Where the methods come from")
    folded = element("details", element("summary", "Where the methods come from") + sources)
    rows = method_rows(report)
    inner = table(["Data and method", ""], rows, label="How the numbers were computed")
    if not report.sections:
        return element("section", element("h2", "Data and method") + inner, id="method")
    told = paragraph(SIGNATURES, "rem")
    ready = element("h3", "A paragraph for a paper") + paragraph(paragraph_text(report), "block")
    whole = element("h2", "Data and method") + inner + told + folded + ready
    return element("section", whole, id="method")
