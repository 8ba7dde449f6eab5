"""BibTeX of what a report used: its statistics, the protocols of its tasks, and known metrics.

Statistics and metrics name their sources as `Cohen 1960, 1968; Fleiss 1971`, protocols cite whole
titles; the entries are in `references.bib`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from unicodedata import normalize

from jurat import __version__
from jurat.report.compute import Report

# How sources name the papers that Jurat is made of; their years are left out there.
NICKNAMES = {
    "hamon2008": "hamon et al",
    "przybocki2008": "tap-et",
    "fomicheva2016": "fomicheva & specia",
}
_KEY = re.compile(r"([a-z]+)(\d{4})([a-z]*)")
_OTHER_LETTERS = str.maketrans({"ß": "ss", "'": "", "’": "", "ø": "o", "ł": "l"})


class Reference(NamedTuple):
    """An entry of `references.bib`."""

    key: str
    title: str
    bibtex: str

    @property
    def _parts(self) -> tuple[str, str, str]:
        found = _KEY.fullmatch(self.key)
        assert found is not None
        name, year, word = found.groups()
        return name, year, word

    @property
    def word(self) -> str:
        """What tells it from others of the same author and year, as it is said in sources."""
        return self._parts[2]

    def is_meant(self, clause: str) -> bool:
        """Whether a clause of a source, in plain letters, names its first author and year."""
        if (nickname := NICKNAMES.get(self.key)) and nickname in clause:
            return True
        name, year, word = self._parts
        # behind "&" and a comma there are further authors, who may have papers of their own
        first = rf"(?<![&,] )\b{name}\b[^;]*\b{year}\b"
        return re.search(first, clause) is not None and word in clause


@cache
def references() -> tuple[Reference, ...]:
    """All entries, by their keys."""
    text = files("jurat.report").joinpath("references.bib").read_text("utf-8")
    found = []
    for entry in re.findall(r"^@\w+\{.*?^\}$", text, re.DOTALL | re.MULTILINE):
        key = entry.partition("{")[2].partition(",")[0]
        titles = re.findall(r"title = \{\{(.*)\}\}", entry)
        found.append(Reference(key, titles[0], entry))
    return tuple(found)


def named_in(source: str) -> list[Reference]:
    """The entries that the source of a statistic or metric names."""
    found = []
    for clause in _plain(source).replace("callison-burch", "callisonburch").split(";"):
        meant = [one for one in references() if one.is_meant(clause)]
        # of one author and year, the one whose word is said
        worded = {one.key.removesuffix(one.word) for one in meant if one.word}
        found += [one for one in meant if one.word or one.key not in worded]
    return list(dict.fromkeys(found))


def cited_in(text: str) -> list[Reference]:
    """The entries whose titles stand in a citation, as protocols have it."""
    plain = _plain(text)
    return [one for one in references() if _plain(one.title) in plain]


def bibtex(report: Report) -> str:
    """What the report's authors should cite, Jurat first, then by key."""
    found = [
        reference
        for section in report.sections
        for answer in section.answers
        for reference in named_in(answer.statistic.source)
    ]
    found += [one for citation in report.settings.citations for one in cited_in(citation)]
    found += _metric_references(report)
    entries = sorted(dict.fromkeys(found))
    return "\n\n".join([_jurat(), *(one.bibtex for one in entries)]) + "\n"


def _metric_references(report: Report) -> Iterable[Reference]:
    """Of the metrics whose scores were given, those that Jurat knows by the first word."""
    from jurat.metrics import metrics

    scores = report.settings.scores
    if scores is None:
        return []
    known = {kind.name: kind for kind in metrics()}
    words = {re.split(r"[-_: ]", name.lower())[0] for name in scores.metrics}
    return [one for name in sorted(words & {*known}) for one in named_in(known[name].source)]


def _jurat() -> str:
    title = "Jurat: human evaluation of machine translation"
    return (
        "@software{jurat,\n  author = {{The Jurat developers}},\n"
        f"  title = {{{{{title}}}}},\n  version = {{{__version__}}},\n}}"
    )


def _plain(text: str) -> str:
    """Small letters without accents and apostrophes."""
    letters = normalize("NFKD", text.lower().translate(_OTHER_LETTERS))
    return letters.encode("ascii", "ignore").decode()
