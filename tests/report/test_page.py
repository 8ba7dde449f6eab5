"""The page works from a file, under its own strict policy, for everyone."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from jurat.report.compute import compute
from jurat.report.page import to_html
from jurat.report.settings import ReportSettings
from tests.browser.axe import violations
from tests.cli.run_command import jurat
from tests.report.judged_table import JUDGES, SYSTEMS, evaluation, table


@pytest.fixture(scope="module", name="html")
def written() -> str:
    settings = ReportSettings(bootstrap=20, group="seen", title="Three <plants>")
    return to_html(compute(evaluation(), settings)).decode()


def test_the_policy_names_the_style_and_the_script_of_the_page(html: str) -> None:
    for tag in ("style", "script"):
        (inner,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = b64encode(sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in html


def test_nothing_comes_from_elsewhere(html: str) -> None:
    assert "http:" not in html
    assert "https:" not in html
    assert not re.findall(r'\b(?:src|style|onload|onclick)="', html)


def test_judges_are_pseudonyms_and_systems_are_named(html: str) -> None:
    assert not [name for name in JUDGES if name in html]
    assert all(name in html for name in SYSTEMS)
    assert "Three &lt;plants&gt;" in html


def test_every_finding_leads_to_its_numbers(html: str) -> None:
    anchors = re.findall(r'href="#([\w-]+)"', html)
    assert anchors
    assert all(f'id="{anchor}"' in html for anchor in anchors)


@pytest.mark.parametrize(("scheme", "wide"), [("light", 1280), ("dark", 390)])
def test_a_browser_shows_it_to_everyone(
    browser: Browser, html: str, tmp_path: Path, scheme: str, wide: int
) -> None:
    file = tmp_path / "report.html"
    file.write_text(html, "utf-8")
    size = {"width": wide, "height": 800}
    with browser.new_context(viewport=size, color_scheme=scheme) as context:  # type: ignore[arg-type]
        page = context.new_page()
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("request", lambda request: told.append(request.url))
        page.goto(file.as_uri())
        assert told == [file.as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth") <= wide
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        # all but the contrast is the same in both
        assert violations(page, only="" if scheme == "light" else "color-contrast") == []


def test_the_command_hides_what_it_is_asked_to_hide(tmp_path: Path) -> None:
    judged, out = tmp_path / "judged.csv", tmp_path / "report.html"
    table().write_csv(judged)
    read = ("--columns", "value=adequacy", "--bootstrap", "0", "--out", str(out))
    tables = tmp_path / "tables"
    more = ("--hide-systems", "--exclude", "Cosima", "--tables", str(tables))
    done = jurat("report", str(judged), *read, *more)
    assert done.returncode == 0, done.stderr
    written = {file.name: file.read_text("utf-8") for file in tables.iterdir()}
    assert written["systems-system-score.csv"].startswith("name,by.question,by.system,value")
    assert r"\toprule" in written["agreement-krippendorff-alpha.tex"]
    assert "3 judges gave 162 judgments of 18 segments" in written["human-evaluation.txt"]
    hidden = out.read_text("utf-8") + "".join(written.values())
    assert not [name for name in (*JUDGES, *SYSTEMS) if name in hidden]
    refused = jurat("report", str(judged), *read)
    assert "--force overwrites it" in refused.stderr
    jurat("report", str(judged), *read, "--judge-names", "--force")
    assert "Zebulon" in out.read_text("utf-8")
