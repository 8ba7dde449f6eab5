"""Whether everybody can reach everything on a page: how wide it is, by keyboard, by ear."""

from __future__ import annotations

from playwright.sync_api import Page

FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const all = [...document.querySelectorAll("*")];
  const ring = (element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  };
  const box = (one.closest("label") ?? one).getBoundingClientRect();
  return {
    at: all.indexOf(one), tag: one.outerHTML.slice(0, 120),
    ring: ring(one) || ["label", "li"].some((tag) => one.closest(tag) && ring(one.closest(tag))),
    seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
  };
}"""
NAMED = {"button", "link", "radio", "checkbox", "textbox", "slider", "spinbutton", "combobox"}


def overflow(page: Page) -> int:
    """How many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def walk(page: Page, most: int = 150) -> list[int]:
    """Where in the page the keyboard stops, one stop after the other, each of them to be seen."""
    page.evaluate("document.activeElement.blur()")
    visited: list[int] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        if found is None or found["at"] in visited:
            break
        visited.append(found["at"])
        assert found["ring"], found["tag"]
        assert found["seen"], found["tag"]
    return visited


def controls(page: Page) -> list[str]:
    """The names of all controls, as somebody hears them who does not see the page."""
    session = page.context.new_cdp_session(page)
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    found = [node for node in tree if _said(node, "role") in NAMED and not node["ignored"]]
    return [_said(node, "name").strip() for node in found]


def _said(node: dict[str, dict[str, str]], what: str) -> str:
    return node.get(what, {}).get("value", "")
