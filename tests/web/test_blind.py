"""Judges stay blind: every byte of every answer that a judge gets, of every protocol shipped."""

import json
import re
from base64 import urlsafe_b64decode
from pathlib import Path
from random import Random
from typing import Any

import pytest
from httpx2 import Response

from jurat import protocols
from jurat.bots import Truth
from jurat.protocols.questions import Example
from tests.campaigns.sample_campaigns import NAME, jsonl, plan, task
from tests.campaigns.test_questionnaires import ASKED as QUESTIONNAIRES
from tests.media_samples import picture
from tests.web.http_judges import HIDDEN, Player, fields
from tests.web.website import Visitor, Website, form_key, website

SYSTEMS = ("Xanadu-One", "Xanadu-Two", "Xanadu-Three")
SITE = "Zembla"
DOCUMENT = "Kubla"
SEGMENT = "Karakorum"
TAG = "Samarkand"
MEDIA = f"{DOCUMENT}/{SEGMENT}.png"
ASKED: dict[str, Any] = {
    "ask": "Who came home?",
    "options": ["the miller", "the baker", "the smith"],
    "answer": 2,
}
CONTROLLED = re.compile(r"\b(control|controls|degraded|easy|gold|golden|repeat|expected)\b", re.I)
ASKED_ABOUT = "tapet-adequacy"
"""The protocol whose judges are also asked about themselves."""
# who suggested an error is as secret as the system whose translation it is in
SUGGESTED = json.dumps([{"start": 0, "end": 4, "severity": "minor", "by": SYSTEMS[0]}])
PASSAGES = "comprehension"
# Where a screen is a whole document, which gold answers are not made for.
WHOLE = {name for name in protocols.names() if protocols.load(name).unit == "document"}
"""Its items are whole documents, too few for controls here."""
TRUTH = Truth(qualities=dict(zip(SYSTEMS, (0.9, 0.6, 0.3), strict=True)))


def words(*seed: object) -> str:
    """A sentence in which no name stands; another seed, another sentence."""
    known = ("vela", "mora", "tin", "sul", "kara", "neb", "olu", "rin", "dos", "pam")
    return " ".join(Random(str(seed)).sample(known, 6))


def segment(document: int, n: int, **tags: str) -> dict[str, Any]:
    place = (document, n)
    return {
        "document": f"{DOCUMENT}{document}",
        "segment": f"{SEGMENT}{n}",
        "source": words("source", place),
        "references": {"A": words("a", place), "B": words("b", place)},
        "translations": {
            name: {"text": words(name, place), "tags": {"easy": "yes", "suggestions": SUGGESTED}}
            for name in SYSTEMS
        },
        "concepts": ["tin", "sul"],
        # a file's name may say where it is from, and its description is shown to everybody
        "tags": {"topic": TAG, "context_media": MEDIA, "context_media_text": "A shop", **tags},
    }


def right(name: str) -> str:
    """The right answers of a gold segment, as its tag holds them."""
    protocol = protocols.load(name)
    shown = {"one": SYSTEMS[:1], "two": SYSTEMS[:2], "all": SYSTEMS}[protocol.systems]
    asked = Example(answer=None, because="", translation=shown, concepts=("tin", "sul")).item()
    first = next(iter(protocol.questions.values()))
    quality = [0.8 - n / 4 for n in range(len(shown))]
    given = [1] if first.name == "reading" else first.simulate(asked, quality, Random(1))
    return json.dumps({"systems": shown, first.id: [] if first.name == "spans" else given})


def make_set(name: str, *, answer: int = 2, segments: int = 3) -> bytes:
    about = {
        "systems": [{"name": one, "site": SITE, "tags": {"kind": TAG}} for one in SYSTEMS],
        "documents": [
            {"id": f"{DOCUMENT}{d}", "comprehension": [{**ASKED, "answer": answer}]} for d in (1, 2)
        ],
    }
    lines = [segment(1, n) for n in range(1, segments + 1)]
    return jsonl([about, *lines, segment(2, 1, gold=right(name))])


def launch(site: Website, name: str, **options: Any) -> None:
    """A campaign with every kind of control that the protocol takes."""
    screen = protocols.load(name).systems
    controls = {"gold": 1, "degraded": 1, **({"easy": 1} if screen == "one" else {})}
    kits = {"documents": 1, "repeats": 1, "controls": controls}
    if name in WHOLE:
        kits = {"documents": 2, "controls": {"degraded": 1}}
    own = {"wanted": 2, "kits": {} if name == PASSAGES else kits, "required": {"tutorial": 1}}
    more = {"questionnaires": QUESTIONNAIRES} if name == ASKED_ABOUT else {}
    declared = plan(task(name, **own), tutorial="tutorial.jsonl", guest=True, **more)
    files = {"tutorial": make_set(name, segments=1, **options), f"media/{MEDIA}": picture()}
    site.setting.create(declared, set=make_set(name, **options), **files)


def tokens(site: Website, own: str) -> dict[str, str]:
    """Everything that a judge must not meet, and what it is."""
    store = site.setting.store
    items = [item for kit in store.kits(NAME) for item in kit.items]
    others = [one for one in store.judges(NAME) if one.id != own]
    return {
        **dict.fromkeys(SYSTEMS, "a system"),
        **dict.fromkeys((SITE, TAG, DOCUMENT, SEGMENT), "what the test set says"),
        **{item.id: "an item's id" for item in items},
        **{one.pin: "another judge's PIN" for one in others},
        **{one.id: "another judge's id" for one in others},
    }


def content(response: Response) -> str:
    """All that a response says: body, headers, and what its cookies hold."""
    cookies = [c.partition("=")[2] for c in response.headers.get_list("set-cookie")]
    opened = [urlsafe_b64decode(c.partition(".")[0] + "==").decode() for c in cookies if "." in c]
    return "\n".join((response.text, str(response.headers.multi_items()), *opened))


def steps(seen: list[Response]) -> list[str]:
    """Every step that was sent, as HTML."""
    found: list[str] = []
    for one in seen:
        if "json" in one.headers.get("content-type", ""):
            told = one.json()
            shown = told if isinstance(told, list) else [told.get("next") or {}]
            found += [part["html"] for part in shown if part.get("html")]
        elif 'class="step' in one.text:
            found.append(one.text[one.text.index("<article") : one.text.index("</article>")])
    return [html for html in found if "data-assignment" in html]


def play_as_guest(visitor: Visitor, site: Website, name: str) -> None:
    """The whole tutorial by plain forms."""
    page = visitor.post("guest")
    protocol = protocols.load(name)
    kit = next(site.setting.store.kits(NAME, task="rating", phase="tutorial"))
    stages = len(protocol.stages)
    for n in range(len(kit.items) * stages):
        by_kit = protocol.advance == "kit"
        item = kit.items[n % len(kit.items) if by_kit else n // stages]
        stage = n // len(kit.items) if by_kit else n % stages
        given: dict[str, Any] = {}
        for question in protocol.asked(given, stage=stage):
            given[question.id] = question.simulate(item, TRUTH.of(item), Random(1))
        path = page.url.path.removeprefix(visitor.base)
        key = dict(HIDDEN.findall(page.text))["form_key"]
        page = visitor.post(path, fields(protocol, given), key=key)
        assert page.status_code == 200, page.text
    assert "Nothing was stored" in page.text


def visit_everything(visitor: Visitor) -> None:
    for path in ("", "judge", "password", "guidelines/rating", "api/step", "api/me", "nothing"):
        visitor.get(path)


@pytest.mark.parametrize("name", protocols.names())
def test_nothing_that_a_judge_is_sent_tells_whose_translation_it_is(name: str, tmp_path: Path):
    with website(tmp_path) as site:
        launch(site, name)
        slips = site.slips(6, site=SITE + "-of-judges")
        site.setting.start()
        accounts = {slip.pin: site.service.accounts.by_pin(NAME, slip.pin).id for slip in slips}
        for n, slip in enumerate(slips[:2]):
            visitor = site.visitor().follow(slip)
            if name == ASKED_ABOUT:
                told = {"q.native": "yes", "q.spanish": "1", "consent": "yes"}
                page = visitor.get("questionnaire/before")
                visitor.post("questionnaire/before", told, key=form_key(page))
            player = Player(visitor, site.service, NAME, accounts[slip.pin], TRUTH)
            made = player.play_as_form() if n else player.play_as_script()
            visit_everything(visitor)
            if name == ASKED_ABOUT:
                assert "Anything else?" in visitor.get("questionnaire/after").text
            assert made >= 2
            assert any("/media/" in one.text for one in visitor.seen)
            check(visitor, tokens(site, accounts[slip.pin]))
        controls = {decision.item.control for decision in site.setting.decisions()}
        kinds = {"", "degraded", *({"gold", "repeat"} if name not in WHOLE else ())}
        assert controls >= ({""} if name == PASSAGES else kinds)
        guest = site.visitor()
        play_as_guest(guest, site, name)
        check(guest, tokens(site, "nobody's"))


def check(visitor: Visitor, secret: dict[str, str]) -> None:
    for response in visitor.seen:
        said = content(response).lower()
        for token, what in secret.items():
            assert token.lower() not in said, f"{what}, {token}, in {response.url}"
    shown = steps(visitor.seen)
    assert shown
    for html in shown:
        marks = " ".join(re.findall(r"<[^>]*>", re.sub(r'(title|data-say-\w+)="[^"]*"', "", html)))
        assert not CONTROLLED.search(marks), CONTROLLED.search(marks)


def test_pages_do_not_depend_on_which_answer_is_right(tmp_path: Path):
    pages = []
    for answer in (1, 3):
        (tmp_path / str(answer)).mkdir()
        with website(tmp_path / str(answer)) as site:
            launch(site, "comprehension", answer=answer)
            slips = site.slips(6)
            site.setting.start()
            page = site.visitor().follow(slips[0]).get("judge")
            pages.append(re.sub(r"[\w-]{16,}", "…", page.text))
    assert pages[0] == pages[1]
    assert ASKED["options"][2] in pages[0]


def test_files_of_ours_are_the_same_for_everybody_and_tell_nothing():
    from jurat.web.context import static_files

    names = " ".join(static_files())
    assert not CONTROLLED.search(names)
    assert all(token.lower() not in names.lower() for token in (*SYSTEMS, SITE))
