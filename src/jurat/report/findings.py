"""Page one: the statistics' own headlines in the order of a reader, and what to mistrust."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jurat.report.compute import Report, Section
from jurat.report.corpus import UNKNOWN
from jurat.report.result_texts import noted
from jurat.results import Estimate, Result
from jurat.stats.phrases import listed

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


PAIRS_DIFFER = "Some pairs of systems differ all the same."


class Finding(NamedTuple):
    """A headline, and the place of the numbers behind it."""

    text: str
    anchor: str
    explained: str = ""
    """What the number means, where its name does not say it."""


class _Noted(NamedTuple):
    """A note on numbers of a section, and whether it is on some of them alone."""

    note: str
    title: str
    some: bool


class Limit(NamedTuple):
    """Why a number is less sure than it looks, or what was noticed about the data."""

    text: str
    about: str = ""


def findings(report: Report) -> list[Finding]:
    """The headlines of the main statistics that could be computed."""
    if not report.sections and report.settings.published_summary:
        return [Finding(report.settings.published_summary, "published")]
    found = []
    for name, brackets in ORDER:
        section = report.section(name)
        if section is not None:
            level = 1 - report.settings.confidence
            found += [f for bracket in brackets if (f := _first(section, bracket, level))]
    return found


def _first(section: Section, names: tuple[str, ...], level: float) -> Finding | None:
    for name in names:
        result = section.result(name)
        if result is not None and result.headline:
            anchor = f"{section.kind.name}-{name}"
            explained = EXPLAINED.get(name, "")
            if name == "system-cluster" and _only_pairs_differ(section, result, level):
                explained = PAIRS_DIFFER
            return Finding(result.headline, anchor, explained)
    return None


def _only_pairs_differ(section: Section, clusters: Result, level: float) -> bool:
    """Whether some pairs of systems are told apart, though all systems are one cluster."""
    tests = section.result("pairwise-p")
    one = all(e.value in (None, 1) for e in clusters.estimates)
    p_values = [e.value for e in tests.estimates if e.value is not None] if tests else []
    return one and any(p < level for p in p_values)


def limits(report: Report) -> list[Limit]:
    """Notes about the data, then the notes on main results, each said once."""
    found = [Limit(noted(note)) for note in report.notes]
    found += [Limit(doubt) for doubt in _doubts(report)]
    if dict(report.facts).get("Judges") == UNKNOWN:
        found.append(Limit(NO_JUDGES))
    elif _unshared(report):
        found.append(Limit(NOTHING_SHARED))
    return found + _noted_limits(report)


def _unshared(report: Report) -> bool:
    """Whether answers have judges, of whom no two answered about the same item."""
    section = report.section("agreement")
    return section is not None and section.result("n-agreement") is None and not section.left_out


def _noted_limits(report: Report) -> list[Limit]:
    """The notes on numbers, those alike but for their numbers as one, with their sections."""
    about: dict[str, list[_Noted]] = {}
    for section in report.sections:
        shown = [a for a in section.answers if a.statistic.name in (*section.kind.first, *MAIN)]
        estimates = [e for answer in shown for r in answer.known for e in r.estimates]
        counts = Counter(part for e in estimates for part in _causes(e))
        known = sum(e.value is not None for e in estimates)
        for note, n in counts.items():
            # where most numbers have none, a note is no word on the section
            some = 2 * n < known
            one = _Noted(note, section.kind.title, some)
            about.setdefault(_alike(note), []).append(one)
    doubts = {key: about.pop(key) for key in list(about) if key.endswith(LESS_OFTEN)}
    missing = {key: about.pop(key) for key in list(about) if key.startswith(NO_INTERVAL)}
    return [
        *(_one_limit(ones) for ones in about.values()),
        *_together(missing.values(), before=NO_INTERVAL),
        *_together(doubts.values(), after=LESS_OFTEN),
    ]


def _together(
    notes: Iterable[Sequence[_Noted]], *, before: str = "", after: str = ""
) -> list[Limit]:
    """Notes on the same sections that begin or end alike, as one."""
    by_titles: dict[str, list[str]] = {}
    for limit in map(_one_limit, notes):
        own = limit.text.removeprefix(before).removesuffix(after)
        by_titles.setdefault(limit.about, []).append(own)
    return [Limit(f"{before}{'; '.join(texts)}{after}", of) for of, texts in by_titles.items()]


def _causes(estimate: Estimate) -> Iterable[str]:
    """The parts of the note on a number; each that widens an interval says so."""
    # a set would put them in another order each time
    found: dict[str, None] = {}
    for part in _JOINT.split(estimate.note) if estimate.note else ():
        plain = noted(part, interval=estimate.low is not None)
        *causes, last = plain.split("; ")
        if causes and last == LESS_OFTEN_NOTED:
            found |= dict.fromkeys(f"{cause}{LESS_OFTEN}" for cause in causes)
        elif plain:
            found[plain] = None
    return found


def _alike(note: str) -> str:
    """A note without its numbers, and singular as plural."""
    return _ONE.sub(r"0 \1s are too few", _NUMBER.sub("0", note))


def _doubts(report: Report) -> list[str]:
    """What intervals and tests had to assume, as the methods of all results say it."""
    methods = [r.method for s in report.sections for a in s.answers for r in a.known]
    found = (match for method in methods for match in ASSUMED.finditer(method))
    things = list(dict.fromkeys(match["things"] for match in found))
    return [UNKNOWN_DOCUMENTS.format(listed(things))] if things else []


def _titles_of(ones: Sequence[_Noted]) -> list[str]:
    """The titles of some notes' sections, each once."""
    return list(dict.fromkeys(one.title for one in ones))


def _one_limit(ones: Sequence[_Noted]) -> Limit:
    """Notes that differ in their numbers alone, as one: `1, 2 or 4 documents …`."""
    alike = {one.note: None for one in ones}
    few = {title: all(one.some for one in ones if one.title == title) for title in _titles_of(ones)}
    whole = [title for title, some in few.items() if not some]
    partly = [title for title, some in few.items() if some]
    titles = ", ".join([*whole, *([f"{listed(partly)}, some numbers"] if partly else [])])
    numbers = sorted({n for note in alike for n in _NUMBER.findall(note)}, key=int)
    # the plural, which fits several numbers
    longest = max(alike, key=lambda note: (" are " in note, len(note)))
    if len(alike) > 1 and all(len(_NUMBER.findall(note)) == 1 for note in alike):
        spread = (
            f"{', '.join(numbers[:-1])} or {numbers[-1]}"
            if len(numbers) < 5
            else (f"{numbers[0]} to {numbers[-1]}")
        )
        return Limit(_NUMBER.sub(spread, longest), titles)
    return Limit(longest, titles)


NO_JUDGES = "the data do not name judges: how far they agree, and what one of them does, is unknown"
NOTHING_SHARED = "no two judges answered about the same item: how far they agree is unknown"
# How a note ends that says what a short interval may come from.
LESS_OFTEN = ". Intervals may hold less often than stated"
NO_INTERVAL = "no interval: "
LESS_OFTEN_NOTED = "the interval may hold less often than stated"
_ONE = re.compile(r"\b0 (\w+) is too little")
_NUMBER = re.compile(r"\d+")
# Between two notes on one number; a note may have a comma of its own.
_JOINT = re.compile(r", (?!or |and |but |so )")
# What methods say where documents are unknown.
ASSUMED = re.compile(r"documents are unknown: (?P<things>\w+) are taken as independent")
UNKNOWN_DOCUMENTS = "documents are unknown: {} are taken as independent"
MAIN = ("system-score", "system-rank")
