"""Errors stand on the texts they were marked in, under pseudonyms, whatever the texts hold."""

import re

import polars as pl
import pytest

from jurat.report.marked_texts import marked_section, marked_texts
from jurat.report.pseudonyms import Pseudonyms
from jurat.stats import Evaluation

TEXT = "A <b>bold</b> claim"
NAMES = Pseudonyms(judges={"Annabel": "J1"}, systems={"larkspur": "System A"})


def shown(*spans: tuple[int, int, str], system: str = "larkspur", weight: float = 1.0) -> str:
    rows = [
        {
            "judge": "Annabel",
            "system": system,
            "document": "d1",
            "segment": "1",
            "start": start,
            "end": end,
            "severity": severity,
            "weight": weight,
            "translation": TEXT,
        }
        for start, end, severity in spans
    ]
    found = marked_texts(Evaluation(spans=pl.DataFrame(rows)), None, NAMES)
    return marked_section(found)


def plain(html: str) -> str:
    """The translation as a reader sees it, without the small words after marks."""
    inner = re.findall(r"<dd[^>]*>(.*)</dd>", re.sub(r"<small>.*?</small>", "", html))[0]
    bare = re.sub(r"<[^>]+>", "", inner)
    return bare.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@pytest.mark.parametrize(
    "spans",
    [
        [(0, 1, "minor")],
        [(2, 9, "major"), (5, 14, "minor")],
        [(2, 9, "major"), (3, 4, "minor"), (9, 19, "minor")],
        [(14, 99, "critical")],
        [(0, 19, "major"), (0, 19, "minor")],
    ],
)
def test_no_letter_is_lost_or_stands_twice(spans: list[tuple[int, int, str]]):
    assert plain(shown(*spans)).replace("[…]", "") == TEXT


def test_texts_are_escaped_and_people_and_systems_have_pseudonyms():
    html = shown((2, 5, "major"))
    assert 'data-severity="major">&lt;b&gt;<small> major</small></mark>' in html
    assert "System A, d1 1" in html
    assert "<dt>J1</dt>" in html
    assert "Annabel" not in html
    assert "larkspur" not in html


def test_what_is_missing_has_a_mark():
    assert '<mark class="minor" data-severity="Minor">[…]<small> Minor</small></mark>' in shown(
        (2, 2, "Minor")
    )


def test_texts_come_from_a_table_of_translations():
    spans = pl.DataFrame(
        [{"judge": "Annabel", "system": "larkspur", "document": "d1", "segment": "1"}]
    ).with_columns(start=2, end=5, severity=pl.lit("minor"))
    texts = spans.select("system", "document", "segment", translation=pl.lit(TEXT))
    (found,) = marked_texts(Evaluation(spans=spans), None, NAMES, texts)
    assert (found.system, found.text) == ("System A", TEXT)


def test_without_texts_there_is_nothing_to_show():
    spans = pl.DataFrame({"judge": ["a"], "start": [1], "end": [2], "severity": ["minor"]})
    assert marked_texts(Evaluation(spans=spans), None, NAMES) == ()
    assert marked_texts(Evaluation(), None, NAMES) == ()
