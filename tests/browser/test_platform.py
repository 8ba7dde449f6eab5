"""From a stand-in platform's page to judging, a questionnaire, and back with the code."""

import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.site import Site, make_set

TEXT = "The old bridge was closed."
ONE = {"source": "Uno.", "references": {"A": TEXT}, "translations": {"cedar": TEXT}}


class StandIn(BaseHTTPRequestHandler):
    """A platform: a page with a link to the study, and one that shows the code it was sent."""

    study = ""

    def do_GET(self) -> None:
        link = f'<a href="{self.study}enter?PROLIFIC_PID=ann&amp;STUDY_ID=7">Open the study</a>'
        body = f"<!doctype html><title>Platform</title><h1>{self.path}</h1>{link}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def platform() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_there_and_back(site: Site, browser: Browser, platform: str) -> None:
    asked = {"questions": [{"id": "native", "kind": "choice", "ask": "First language English?"}]}
    back = {"code": "C 42", "url": platform + "complete?cc={code}"}
    made = site.campaign(
        "da",
        test_set=make_set([ONE]),
        judges=1,
        platform={"identity": "PROLIFIC_PID", "quota": 1, "completion": back},
        questionnaires={"before": {**asked, "consent": "I agree to take part."}},
    )
    StandIn.study = made.url
    with browser.new_context(viewport={"width": 390, "height": 800}) as context:
        page = context.new_page()
        page.goto(platform)
        page.get_by_text("Open the study").click()
        expect(page.get_by_role("heading", name="About you")).to_be_visible()
        assert "PROLIFIC" not in page.url
        page.get_by_label("Yes").check()
        page.get_by_label("I have read this and agree.").check()
        page.get_by_role("button", name="Save and continue").click()
        page.goto(f"{made.url}judge")
        page.locator("input[type=number]").fill("70")
        page.locator(".next").click()
        expect(page.get_by_text("C 42")).to_be_visible()
        if folder := os.environ.get("SCREENS"):
            page.screenshot(path=Path(folder) / "platform-phone.png")
        page.get_by_role("link", name="Return to the platform").click()
        expect(page.get_by_role("heading")).to_have_text("/complete?cc=C%2042")
    assert [one["adequacy"] for one in made.answers()] == [70]
