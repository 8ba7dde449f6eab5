"""What tests cost is counted with all that they start."""

import os
import subprocess
import sys

from tests.costs import dearest, processor_seconds

BUSY = "import time\nwhile time.process_time() < 0.3: pass\nprint('done', flush=True)\ninput()"


def test_children_are_counted_while_they_run_and_when_they_ended() -> None:
    before = processor_seconds()
    command = [sys.executable, "-S", "-c", BUSY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        running = processor_seconds()
        child.communicate(b"\n")
    ended = processor_seconds()
    tick = 2 / os.sysconf("SC_CLK_TCK")
    assert running - before > 0.3 - tick
    assert ended - before > 0.3 - tick


def test_the_dearest_come_first_and_the_others_in_one_line() -> None:
    costs = {"cheap": 1.0, "dear": 5.0, "free": 0.0}
    assert dearest(costs, 1) == [("dear", 5.0), ("2 more", 1.0), ("3 in all", 6.0)]
    assert dearest(costs, 3)[2:] == [("free", 0.0), ("3 in all", 6.0)]
