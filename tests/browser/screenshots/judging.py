"""The judging screens in the pictures: one of each protocol, and what else a judge may meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, expect

from jurat import protocols
from tests.browser.mouse_and_keyboard import Keyboard
from tests.browser.screenshots.acting import (
    Act,
    both,
    goes_on_offline,
    keys,
    marks,
    nothing,
    ranks,
    removes,
    scores,
    writes,
)
from tests.browser.screenshots.texts import into, sample, suggested
from tests.browser.site import Site, make_set


@dataclass(frozen=True)
class Scene:
    """A judge before a step of a kit."""

    protocol: str
    document: str = ""
    """Of the sample, what his kit is about."""
    systems: tuple[str, ...] = ("birch",)
    act: Act = nothing
    done: int = 1
    """Steps that he has behind him."""
    texts: bytes = field(default_factory=sample, repr=False)
    plan: Mapping[str, Any] = field(default_factory=dict)

    def show(self, page: Page, site: Site) -> None:
        """Let the judge come to his step, and do there what he does."""
        chosen = {"documents": [self.document], "systems": self.systems} if self.document else {}
        made = site.campaign(
            self.protocol, test_set=self.texts, judges=len(self.systems), task=chosen, **self.plan
        )
        made.enter(page)
        hands = Keyboard(page, protocols.load(self.protocol))
        for _ in range(self.done):
            key = page.locator(".step").get_attribute("data-key")
            hands.answer()
            hands.next()
            expect(page.locator(f".step[data-key='{key}']")).to_have_count(0)
        made.stored(self.done)
        expect(page.locator("#saved")).to_be_empty()
        self.act(page)


ONE = sample("A")
"""With one reference."""

CHOSEN = {
    "application": Scene(
        "application",
        "clinic",
        ("willow",),
        both(keys("2"), writes("“Where” fails: “before the health centre” is no place.")),
        done=0,
        texts=ONE,
    ),
    "best-worst": Scene(
        "best-worst", "market", ("cedar", "birch", "willow"), keys("1"), done=0, texts=ONE
    ),
    "rankme": Scene(
        "rankme",
        "market",
        ("cedar", "birch", "willow"),
        keys(*"ns95ns30ns60", "Tab"),
        done=0,
        texts=ONE,
    ),
    "clarity": Scene("clarity", "council", act=keys("2"), done=3),
    "comprehension": Scene("comprehension", "market", act=keys("2"), done=0),
    "concepts": Scene("concepts", "library", act=keys("1", "1", "2"), done=2),
    "contrastive-esa": Scene(
        "contrastive-esa",
        "market",
        ("cedar", "birch", "willow"),
        keys(*"ns97n", *["ArrowRight"] * 10, "Shift+ArrowRight", *"2s41ns80", "Enter"),
        done=0,
    ),
    "side-by-side-mqm": Scene(
        "side-by-side-mqm",
        "market",
        ("cedar", "birch", "willow"),
        keys(*"nn", *["ArrowRight"] * 10, "Shift+ArrowRight", *"113n", *["ArrowRight"] * 15, "1"),
        done=0,
    ),
    "esa-document": Scene(
        "esa-document",
        systems=("cedar", "birch", "willow"),
        act=keys(*"n", *["ArrowRight"] * 7, *"1s88n", *["ArrowRight"] * 4, *"2s4", "0"),
        done=0,
        texts=make_set(),
    ),
    "da": Scene("da", "harbour", act=keys("8", "2"), texts=ONE),
    "esa": Scene(
        "esa",
        "market",
        ("willow",),
        both(
            marks("for more than ten years", "major"),
            marks("pay", "major", missing=True),
            marks("transfer", "minor"),
            scores(31),
        ),
        done=2,
    ),
    "esa-ai": Scene(
        "esa-ai",
        "market",
        ("willow",),
        both(marks("pay", "major", missing=True), removes, scores(31)),
        done=2,
        texts=suggested(),
    ),
    "fidelity": Scene("fidelity", "monsoon", act=keys("3"), texts=ONE),
    "heval": Scene("heval", "monsoon", act=keys(*"1120323")),
    "informativeness": Scene(
        "informativeness",
        "train",
        act=writes("The train is twenty minutes late and leaves from track seven now."),
        done=2,
    ),
    "informativeness-2": Scene("informativeness", "train", act=keys("2"), done=3, texts=ONE),
    "intelligibility": Scene("intelligibility", "museum", act=keys("8"), done=2),
    "ldc-adequacy": Scene("ldc-adequacy", "harbour", act=keys("2"), done=3, texts=ONE),
    "ldc-fluency": Scene("ldc-fluency", "school", act=keys("3")),
    "meaning": Scene("meaning", "school", act=keys("2"), done=2),
    "mqm": Scene(
        "mqm",
        "market",
        act=both(
            marks("since", "minor", "fluency/grammar"),
            marks("will not pay nothing", "major", "fluency/grammar"),
            marks("transfer", "minor", "accuracy/mistranslation"),
        ),
        done=2,
    ),
    "post-edit": Scene(
        "post-edit",
        "council",
        act=writes(
            "But old people living by the bridge worry: once there are many bikes, they can't walk"
            " in peace."
        ),
        done=3,
    ),
    "preference": Scene("preference", "market", ("cedar", "willow"), keys("3"), 2, ONE),
    "preference-4": Scene("preference-4", "hotel", ("birch", "willow"), keys("1"), 1, ONE),
    "ranking": Scene(
        "ranking",
        "monsoon",
        ("cedar", "birch", "willow", "bramble"),
        ranks("^The Agri", "^Agriculture Min", "^The agri", "^Agriculture min"),
        texts=ONE,
    ),
    "semantic-adequacy": Scene("semantic-adequacy", "harbour", ("cedar",), keys("1", "2")),
    "source-adequacy": Scene("source-adequacy", "battery", act=keys("2"), done=2),
    "sqm": Scene("sqm", "council", ("cedar",), keys("5"), 3),
    "tapet-adequacy": Scene("tapet-adequacy", "market", act=keys("2"), done=2),
    "tapet-adequacy-5": Scene("tapet-adequacy-5", "clinic", act=keys("2", "1")),
    "acceptability": Scene("acceptability", "market", act=keys("2"), done=2),
    "xsts": Scene("xsts", "school", act=keys("2"), done=2),
    "xsts-rp": Scene("xsts-rp", "council", ("cedar",), keys("4"), 3),
    "tcstar": Scene("tcstar", "train", act=keys("3")),
    "tcstar-2": Scene("tcstar", "train", act=keys("2"), done=6, texts=ONE),
    "offline": Scene("ldc-adequacy", "market", ("cedar",), goes_on_offline, texts=ONE),
    "missing": Scene("semantic-adequacy", "market", act=keys("2", "2", "Enter"), done=2),
    "hindi": Scene("tapet-adequacy", texts=into("hi"), act=keys("2"), plan={"language": "hi"}),
    "chinese": Scene("ldc-adequacy", texts=into("zh"), act=keys("2"), plan={"language": "zh"}),
    "arabic": Scene(
        "esa",
        texts=into("ar"),
        act=both(marks("لأورتيز وفيدال", "major"), marks("أكثر من المخطط", "minor"), scores(72)),
    ),
}
"""Screens that were thought about, by name."""

PLAIN = {name: Scene(name, "market", ("cedar", "birch"), done=0) for name in protocols.names()}
JUDGING = {**PLAIN, **CHOSEN}
"""All screens by name: of each protocol one that is called like it, and what else is to be seen."""
