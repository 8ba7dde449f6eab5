"""What axe-core, the accessibility checker, finds on a page."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from playwright.sync_api import BrowserContext, Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


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
    found: list[dict[str, Any]] = page.evaluate(
        "async (runOnly) => (await axe.run({ runOnly, resultTypes: ['violations'] })).violations",
        chosen,
    )
    return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]
