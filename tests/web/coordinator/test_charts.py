"""Charts speak the reader's language, as far as they say anything in words."""

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.sections import Section, section, summary
from jurat.campaigns.monitoring.worker import WorkerState
from jurat.i18n import languages
from jurat.store import Store
from jurat.web.coordinator.charts import LABEL, caption, captioned, captions, chart, label
from tests.campaigns.monitoring.conftest import DECLARED, tagged
from tests.campaigns.sample_campaigns import NAME, Setting, make_set

OTHERS = [code for code in languages() if code != "en"]
SCRIPTS = {"es": r"[a-z]", "hi": r"[\u0900-\u097f]", "zh": r"[\u4e00-\u9fff]"}
TECHNICAL = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*|p \(Holm\)|.+ against .+")
"""Names of statistics and of questions, which are the same in every language."""


def titles(part: Any) -> Iterator[str]:
    """Everything that a figure says at its axes and above them."""
    if isinstance(part, dict):
        yield from [part["title"]] if isinstance(part.get("title"), str) else []
        yield from (one for value in part.values() for one in titles(value))
    elif isinstance(part, list):
        yield from (one for value in part for one in titles(value))


def test_numbers_have_the_decimal_sign_of_the_language():
    assert LABEL.sub(lambda found: label(found, languages()["es"]), "<b>-1,071.50</b>") == (
        "<b>−1.071,50</b>"
    )


@pytest.mark.parametrize("code", OTHERS)
def test_what_a_chart_says_below_itself_is_translated(code: str):
    channels = {"x": "judge", "y": "system", "color": "value"}
    encoding = {name: {"field": field, "title": field} for name, field in channels.items()}
    rows = [{"judge": name, "system": "b", "value": v} for name, v in (("a", -1.5), ("c", 2.5))]
    figure = {"mark": "rect", "encoding": encoding, "data": {"values": rows}}
    drawn = chart(figure, ["b"], languages()[code])
    assert 'class="rem"' in drawn
    assert "Faint" not in drawn
    assert ">-1" not in drawn


def test_every_language_has_the_same_captions_in_the_same_order():
    assert captions("en") == {}
    for code in OTHERS:
        assert list(captions(code)) == list(captions(OTHERS[0]))
        assert all(re.search(SCRIPTS[code], said) for said in captions(code).values())
        assert all(("{n}" in said) == ("{n}" in key) for key, said in captions(code).items())


def test_numbers_and_names_stay():
    assert caption("Seconds a decision, up to 120", "es") == "Segundos por juicio, hasta 120"
    told = caption("judge-pace: judges from the lowest to the highest", "zh")
    assert told == "judge-pace: 评测员从低到高"
    assert caption("fleiss-kappa", "hi") is None


def test_a_figure_is_said_in_the_language_and_its_data_stay():
    rows = [{"judge": "j1", "way": "fit", "side": "strict", "value": 1.0}]
    figure = {
        "title": "Who stands out in which way",
        "data": {"values": rows},
        "encoding": {"x": {"field": "way", "title": "way"}},
    }
    assert captioned(figure, languages()["en"]) == figure
    said = captioned(figure, languages()["es"])
    assert said["title"] == "Quién destaca y por qué"
    assert said["encoding"] == {"x": {"field": "way", "title": "criterio"}}
    told = {"judge": "j1", "way": "incoherencia", "side": "exigente", "value": 1.0}
    assert said["data"] == {"values": [told]}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What all charts of a campaign with many kinds of tasks say."""
    path = tmp_path_factory.mktemp("captions") / "jurat.db"
    with Store.open(str(path)) as store:
        setting = Setting(store)
        setting.launch(DECLARED, judges=12, set=tagged(), tutorial=make_set(1, 1, kind="lesson"))
        setting.play(noise=0.1, careless=0.1)
        state = WorkerState(store.address)
        parts = [summary(state, NAME, Filter()).sections]
        parts += [section(state, NAME, part, Filter()).sections for part in get_args(Section)]
    results = [result for some in parts for one in some.values() for result in one]
    return {text for one in results for text in titles(one.figure()) if text}


@pytest.mark.parametrize("code", OTHERS)
def test_all_that_charts_say_in_words_is_known(code: str, said: set[str]):
    assert len(said) > 40
    assert {t for t in said if not caption(t, code) and not TECHNICAL.fullmatch(t)} == set()
