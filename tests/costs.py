"""What tests cost: processor seconds of this process and of all that it started."""

import os
import resource
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

TICK = os.sysconf("SC_CLK_TCK")
SHOWN = 40
"""Files in the list; the rest of the suite is one line."""


def processor_seconds() -> float:
    """Seconds so far: of this process, of its children that ended, and of those that run."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + _running(os.getpid())


def _running(parent: int) -> float:
    return sum(_used(child) + _running(child) for child in _children(parent))


def _children(parent: int) -> Iterator[int]:
    try:
        threads = list(Path(f"/proc/{parent}/task").iterdir())
        for thread in threads:
            yield from map(int, (thread / "children").read_text().split())
    except OSError:  # ended just now
        return


def _used(process: int) -> float:
    """Seconds of a process that runs and of its children that ended."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return 0.0
    # the name of the program, in brackets, may hold blanks
    return sum(map(int, stat.rpartition(")")[2].split()[11:15])) / TICK


class Costs:
    """A plugin of pytest: each report carries `cost`, and the end shows the dearest files."""

    def __init__(self) -> None:
        self._before = 0.0
        self._files: dict[str, float] = defaultdict(float)
        self._tests: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self._before = processor_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = processor_seconds()
        # a process of the browser takes with it what it used, since nobody waits for it
        vars(report)["cost"] = max(0.0, now - self._before)
        self._before = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        cost = getattr(report, "cost", 0.0)
        self._tests[report.nodeid] += cost
        self._files[report.nodeid.partition("::")[0]] += cost

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("processor seconds")
        for costs in (self._files, self._tests):
            for name, cost in dearest(costs, SHOWN):
                terminalreporter.line(f"{cost:8.1f}  {name}")


def dearest(costs: dict[str, float], shown: int) -> list[tuple[str, float]]:
    """The dearest names first, then what all the others cost together, and the sum."""
    ordered = sorted(costs.items(), key=lambda one: -one[1])
    rest = sum(cost for _, cost in ordered[shown:])
    others = len(ordered) - shown
    more = [(f"{others} more", rest)] if others > 0 else []
    return [*ordered[:shown], *more, (f"{len(ordered)} in all", sum(costs.values()))]
