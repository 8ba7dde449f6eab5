"""Everything that a report uses can be cited, and nothing else is."""

import re
from pathlib import Path

import pytest

import jurat.protocols
from jurat.metrics import metrics
from jurat.protocols import load
from jurat.report.contents import SECTIONS
from jurat.report.references import cited_in, named_in, references
from jurat.stats import statistics

PROTOCOLS = sorted(p.stem for p in Path(jurat.protocols.__file__).parent.glob("*.yaml"))
FOLDERS = (*(kind.name for kind in SECTIONS), "planning")
SOURCES = sorted({s.source for folder in FOLDERS for s in statistics(folder)})
# Years of shared tasks as such are no publications.
_YEAR = re.compile(r"(?<!WMT )(?<!and )(?<!–)(?<!\()\b(?:18|19|20)\d\d\b(?!–)")


@pytest.mark.parametrize("source", [*SOURCES, *sorted({m.source for m in metrics()})])
def test_every_year_in_a_source_is_a_publication(source: str) -> None:
    found = {re.sub(r"\D", "", one.key) for one in named_in(source)}
    assert set(_YEAR.findall(source)) <= found


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_can_be_cited(name: str) -> None:
    assert cited_in(load(name).citation)


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        ("Cohen 1960, 1968; Fomicheva & Specia, table 1", "cohen1960 cohen1968 fomicheva2016"),
        ("Deutsch, Foster & Freitag 2023; mt-metrics-eval", "deutsch2023"),
        ("Kocmi et al. 2024 (ESA); character F1 as in WMT", "kocmi2024esa"),
        ("Kocmi et al. 2024 (WMT24); stratified", "kocmi2024"),
        ("Dixon and Mood 1946; as in Läubli, Sennrich and Volk 2018", "dixon1946 laubli2018"),
        ("response times are log-normal: van der Linden 2006", "linden2006"),
        ("bookkeeping", ""),
    ],
)
def test_sources_name_first_authors(source: str, keys: str) -> None:
    assert [one.key for one in named_in(source)] == keys.split()


def test_every_entry_is_used_by_something() -> None:
    sources = [*SOURCES, *(metric.source for metric in metrics())]
    used = {one for source in sources for one in named_in(source)}
    used |= {one for name in PROTOCOLS for one in cited_in(load(name).citation)}
    assert {one.key for one in references()} == {one.key for one in used}
