"""The demonstration: half judged already, and open to whoever is here."""

import re

from httpx2 import Client

from tests.cli.run_command import jurat
from tests.cli.server import fetched, served
from tests.web.website import form_key, words


def test_what_the_judgments_say():
    done = jurat("demo", "--no-serve", "--judges", "8")
    assert done.returncode == 0, done.stderr
    assert "8 simulated judges have made" in done.stdout
    assert re.search(r"cedar +\d.*\n.*birch +\d.*\n.*willow +\d.*\n.*bramble +\d", done.stdout)


def test_a_judge_a_guest_and_a_coordinator_can_begin(tmp_path):
    with served("demo", "--judges", "8", "--port", "0", cwd=tmp_path) as lines:
        told = "".join(lines)
        (link,), (start,) = (re.findall(rf"{who}: +(\S+)", told) for who in ("Judge", "Guest"))
        assert "Become a judge" in fetched(start)
        overview = words(fetched(link))
        # every task has work for the visitor
        for count in ("1 kit", "2 kits"):
            assert f"{count} left" in overview
        (desk, name, password) = re.findall(
            r"Coordinator: +(\S+)\s+name (\w+), password (\w+)", told
        )[0]
        with Client(follow_redirects=True) as browser:
            sent = {"name": name, "password": password, "form_key": form_key(browser.get(desk))}
            page = browser.post(f"{desk}login", data=sent)
        assert "Four systems into English" in page.text
        assert "New campaign" in page.text
