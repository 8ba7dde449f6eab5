"""The interface in every language: complete, in its own words, and chosen by whoever reads it."""

import re
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest
from babel import Locale

from jurat.i18n import Language, languages, preferred
from jurat.protocols import localization
from tests.campaigns.sample_campaigns import NAME, plan
from tests.web.website import Website, website, words

ENGLISH = languages()["en"]
CODES = list(languages())
OTHERS = [code for code in CODES if code != "en"]
FORMS = ("zero", "one", "two", "few", "many", "other")
SAME = {
    "jurat",
    "tutorial",
    "media-audio",
    "pin",
    "error",
    "desk-no",
    "desk-row-control",
    "desk-total",
}
"""Words that may be the same as in English."""
WEB = Path(str(files("jurat.web")))


def forms(language: Language, key: str) -> dict[str, str]:
    """The words of a key by plural form."""
    said = language._words[key]
    return said if isinstance(said, dict) else {"": said}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_english_spanish_chinese_and_hindi_are_shipped_english_first():
    assert CODES == ["en", "es", "hi", "zh"]
    assert languages()["hi"].name == "हिन्दी"


def test_questions_and_interface_speak_the_same_languages():
    assert {code: one.name for code, one in languages().items()} == localization.languages()


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_missing_and_nothing_superfluous(code: str):
    english, other = languages()["en"].keys, languages()[code].keys
    assert english - other == set(), "missing"
    assert other - english == set(), "superfluous"


@pytest.mark.parametrize("code", OTHERS)
def test_everything_is_translated(code: str):
    english, other = languages()["en"], languages()[code]
    same = {k for k in english.keys & other.keys if forms(english, k) == forms(other, k)}
    assert same <= SAME


@pytest.mark.parametrize("code", OTHERS)
def test_keys_stand_in_the_same_order_so_that_files_can_be_compared(code: str):
    assert list(languages()[code]._words) == list(languages()["en"]._words)


@pytest.mark.parametrize("code", CODES)
def test_placeholders_are_those_of_english(code: str):
    english, other = languages()["en"], languages()[code]
    for key in english.keys & other.keys:
        wanted = placeholders(list(forms(english, key).values())[-1])
        said = forms(other, key)
        assert placeholders(list(said.values())[-1]) == wanted, key
        assert all(placeholders(form) <= wanted for form in said.values()), key


@pytest.mark.parametrize("code", CODES)
def test_plurals_have_the_forms_of_the_language(code: str):
    rule = Locale.parse(code).plural_form
    wanted = [form for form in FORMS if form in rule.tags | {"other"}]
    for key in languages()[code].keys:
        said = forms(languages()[code], key)
        if "" not in said:
            assert list(said) == wanted, key


@pytest.mark.parametrize("code", CODES)
def test_only_a_form_for_a_single_number_may_leave_the_number_out(code: str):
    rule = Locale.parse(code).plural_form
    numbers: dict[str, list[int]] = {}
    for n in range(200):
        numbers.setdefault(rule(n), []).append(n)
    for key in languages()[code].keys:
        for form, text in forms(languages()[code], key).items():
            if form and "{count}" not in text:
                assert len(numbers[form]) == 1, (key, form)


@pytest.mark.parametrize("code", CODES)
def test_plurals_agree_with_english_where_english_has_them(code: str):
    english, other = languages()["en"], languages()[code]
    for key in english.keys & other.keys:
        assert ("" in forms(english, key)) == ("" in forms(other, key)), key


@pytest.mark.parametrize(("code", "letters"), [("hi", r"[ऀ-ॿ]"), ("zh", r"[一-鿿]")])
def test_words_are_written_in_the_language_s_script(code: str, letters: str):
    one = languages()[code]
    latin = {k for k in one.keys if not re.search(letters, "".join(forms(one, k).values()))}
    assert latin <= {"jurat"}


def test_what_is_said_anywhere_is_a_key_and_every_key_is_said():
    """Keys that are put together at run time are known by their beginnings."""
    made = (
        "rest-",
        "locked-",
        "flag-",
        "desk-page-",
        "desk-state-",
        "desk-role-",
        "desk-asked-",
        "desk-remark-",
        "desk-measure-",
        "desk-way-",
        "desk-side-",
        "desk-fault-",
        "desk-finding-",
        "desk-why-",
        "desk-card-",
        "desk-row-",
        "desk-track-",
        "desk-kits-",
        "desk-log-",
        "desk-scope-",
        "desk-question-",
        "media-",
    )
    core = Path(str(files("jurat.protocols")))  # whose kinds have templates and name faults by code
    i18n = WEB.parent / "i18n.py"
    kinds = ("*.py", "*.html", "*.js")
    sources = [path for part in (WEB, core) for kind in kinds for path in part.rglob(kind)] + [i18n]
    pages = "\n".join(path.read_text() for path in sources if path.suffix != ".js")
    text = "\n".join(path.read_text() for path in sources)
    said = set(re.findall(r"""\bsay\(\s*["']([a-z-]+)["']""", pages)) - set(made)
    keys = languages()["en"].keys
    form = (WEB / "coordinator" / "campaign_form.yaml").read_text()
    declared = set(re.findall(r"\bdesk-[a-z-]+", form))
    assert said | declared <= keys
    quoted = declared | set(re.findall(r"""["']([a-z-]+)["']""", text))
    assert {k for k in keys - quoted if not k.startswith(made)} <= {"tutorial", "evaluation"}


def test_what_a_new_language_lacks_is_said_in_english():
    half = Language("fr", "français", lambda: {"next": "Suivant"}, ENGLISH)
    assert half.say("next") == "Suivant"
    assert half.say("kits-left", count=2) == "2 kits left"


def test_numbers_and_plurals_are_written_as_in_the_language():
    assert languages()["en"].say("kits-left", count=1) == "1 kit left"
    assert languages()["en"].say("kits-left", count=1200) == "1,200 kits left"
    assert languages()["es"].say("kits-left", count=12000) == "quedan 12.000 lotes"
    assert languages()["hi"].say("kits-done", count=0) == "0 सेट पूरा"
    assert languages()["hi"].say("kits-left", count=123456) == "1,23,456 सेट बाकी"
    assert languages()["zh"].say("kits-done", count=1) == "已完成 1 个任务包"


def test_times_are_rounded_to_what_can_be_planned_with():
    english = languages()["en"]
    assert english.minutes(timedelta(seconds=10)) == "about a minute"
    assert english.minutes(timedelta(minutes=25)) == "about 25 minutes"
    assert english.minutes(timedelta(minutes=100)) == "about 2 hours"
    moment = datetime(2026, 3, 2, 15, 4, tzinfo=UTC)
    assert english.time(moment).endswith("UTC")
    assert "2/3/26" in languages()["es"].time(moment)


@pytest.mark.parametrize(
    ("wanted", "declared", "accepted", "code"),
    [
        ("", "", "", "en"),
        ("hi", "es", "zh", "hi"),
        ("", "es", "zh", "es"),
        ("", "", "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("", "", "fr-FR, fr;q=0.9, es-MX;q=0.8, en;q=0.7", "es"),
        ("", "", "en;q=0.2, hi;q=0.9", "hi"),
        ("", "", "es;q=0, hi;q=0.1", "hi"),
        ("", "", "ES", "es"),
        ("", "", "*, ;;q=, hi;q=x, zh;q=nan", "en"),
        ("xx", "yy", "zz", "en"),
        ("../en", "", "\0", "en"),
    ],
)
def test_the_judge_chooses_before_the_campaign_and_the_browser(wanted, declared, accepted, code):
    assert preferred(wanted, declared, accepted).code == code


def test_a_page_is_in_the_browser_s_language_until_somebody_chooses(site: Website):
    visitor = site.visitor()
    told = visitor.get(headers={"accept-language": "hi-IN,hi;q=0.9"})
    assert '<html lang="hi"' in told.text
    assert told.headers["content-language"] == "hi"
    chosen = visitor.post("look", {"language": "zh", "back": visitor.base})
    assert chosen.url.path == visitor.base
    assert '<html lang="zh"' in visitor.get(headers={"accept-language": "hi"}).text


def test_the_campaign_s_language_comes_before_the_browser_s(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create(plan(language="es"))
        told = site.visitor().get(headers={"accept-language": "hi"})
        assert "Iniciar sesión" in words(told.text)


def test_only_languages_that_there_are_can_be_chosen(site: Website):
    visitor = site.visitor()
    told = visitor.post("look", {"language": "../../etc", "back": visitor.base})
    assert '<html lang="en"' in told.text


def test_errors_are_told_in_the_reader_s_language(site: Website):
    client = site.visitor().client
    hindi = {"accept-language": "hi"}
    assert "मौजूद नहीं" in client.get("/c/try/nothing", headers=hindi).text
    assert "मौजूद नहीं" in client.get("/c/unknown/", headers=hindi).text
    assert "मौजूद नहीं" in client.get("/c/try/api/nothing", headers=hindi).json()["message"]


@pytest.mark.parametrize("code", CODES)
def test_the_language_that_a_judge_saw_is_recorded(site: Website, code: str):
    slips = site.slips(3)
    site.setting.start()
    visitor = site.visitor().follow(slips[0])
    visitor.post("look", {"language": code})
    step = visitor.get("judge")
    fields = dict(re.findall(r'name="(form_key|assignment|position)" value="([^"]*)"', step.text))
    visitor.client.post(visitor.base + "judge", data={**fields, "q.adequacy": "50"})
    (decision,) = site.setting.decisions(NAME)
    assert decision.language == code


@pytest.mark.parametrize(
    ("code", "written"), [("en", "2.50"), ("es", "2,50"), ("zh", "2.50"), ("hi", "2.50")]
)
def test_measured_numbers_keep_their_decimals(code: str, written: str):
    assert languages()[code].decimal(2.5, 2) == written


@pytest.mark.parametrize(
    ("code", "written"),
    [("en", "41.5\xa0%"), ("es", "41,5\xa0%"), ("zh", "41.5%"), ("hi", "41.5%")],
)
def test_the_percent_sign_stands_as_each_language_has_it(code: str, written: str):
    assert languages()[code].percent(41.5, 1) == written


def test_measured_numbers_may_be_whole():
    assert ENGLISH.decimal(12345.6, 0) == "12,346"


def test_english_days_are_written_as_in_britain():
    assert ENGLISH.day(datetime(2026, 4, 9, tzinfo=UTC)) == "9 April 2026"
