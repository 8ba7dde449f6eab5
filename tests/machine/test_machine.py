"""The real parts are real: they start, answer, keep apart what is separate, and stop."""

import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Page

from tests import ROOT
from tests.machine import Missing, chromium, memory, postgres, provide
from tests.machine.postgres import fresh_database

PAGE = """<!doctype html><meta charset="utf-8"><title>Scripts</title>
<style>p { font-size: 40px }</style>
<p lang="hi">मशीनी अनुवाद</p><p lang="ar" dir="rtl">الترجمة الآلية</p><p lang="zh">机器翻译</p>"""


SERVERS = postgres.found()


def ask(address: str, question: str) -> object:
    with psycopg.connect(address) as connection:
        row = connection.execute(question.encode()).fetchone()
    return row[0] if row else None


def answers(address: str) -> bool:
    try:
        return ask(address, "SELECT 1") == 1
    except psycopg.OperationalError:
        return False


def waited_for(holds: Callable[[], bool], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


@pytest.mark.parametrize("programs", sorted({*SERVERS[:1], *SERVERS[-1:]}), ids=str)
def test_each_server_starts_answers_and_stops(programs: Path) -> None:
    with postgres.running(programs) as address:
        place = Path(str(ask(address, "SHOW data_directory")))
        assert ask(address, "SHOW fsync") == "on"
        assert place.exists()
    assert not place.exists()
    assert not answers(address)


def test_a_server_in_a_folder_that_only_its_owner_can_enter(tmp_path: Path) -> None:
    wheel = next((path for path in postgres.found() if postgres.WHEEL in str(path)), None)
    if wheel is None:
        pytest.skip("no PostgreSQL server in a wheel")
    packages = wheel.parents[2]
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0o700)
    for folder in packages.glob(f"{postgres.WHEEL}*"):
        shutil.copytree(folder, hidden / folder.name, symlinks=True)
    with postgres.running(hidden / wheel.relative_to(packages)) as address:
        assert answers(address)


def test_a_server_wants_its_password(postgres: str) -> None:
    guessed = re.sub(":[0-9a-f]+@", ":guess@", postgres)
    with pytest.raises(psycopg.OperationalError, match="password"):
        ask(guessed, "SELECT 1")


def test_databases_are_separate(postgres: str) -> None:
    with fresh_database(postgres) as one, fresh_database(postgres) as other:
        with psycopg.connect(one) as connection:
            connection.execute("CREATE TABLE only_here ()")
        assert ask(one, "SELECT count(*) FROM pg_tables WHERE tablename = 'only_here'") == 1
        assert ask(other, "SELECT count(*) FROM pg_tables WHERE tablename = 'only_here'") == 0


def test_a_database_is_empty_and_goes_away_even_if_in_use(postgres: str) -> None:
    with fresh_database(postgres) as address:
        assert ask(address, "SELECT count(*) FROM pg_stat_user_tables") == 0
        connection = psycopg.connect(address)
    connection.close()
    assert not answers(address)


@pytest.mark.usefixtures("postgres")
def test_the_server_ends_with_the_process_that_started_it() -> None:
    code = (
        "import time\n"
        "from tests.machine import postgres\n"
        "with postgres.running() as address:\n"
        "    print(address, flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        place = Path(str(ask(address, "SHOW data_directory"))).parent
        process.kill()
    assert waited_for(lambda: not place.exists())
    assert not answers(address)


@pytest.fixture
def site() -> Iterator[str]:
    """The address of a page in three scripts, served on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(PAGE.encode())

        def log_message(self, *words: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_the_browser_shows_three_scripts(page: Page, site: str) -> None:
    page.goto(site)
    assert page.title() == "Scripts"
    assert page.locator("p").all_inner_texts() == ["मशीनी अनुवाद", "الترجمة الآلية", "机器翻译"]


@pytest.mark.usefixtures("fonts")
def test_letters_are_drawn_and_not_boxes(page: Page, site: str) -> None:
    page.goto(site)
    words = [page.locator(f"[lang={language}]") for language in ("hi", "ar", "zh")]
    drawn = [word.screenshot() for word in words]
    for word in words:
        # Without a font every letter is the same box, as for a letter that no font will ever have.
        word.evaluate("p => p.textContent = '\\u{10FFFD}'.repeat([...p.textContent].length)")
    boxes = [word.screenshot() for word in words]
    assert all(picture.startswith(b"\x89PNG") and len(picture) > 2000 for picture in drawn)
    assert len({*drawn, *boxes}) == len(drawn) + len(boxes)


def test_a_chosen_browser_must_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JURAT_CHROMIUM", "/no/such/browser")
    with pytest.raises(Missing, match="JURAT_CHROMIUM"):
        chromium.find()


def lacking() -> None:
    raise Missing("no such thing: install it")


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
def test_what_is_missing_is_said_and_fails_only_in_ci(
    ci: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(provide, "PARTS", (provide.Part("a test", lacking, ("some-package",)),))
    monkeypatch.setattr(provide, "can_install", lambda: False)
    assert provide.main() == code
    said = capsys.readouterr().err
    assert all(word in said for word in ("MISSING", "no such thing", "a test", "some-package"))


def test_what_is_there_is_not_mentioned(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(provide, "PARTS", (provide.Part("a test", lambda: None, ()),))
    assert provide.main() == 0
    assert capsys.readouterr() == ("", "")


def test_files_are_in_memory_only_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "ENOUGH", 1)
    assert memory.find(tmp_path) == tmp_path
    assert memory.find(tmp_path / "nowhere") is None
    monkeypatch.setattr(memory, "ENOUGH", 2**60)
    assert memory.find(tmp_path) is None
