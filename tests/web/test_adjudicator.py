"""The adjudicator's pages: judged blindly, stage by stage, then compared."""

import re

import pytest

from tests.campaigns.sample_campaigns import NAME, SYSTEMS, plan, task
from tests.web.website import Visitor, Website, form_key, website, words

ALL = {"documents": 2}
LOOSE = {"one_system_per_segment": False}


@pytest.fixture
def court(tmp_path, request):
    """A campaign whose judges differ, and an adjudicator before it."""
    protocol, answers = getattr(request, "param", ("da", (0.9, 0.4)))
    with website(tmp_path) as site:
        loose = LOOSE if protocol in ("da", "tcstar") else {}
        judges = site.setting.launch(plan(task(protocol, wanted=2, kits=ALL, **loose)), judges=2)
        for judge, quality in zip(judges, answers, strict=True):
            site.setting.all_kits(judge, quality)
        yield site


def adjudicator(site: Website) -> Visitor:
    (slip,) = site.slips(1, role="adjudicator")
    return site.visitor().follow(slip)


def test_a_case_is_settled_and_then_compared(court: Website):
    visitor = adjudicator(court)
    assert "12 cases to adjudicate" in words(visitor.get("cases/").text)
    case = visitor.get("cases/rating/next?more-than=1")
    path = case.url.path.removeprefix(visitor.base)
    assert "12 cases to adjudicate" in words(case.text)
    assert "1 of 1" not in words(case.text)
    assert not re.search(r"\b(90|40)\b", words(case.text)), "what the judges said comes later"
    sent = {"position": "1", "q.adequacy": "70"}
    told = visitor.post(f"{path}?more-than=1", sent, key=form_key(case))
    assert told.url.path.endswith("/compared")
    assert {"70", "40", "90"} <= set(re.findall(r"\d+", words(told.text)))
    (settled,) = court.setting.store.adjudications(NAME)
    assert settled.answers == {"adequacy": 70}
    assert "11 cases to adjudicate" in words(visitor.get("cases/").text)
    assert "Next case" in words(told.text)
    # to decide anew is another row, and the last one counts
    again = visitor.post(path, {**sent, "q.adequacy": "60"}, key=form_key(case))
    assert "60" in words(again.text)
    assert [one.answers["adequacy"] for one in court.setting.store.adjudications(NAME)] == [70, 60]


def test_after_the_last_case_nothing_more_is_asked_for(court: Website):
    visitor = adjudicator(court)
    most = "more-than=49"  # the judges differ by 50
    assert "Judge each one" in words(visitor.get("cases/").text)
    for left in range(11, -1, -1):
        case = visitor.get(f"cases/rating/next?{most}")
        path = case.url.path.removeprefix(visitor.base)
        sent = {"position": "1", "q.adequacy": "70"}
        told = words(visitor.post(f"{path}?{most}", sent, key=form_key(case)).text)
        assert ("Next case" in told) == (left > 0)
        assert ("That was the last case of this task." in told) == (left == 0)
    said = words(visitor.get("cases/").text)
    assert "There is nothing to adjudicate at the moment." in said
    assert "Judge each one" not in said


def test_what_is_missing_is_asked_for(court: Website):
    visitor = adjudicator(court)
    case = visitor.get("cases/rating/next")
    told = visitor.post(
        case.url.path.removeprefix(visitor.base), {"position": "1"}, key=form_key(case)
    )
    assert told.status_code == 422
    assert 'class="step' in told.text
    assert not court.setting.store.adjudications(NAME)


@pytest.mark.parametrize("court", [("tcstar", (0.95, 0.1))], indirect=True)
def test_stages_come_one_after_the_other(court: Website):
    visitor = adjudicator(court)
    case = visitor.get("cases/rating/next?more-than=0")
    path = case.url.path.removeprefix(visitor.base)
    assert "wording" not in words(case.text), "fluency is judged without the reference"
    second = visitor.post(path, {"position": "1", "q.fluency": "3"}, key=form_key(case))
    assert second.status_code == 200
    assert "wording" in words(second.text)
    assert "cases to adjudicate · 2 of 2" in words(second.text)
    carried = re.search(r'name="earlier" value="([^"]*)"', second.text)
    assert carried
    earlier = carried[1].replace("&#34;", '"')
    sent = {"position": "2", "earlier": earlier, "q.adequacy": "4"}
    assert visitor.post(path, sent, key=form_key(second)).url.path.endswith("/compared")
    (settled,) = court.setting.store.adjudications(NAME)
    assert settled.answers == {"fluency": 3, "adequacy": 4}


@pytest.mark.parametrize("court", [("da", (0.9, 0.4)), ("ranking", (0.9, 0.1))], indirect=True)
def test_blind(court: Website):
    visitor = adjudicator(court)
    case = visitor.get("cases/rating/next?more-than=-1")
    visitor.get(case.url.path.removeprefix(visitor.base) + "/compared")
    pins = [one.pin for one in court.setting.store.judges(NAME) if one.role == "judge"]
    for response in visitor.seen:
        told = response.text + str(response.headers)
        assert not [name for name in (*SYSTEMS, *pins) if re.search(rf"\b{name}\b", told)]


@pytest.mark.parametrize("court", [("ranking", (0.9, 0.1))], indirect=True)
def test_ranked_translations_are_shown_where_answers_are_compared(court: Website):
    (wise,) = court.setting.judges(1, role="adjudicator")
    (case, *_) = court.service.adjudication.cases(NAME, wise.id, "rating", more_than=-1)
    court.service.adjudication.settle(NAME, wise.id, "rating", case.key, case.answers[0])
    visitor = adjudicator(court)
    told = visitor.get(f"cases/rating/{case.key}/compared")
    assert told.url.path.endswith("/compared")
    shown = words(told.text).replace(" ", "")  # words of the reference are elements of their own
    assert all(text.replace(" ", "") in shown for text in case.screens[-1].translations)


def test_addresses_of_cases_cannot_be_computed_from_the_plan(tmp_path):
    """Two sites with the same campaign: ids of items are the same, addresses are not."""
    found: list[list[str]] = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        with website(tmp_path / folder) as site:
            declared = plan(task("da", wanted=2, kits=ALL, **LOOSE))
            judges = site.setting.launch(declared, judges=2)
            for judge, quality in zip(judges, (0.9, 0.4), strict=True):
                site.setting.all_kits(judge, quality)
            address = adjudicator(site).get("cases/rating/next").url.path
            kits = [*site.setting.store.kits(NAME)]
            found.append([item.id for kit in kits for item in kit.items])
            found[-1].append(address.rpartition("/")[2])
    (*ids, one), (*same, two) = found
    assert ids == same
    assert one != two
    assert {len(one), len(two)} == {32}
    assert not {one, two} & set(ids)


def test_others_do_not_get_there(court: Website):
    (slip,) = court.slips(1)
    judge = court.visitor().follow(slip)
    assert judge.get("cases/").status_code == 403
    assert 'name="pin"' in court.visitor().get("cases/").text
    for bad in ("cases/rating/nonsense", "cases/nothing/next"):
        assert adjudicator(court).get(bad).status_code in (404, 422)


def test_nonsense_is_refused(court: Website):
    visitor = adjudicator(court)
    case = visitor.get("cases/rating/next")
    path = case.url.path.removeprefix(visitor.base)
    for sent in ({"position": "9"}, {"position": "0000012"}, {"position": "1", "earlier": "["}):
        assert visitor.post(path, sent, key=form_key(case)).status_code == 400
