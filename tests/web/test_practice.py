"""Tutorials that answer: what is expected is shown after the judge's own answer is stored."""

import json
from pathlib import Path

import pytest
from httpx2 import Response

from jurat.errors import InputError
from tests.campaigns.sample_campaigns import NAME, head, jsonl, plan, segment, task
from tests.web.website import Form, Visitor, Website, website, words

WHY = "Half of it is missing."


def tutorial(gold: object, *, tagged: str = "translation") -> bytes:
    """Two segments by one system; the right answers to the first are known."""
    first = segment("lesson1", 1, ["teacher"])
    said = {"gold": gold if isinstance(gold, str) else json.dumps(gold)}
    if tagged == "segment":
        first["tags"] = said
    else:
        first["translations"]["teacher"] = {"text": "some words", "tags": said}
    second = segment("lesson1", 2, ["teacher"])
    return jsonl([head(["lesson1"], ["teacher"]), first, second])


@pytest.fixture
def site(tmp_path: Path):
    with website(tmp_path) as made:
        yield made


def create(site: Website, gold: object, *, tagged: str = "translation") -> Visitor:
    """A campaign with such a tutorial, and one of its judges."""
    asked = task("da", required={"tutorial": 1, "evaluation": 1})
    declared = plan(asked, tutorial="tutorial.jsonl", guest=True)
    site.setting.create(declared, tutorial=tutorial(gold, tagged=tagged))
    slips = site.slips(3)
    site.setting.start()
    return site.visitor().follow(slips[0])


def decide(visitor: Visitor, page: str, score: int) -> Response:
    """Send the form of a page as a browser without script does."""
    (fields,) = (sent for _, sent in Form(page).forms if "assignment" in dict(sent))
    named = dict(fields) | {"q.adequacy": str(score)}
    return visitor.client.post(f"{visitor.base}judge", data=named)


@pytest.mark.parametrize("tagged", ["translation", "segment"])
def test_the_expected_answer_comes_after_the_answer(site, tagged):
    visitor = create(site, {"adequacy": 40, "because": WHY}, tagged=tagged)
    page = visitor.get("judge").text
    assert WHY not in page
    told = decide(visitor, page, 90)
    assert told.url.path.startswith(f"/c/{NAME}/practice/")
    said = words(told.text)
    assert "Your answer 90" in said
    assert "Expected answer 40" in said
    assert WHY in said
    # the second item has no expected answer: the kit ends there
    after = decide(visitor, visitor.get("judge").text, 50)
    assert after.url.path.endswith("/between")


def test_nothing_is_expected_before_an_answer_is_stored(site):
    visitor = create(site, {"adequacy": 40, "because": WHY})
    here = visitor.get("api/step").json()
    assert 'data-ahead="0"' in here["html"]
    assert WHY not in here["html"]
    page = visitor.get(f"practice/{here['key']}")
    assert page.url.path.endswith("/judge")
    assert WHY not in page.text


def test_an_evaluation_tells_nothing(site):
    known = segment("paper1", 1)
    known["tags"] = {"gold": json.dumps({"systems": ["cedar"], "adequacy": 40, "because": WHY})}
    content = jsonl([head(["paper1"]), known, segment("paper1", 2)])
    asked = task("da", kits={"controls": {"gold": 1}, "documents": 1})
    site.setting.create(plan(asked), set=content)
    slips = site.slips(3)
    site.setting.start()
    visitor = site.visitor().follow(slips[0])
    for _ in range(2):
        told = decide(visitor, visitor.get("judge").text, 40)
        assert "practice" not in told.url.path
    assert not [one for one in visitor.seen if WHY in one.text]


def test_guests_are_told_as_well(site):
    create(site, {"adequacy": 40, "because": WHY})
    visitor = site.visitor().be_guest()
    assert WHY not in visitor.get("guest/rating/1").text
    told = visitor.post("guest/rating/1", {"q.adequacy": "90"})
    assert "Expected answer 40" in words(told.text)
    assert f'href="/c/{NAME}/guest/rating/2"' in told.text
    last = visitor.post("guest/rating/2", {"q.adequacy": "90"})
    assert last.url.path.endswith("/guest-done")


def test_answers_to_other_protocols_are_left_out_and_wrong_ones_refused(site):
    create(site, {"protocol": "tapet-adequacy", "adequacy": 7, "fluency": 5, "because": WHY})
    visitor = site.visitor().be_guest()
    told = visitor.post("guest/rating/1", {"q.adequacy": "90"})
    assert told.url.path.endswith("/guest/rating/2")
    for wrong in ({"adequacy": 400}, "[]", {"adequacy": 4, "because": 3}):
        declared = plan(task(), name="other", tutorial="tutorial.jsonl")
        with pytest.raises(InputError, match="gold"):
            site.setting.create(declared, tutorial=tutorial(wrong))


def test_systems_named_in_the_tag_must_be_those_on_the_screen(site):
    create(site, {"systems": ["somebody"], "adequacy": 40}, tagged="segment")
    visitor = site.visitor().be_guest()
    assert visitor.post("guest/rating/1", {"q.adequacy": "90"}).url.path.endswith("/guest/rating/2")
