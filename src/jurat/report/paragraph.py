"""A "Human evaluation" paragraph for a paper, from what the report knows; it claims nothing new."""

from __future__ import annotations

from jurat import __version__
from jurat.report.compute import Report
from jurat.report.corpus import UNKNOWN
from jurat.report.result_texts import told

# The headlines that a reader of a paper expects, by section.
HEADLINES = (
    ("systems", ("system-score", "system-wins")),
    ("systems", ("system-cluster",)),
    ("preferences", ("preference-kappa",)),
    ("agreement", ("krippendorff-alpha",)),
)


def paragraph_text(report: Report) -> str:
    """Who judged what, how the numbers came about, and the main findings with their intervals."""
    parts = [_judged(report), *_findings(report), _method(report)]
    return " ".join(part for part in parts if part)


def _judged(report: Report) -> str:
    facts = {name: value for name, value in report.facts if value != UNKNOWN}
    who = f"{facts['Judges']} judges gave" if "Judges" in facts else "We use"
    counts = [
        f"{facts[name]} {name.lower()}" for name in ("Segments", "Documents") if name in facts
    ]
    of = f" of {' from '.join(counts)}" if counts else ""
    by = f", translated by {len(report.systems)} systems" if report.systems else ""
    languages = f" ({facts['Languages']})" if "Languages" in facts else ""
    number, _, asked = facts.get("Questions", "").partition(": ")
    about = f" The question{' was' if number == '1' else 's were'} {asked}." if asked else ""
    return f"{who} {report.judgments:,} judgments{of}{by}{languages}.{about}"


def _findings(report: Report) -> list[str]:
    found = []
    for name, names in HEADLINES:
        section = report.section(name)
        results = [section.result(one) for one in names] if section else []
        found += [told(r.headline) for r in results if r is not None and r.headline][:1]
    return found


def _method(report: Report) -> str:
    settings = report.settings
    return (
        f"Intervals in brackets are at the level of {100 * settings.confidence:g} %. Numbers were "
        f"computed with Jurat {__version__} (seed {settings.seed}, data {report.fingerprint})."
    )
