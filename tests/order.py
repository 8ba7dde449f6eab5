"""In which order files of tests begin: a long one that begins last is waited for alone."""

from collections.abc import Iterable

import pytest

LONGEST = (
    "tests/chaos/test_trial.py",
    "tests/test_docs.py",
    "tests/web/test_leaks.py",
    "tests/web/test_states.py",
    "tests/test_calibration.py",
    "tests/oracles/test_golden.py",
    "tests/test_notebooks.py",
    "tests/test_site.py",
    "tests/registry/test_every_command.py",
    "tests/registry/test_every_statistic.py",
    "tests/web/test_blind.py",
    "tests/metrics/test_bleu.py",
    "tests/library/test_same_as_commands.py",
    "tests/cli/test_campaign.py",
    "tests/metrics/test_benchmark.py",
    "tests/protocols/test_localization.py",
    "tests/campaigns/monitoring/test_cached_results.py",
    "tests/campaigns/test_simulate.py",
    "tests/campaigns/test_rules.py",
    "tests/test_package.py",
    "tests/chaos/test_hosts.py",
    "tests/registry/test_every_metric.py",
    "tests/registry/test_every_question.py",
    "tests/test_house.py",
    "tests/browser/test_never_lost.py",
    "tests/browser/test_desk_accessible.py",
    "tests/browser/test_screens.py",
    "tests/browser/test_accessible.py",
    "tests/report/test_live.py",
    "tests/browser/test_spans.py",
    "tests/browser/test_desk_story.py",
    "tests/browser/test_without_script.py",
    "tests/browser/test_targets.py",
    "tests/report/test_page.py",
    "tests/browser/test_outside_package.py",
    "tests/browser/test_desk_preparing.py",
    "tests/browser/test_access.py",
    "tests/machine/test_machine.py",
)
"""The dearest first, as `make test ARGS=--costs` shows them; others take seconds."""


def in_order(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The tests in the order in which they begin.

    Playwright leaves an event loop running in its thread, in which no other can be started: files
    with tests in the browser go last, as a whole, since a process runs whole files.
    """
    told = list(items)
    shown = {_file(item) for item in told if _in_browser(item)}
    return sorted(told, key=lambda item: (_file(item) in shown, _place(_file(item))))


def _place(file: str) -> int:
    return LONGEST.index(file) if file in LONGEST else len(LONGEST)


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _in_browser(item: pytest.Item) -> bool:
    return "browser" in getattr(item, "fixturenames", ())
