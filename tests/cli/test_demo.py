"""The demonstration: half judged already, and open to whoever is here."""

import re

from tests.cli.running import jurat
from tests.cli.serving import fetched, served


def test_what_the_judgments_say():
    done = jurat("demo", "--no-serve", "--judges", "8")
    assert done.returncode == 0, done.stderr
    assert "8 simulated judges have made" in done.stdout
    assert re.search(r"cedar +\d.*\n.*birch +\d.*\n.*willow +\d.*\n.*bramble +\d", done.stdout)


def test_a_judge_a_guest_and_a_coordinator_can_begin(tmp_path):
    with served("demo", "--judges", "8", "--port", "0", cwd=tmp_path) as lines:
        told = "".join(lines)
        (link,), (start,) = (re.findall(rf"{who}: +(\S+)", told) for who in ("Judge", "Guest"))
        assert re.search(r"Coordinator: PIN \w+, password \w+", told)
        assert "Become a judge" in fetched(start)
        assert "Adequacy" in fetched(link)
