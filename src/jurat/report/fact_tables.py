"""The tables of a report that are no results: what was judged, what is missing, how it was done."""

from __future__ import annotations

from jurat import __version__
from jurat.report.compute import Report
from jurat.report.corpus import UNKNOWN
from jurat.stats.phrases import listed

Rows = list[list[str]]


def data_rows(report: Report) -> Rows:
    """The corpus table, as far as it is known, and a campaign's tasks."""
    known = [[name, value] for name, value in report.facts if value != UNKNOWN]
    return known + [[name, value] for name, value in report.settings.design.items()]


def unknown_facts(report: Report) -> str:
    """What the data do not tell, in words; empty where they tell all."""
    unknown = [name.lower() for name, value in report.facts if value == UNKNOWN]
    return f"The data do not tell: {listed(unknown, len(unknown))}." if unknown else ""


def missing_rows(report: Report) -> Rows:
    """The sections that do not apply, and what they would need."""
    return [[s.kind.title, s.kind.needs] for s in report.sections if not s.answers]


def method_rows(report: Report) -> Rows:
    """How the numbers came about."""
    settings = report.settings
    software = ["Software", f"Jurat {__version__}"]
    if not report.sections:
        return [software]
    return [
        software,
        ["Files", ", ".join(dict.fromkeys(settings.files)) or "the campaign's judgments"],
        ["Fingerprint of the data", report.fingerprint],
        ["Random seed", str(settings.seed)],
        ["Bootstrap resamples", f"{settings.bootstrap:,}"],
        ["Confidence level", f"{100 * settings.confidence:g} %"],
        ["Good scores", "low ones" if settings.lower_better else "high ones"],
        ["Names of judges", "as in the data" if settings.judge_names else "pseudonyms"],
    ]


def source_rows(report: Report) -> Rows:
    """The questions that were answered, and where their methods come from."""
    used = {a.statistic.asks: a.statistic.source for s in report.sections for a in s.answers}
    return [[asks, source] for asks, source in used.items()]


# The columns of a study's published numbers.
PUBLISHED = ("Number", "Published", "Recomputed", "Difference")
# The columns of the plan that was recorded before judging.
PLANNED = ("What", "Planned", "Done")
SIGNATURES = (
    "Every number has a signature below its table: the statistic, the numbers of judges and "
    "items, every option that changes it, the fingerprint of the data, and the version of "
    "Jurat. The same signature means the same number."
)
