"""What axe-core, the accessibility checker, finds on a page."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from playwright.sync_api import BrowserContext, Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = r"""async (runOnly) => {
  const own = "id|for|name|value|href|action|title|alt|aria-\\w+|data-[\\w-]+";
  const place = "[xydr][12]?|[cd][xy]|points|transform|width|height";
  const values = new RegExp(` (${own}|${place})="[^"]+"`, "g");
  const form = (one) => one.outerHTML.replace(values, " $1").replace(/>[^<]+/g, ">…");
  const named = "[for], [aria-labelledby], [aria-describedby], [aria-controls], a[href^='#']";
  const words = (one) => ["for", "aria-labelledby", "aria-describedby", "aria-controls", "href"]
    .flatMap((name) => one.getAttribute(name)?.replace(/^#/, "").split(" ") ?? []);
  const pairs = [...document.querySelectorAll(named)].flatMap(
    (one) => words(one).map((id) => [one, document.getElementById(id)]));
  // a label stays where its field stays
  const tied = (child) => pairs.some(([one, to]) => child.contains(one) !== child.contains(to));
  const removed = [];
  const look = (parent) => {
    const seen = new Map();
    for (const child of [...parent.children]) {
      const key = form(child), before = seen.get(key) ?? 0;
      seen.set(key, before + 1);
      // two of each: every other row of a table may stand on another ground
      if (before < 2 || tied(child)) look(child);
      else {
        const mark = document.createComment("");
        child.replaceWith(mark);
        removed.push([mark, child]);
      }
    }
  };
  look(document.body);
  try {
    // nothing is loaded for it: no rule among these reads style sheets
    const options = { runOnly, resultTypes: ["violations"], preload: false };
    return (await axe.run(options)).violations;
  } finally {
    for (const [mark, child] of removed) mark.replaceWith(child);
  }
}"""
"""Neighbours that differ in their words only have the same faults: two of each kind are checked."""


@cache
def _script() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text()


def load(context: BrowserContext) -> None:
    """Give every page of a context the checker: the browser does it sooner than `violations`."""
    context.add_init_script(_script())


def violations(page: Page, *, only: str = "") -> list[str]:
    """Every violation with the elements concerned; `only` one rule, where the rest is known."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_script())  # by the browser itself: the page's policy is as strict as ever
    chosen = {"type": "rule", "values": [only]} if only else {"type": "tag", "values": RULES}
    found: list[dict[str, Any]] = page.evaluate(RUN, chosen)
    return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]
