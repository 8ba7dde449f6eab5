"""Several servers on one PostgreSQL behind nginx, restarted one after the other."""

from pathlib import Path

from tests.chaos.hosts import restart_in_turn
from tests.chaos.processes import ServerProcess
from tests.chaos.trial import Trial, work_under
from tests.conftest import require
from tests.machine import nginx


def test_a_restart_of_one_after_the_other_fails_no_request(database: str, tmp_path: Path) -> None:
    require(nginx.find)
    servers = [ServerProcess(database, tmp_path, workers=1) for _ in range(2)]
    trial = Trial(judges=9, documents=20, reading=0.1, once=True)
    with nginx.running(tmp_path, [one.address for one in servers]) as url:
        outcome = work_under(restart_in_turn(servers), trial, database, servers, url)
    assert outcome.violations == []
    assert not {status for status in outcome.history.statuses if status == 0 or status >= 500}
