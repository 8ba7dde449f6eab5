"""What can be chosen is as wide as its words, on every screen and in every language."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from jurat import protocols
from jurat.i18n import languages
from tests.browser.accessibility import overflow
from tests.browser.site import Site

WIDTHS = (360, 736, 1280)
TORN = r"""() => {
  const lost = [];
  const seen = (label) => label.offsetWidth && getComputedStyle(label).position !== "absolute";
  for (const label of [...document.querySelectorAll(".target .label")].filter(seen)) {
    const edge = label.closest(".target").getBoundingClientRect();
    const walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{M}]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        const box = range.getBoundingClientRect();
        const out = box.left < edge.left || box.right > edge.right || box.bottom > edge.bottom;
        // between the signs of Chinese a line may end anywhere
        if (out || (lines.size > 1 && !/\p{Script=Han}/u.test(word))) lost.push(word);
      }
    }
  }
  return lost;
}"""
"""Words that leave their target, or are broken in two."""
KINDS = {"scale", "choice", "preference"}
PICKED = [
    name
    for name in protocols.names()
    if KINDS & {question.name for question in protocols.load(name).stages[0].questions}
]


@pytest.fixture(scope="module")
def reader(browser: Browser) -> Iterator[Page]:
    """A page that asks for one language after the other."""
    # without the scripts all targets have the same boxes, and the page is there twice as soon
    with browser.new_context(java_script_enabled=False) as context:
        yield context.new_page()


@pytest.mark.parametrize("name", PICKED)
def test_no_word_is_torn_or_leaves_its_target(site: Site, reader: Page, name: str) -> None:
    made = site.campaign(name)
    reader.request.get(made.link, max_redirects=0)
    for code in languages():
        reader.set_extra_http_headers({"Accept-Language": code})
        reader.goto(f"{made.url}judge")
        reader.locator(f"html[lang={code}] .step").wait_for()
        for width in WIDTHS:
            reader.set_viewport_size({"width": width, "height": 800})
            assert reader.evaluate(TORN) == [], (code, width)
            assert overflow(reader) == 0, (code, width)
