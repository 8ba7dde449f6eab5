"""What Jurat itself can say to checklists, from the judgments and their campaign."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from jurat import __version__
from jurat.report.compute import Report
from jurat.report.corpus import UNKNOWN
from jurat.report.findings import findings, limits
from jurat.report.result_texts import told
from jurat.stats.phrases import listed

# Sentences of findings and limits that a form has room for.
MOST_SAID = 6


class KnownAnswer(NamedTuple):
    """An answer, empty where it is not known, and where it comes from."""

    origin: str
    answer: Callable[[Report], str]


def _facts(report: Report, *names: str) -> str:
    facts = dict(report.facts)
    known = [f"{name}: {facts[name]}" for name in names if facts.get(name, UNKNOWN) != UNKNOWN]
    return "; ".join(known)


def _tasks(report: Report, name: str) -> str:
    """What the tasks of a campaign say, each under its name where they differ."""
    said = {task.name: getattr(task, name) for task in report.settings.tasks}
    texts = {
        task: text if isinstance(text, str) else "; ".join(text)
        for task, text in said.items()
        if text
    }
    if len({*texts.values()}) == 1:
        return next(iter(texts.values()))
    return "; ".join(f"task {task}: {text}" for task, text in texts.items())


def _headline(report: Report, section: str, name: str) -> str:
    found = report.section(section)
    result = found.result(name) if found else None
    return result.headline if result else ""


def _method(report: Report, *places: tuple[str, str]) -> str:
    """How the first of these results was computed."""
    for section, name in places:
        found = report.section(section)
        result = found.result(name) if found else None
        if result is not None:
            return result.method
    return ""


def _findings(report: Report) -> str:
    return " ".join(told(one.text) for one in findings(report)[:MOST_SAID])


def _limits(report: Report) -> str:
    said = [f"{f'{one.about}: ' if one.about else ''}{one.text}" for one in limits(report)]
    return ". ".join(said[:MOST_SAID])


def _systems(report: Report) -> str:
    if not report.systems:
        return "machine translation"
    names = listed(list(report.systems), 12)
    return f"machine translation by {len(report.systems)} systems: {names}"


def _outputs(report: Report) -> str:
    per_system = _facts(report, "Segments", "Documents")
    return f"{per_system} ({report.judgments:,} judgments)" if per_system else ""


def _settings(report: Report) -> str:
    settings = report.settings
    return (
        f"Random seed {settings.seed}; {settings.bootstrap:,} bootstrap resamples; confidence "
        f"level {100 * settings.confidence:g} %; the signature of every number names its options"
    )


def _uncertainty(report: Report) -> str:
    how = _method(report, ("systems", "pairwise-p"), ("systems", "system-score"))
    level = f"Intervals at the level of {100 * report.settings.confidence:g} %"
    return f"{level}; {how}" if how else level


def _names(report: Report) -> str:
    if report.settings.judge_names:
        return "Judges stand in the report under the names of the data"
    return "Judges stand in the report under pseudonyms"


def _mode(report: Report) -> str:
    kinds = {section.kind.name for section in report.sections if section.answers}
    absolute = "absolute: translations are scored one by one"
    relative = "relative: translations are compared with each other"
    said = [absolute] if "agreement" in kinds else []
    return "; ".join([*said, relative] if "preferences" in kinds else said)


def _software(report: Report) -> str:
    return f"Jurat {__version__}; fingerprint of the data {report.fingerprint}"


KNOWN = {
    "agreement": KnownAnswer(
        "agreement of judges, as the report has it",
        lambda report: (
            _headline(report, "agreement", "krippendorff-alpha")
            or _headline(report, "preferences", "preference-kappa")
        ),
    ),
    "aggregation": KnownAnswer(
        "the method of the systems' scores",
        lambda report: _method(report, ("systems", "system-score"), ("systems", "system-wins")),
    ),
    "citations": KnownAnswer(
        "`references.bib`, which `--paper` writes",
        lambda _: "references.bib names what the evaluation goes back to",
    ),
    "collection": KnownAnswer(
        "the campaign",
        lambda report: "In the browser, on Jurat's pages" if report.settings.tasks else "",
    ),
    "consistency": KnownAnswer(
        "items that judges met twice, where there are any",
        lambda report: _headline(report, "agreement", "intra-agreement"),
    ),
    "contact": KnownAnswer("`contact` of the campaign", lambda report: report.settings.contact),
    "corpus": KnownAnswer(
        "the corpus table", lambda report: _facts(report, "Languages", "Genre", "Documents")
    ),
    "design": KnownAnswer("the campaign's tasks", lambda report: _tasks(report, "design")),
    "findings": KnownAnswer("the findings of the report", _findings),
    "frozen": KnownAnswer("`jurat campaign freeze`", lambda report: report.settings.frozen),
    "input": KnownAnswer("what Jurat is for", lambda _: "text in the source language"),
    "instructions": KnownAnswer(
        "the protocols' guidelines", lambda report: _tasks(report, "instructions")
    ),
    "judges": KnownAnswer("the judgments", lambda report: _facts(report, "Judges")),
    "languages": KnownAnswer(
        "the test set, or a column of the judgments", lambda report: _facts(report, "Languages")
    ),
    "limits": KnownAnswer("what the report says to mistrust", _limits),
    "mode": KnownAnswer("the kind of the judgments", _mode),
    "names": KnownAnswer("the options of the report", _names),
    "output": KnownAnswer("what Jurat is for", lambda _: "text in the target language"),
    "outputs": KnownAnswer("the judgments", _outputs),
    "protocol": KnownAnswer("the campaign's protocols", lambda report: _tasks(report, "protocol")),
    "quality": KnownAnswer(
        "repeated items and controls of the campaign", lambda report: _tasks(report, "quality")
    ),
    "questions": KnownAnswer(
        "the questions of the protocols, or their names in the data",
        lambda report: _tasks(report, "questions") or _facts(report, "Questions"),
    ),
    "scales": KnownAnswer("the scales of the protocols", lambda report: _tasks(report, "scales")),
    "settings": KnownAnswer("seed, resamples and level of the report", _settings),
    "sizes": KnownAnswer(
        "the corpus table",
        lambda report: _facts(
            report, "Documents", "Segments", "Source words", "Unique source words", "Judgments"
        ),
    ),
    "software": KnownAnswer("the version of Jurat and the data's fingerprint", _software),
    "systems": KnownAnswer("the systems of the judgments", _systems),
    "time": KnownAnswer(
        "times of decisions", lambda report: _headline(report, "time", "seconds-mean")
    ),
    "training": KnownAnswer("tutorials of the campaign", lambda report: _tasks(report, "training")),
    "uncertainty": KnownAnswer("the method of tests and intervals", _uncertainty),
}
