"""The list of the pictures: which screen on which device, and what the file is called."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import ViewportSize

from tests import ROOT
from tests.browser.screenshots.desk import DESK, PARTS
from tests.browser.screenshots.judging import JUDGING
from tests.browser.screenshots.pages import PAGES, Show
from tests.browser.screenshots.report import REPORT

FOLDER = ROOT / "docs" / "images"
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
SCREENS: dict[str, Show] = {
    **PAGES,
    **{name: one.show for name, one in JUDGING.items()},
    **DESK,
    **REPORT,
}


@dataclass(frozen=True)
class Picture:
    """A screen as somebody sees it."""

    screen: str
    dark: bool = False
    phone: bool = False

    @property
    def name(self) -> str:
        """What its file is called, without the ending."""
        return "-".join([self.screen, *["dark"] * self.dark, *["phone"] * self.phone])

    @property
    def size(self) -> ViewportSize:
        """The window."""
        return PHONE if self.phone else WIDE

    @property
    def window(self) -> bool:
        """Whether the picture shows the window, and not just what is on the page, to its end."""
        return self.screen in ("guidelines", "examples", "offline", *PARTS, *REPORT)


DARK = (
    "home",
    "tapet-adequacy",
    "preference",
    "heval",
    "esa",
    "mqm",
    "desk-results-systems",
    "report-systems",
)
ON_A_PHONE = (
    "log-in",
    "home",
    "tapet-adequacy",
    "preference",
    "ranking",
    "heval",
    "da",
    "esa",
    "mqm",
    "comprehension",
    "offline",
    "hindi",
    "desk-front",
)
PICTURES = [
    *(Picture(screen) for screen in SCREENS),
    *(Picture(screen, dark=True) for screen in DARK),
    *(Picture(screen, phone=True) for screen in ON_A_PHONE),
]
