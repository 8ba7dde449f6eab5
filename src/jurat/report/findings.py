"""Page one: the statistics' own headlines in the order of a reader, and what to mistrust."""

from __future__ import annotations

import re
from typing import NamedTuple

from jurat.report.compute import Report, Section
from jurat.report.corpus import UNKNOWN

# The statistics whose headlines are findings, by section; of a bracket the first that is there.
ORDER: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("systems", (("system-score", "system-wins"), ("system-cluster",), ("pairwise-p",))),
    ("heval", (("heval-score",),)),
    ("preferences", (("preference-share", "preference-wins"), ("preference-kappa",))),
    ("agreement", (("krippendorff-alpha",), ("n-agreement",))),
    ("judges", (("judge-outlier",), ("removal-score",))),
    ("bias", (("group-mean",), ("group-mean-p",), ("cohen-kappa",))),
    ("metaeval", (("metric-pearson", "metric-consistency"), ("metric-threshold",))),
    ("time", (("seconds-mean",),)),
    ("fatigue", (("quality-fall", "slice-trend"),)),
)


EXPLAINED = {
    "krippendorff-alpha": "1 is full agreement, 0 what chance would give.",
    "cohen-kappa": "1 is full agreement, 0 what chance would give.",
    "preference-kappa": "1 is full agreement, 0 what chance would give.",
}


class Finding(NamedTuple):
    """A headline, and the place of the numbers behind it."""

    text: str
    anchor: str
    explained: str = ""
    """What the number means, where its name does not say it."""


class Limit(NamedTuple):
    """Why a number is less sure than it looks, or what was noticed about the data."""

    text: str
    about: str = ""


def findings(report: Report) -> list[Finding]:
    """The headlines of the main statistics that could be computed."""
    found = []
    for name, brackets in ORDER:
        section = report.section(name)
        if section is not None:
            found += [f for bracket in brackets if (f := _first(section, bracket))]
    return found


def _first(section: Section, names: tuple[str, ...]) -> Finding | None:
    for name in names:
        result = section.result(name)
        if result is not None and result.headline:
            anchor = f"{section.kind.name}-{name}"
            return Finding(result.headline, anchor, EXPLAINED.get(name, ""))
    return None


def limits(report: Report) -> list[Limit]:
    """Notes about the data, then the notes on main results, each said once."""
    found = [Limit(note) for note in report.notes]
    found += [Limit(doubt) for doubt in _doubts(report)]
    if dict(report.facts).get("Judges") == UNKNOWN:
        found.append(Limit(NO_JUDGES))
    about: dict[str, dict[str, list[str]]] = {}
    for section in report.sections:
        first = [a for a in section.answers if a.statistic.name in (*section.kind.first, *MAIN)]
        for answer in first:
            notes = dict.fromkeys(e.note for r in answer.known for e in r.estimates if e.note)
            for note in dict.fromkeys(part for whole in notes for part in _JOINT.split(whole)):
                alike = about.setdefault(_NUMBER.sub("0", note), {})
                alike.setdefault(note, []).append(section.kind.title)
    return found + [_one_limit(alike) for alike in about.values()]


def _doubts(report: Report) -> list[str]:
    """What intervals and tests had to assume, as the methods of all results say it."""
    methods = [r.method for s in report.sections for a in s.answers for r in a.known]
    clauses = [clause.strip() for method in methods for clause in method.split(";")]
    return list(dict.fromkeys(c.rstrip(".") for c in clauses if c.startswith(ASSUMED)))


def _one_limit(alike: dict[str, list[str]]) -> Limit:
    """Notes that differ in their numbers alone, as one: `1, 2 or 4 documents …`."""
    titles = ", ".join(dict.fromkeys(title for one in alike.values() for title in one))
    numbers = sorted({n for note in alike for n in _NUMBER.findall(note)}, key=int)
    longest = max(alike, key=len)
    if len(alike) > 1 and all(len(_NUMBER.findall(note)) == 1 for note in alike):
        spread = (
            f"{', '.join(numbers[:-1])} or {numbers[-1]}"
            if len(numbers) < 5
            else (f"{numbers[0]} to {numbers[-1]}")
        )
        return Limit(_NUMBER.sub(spread, longest), titles)
    return Limit(longest, titles)


NO_JUDGES = "the data do not name judges: how far they agree, and what one of them does, is unknown"
_NUMBER = re.compile(r"\d+")
# Between two notes on one number; a note may have a comma of its own.
_JOINT = re.compile(r", (?!or |and |but |so )")
# How clauses of methods begin that say what is unknown about the data.
ASSUMED = ("documents are unknown",)
MAIN = ("system-score", "system-rank")
