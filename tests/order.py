"""In which order files of tests begin: a long one that begins last is waited for alone."""

import pytest

LONGEST = (
    "tests/test_house.py",
    "tests/test_docs.py",
    "tests/browser/test_desk_accessible.py",
    "tests/browser/test_never_lost.py",
    "tests/browser/test_screens.py",
    "tests/browser/test_accessible.py",
    "tests/browser/test_targets.py",
    "tests/browser/test_spans.py",
    "tests/browser/test_without_script.py",
    "tests/browser/test_desk_story.py",
    "tests/browser/test_outside_package.py",
    "tests/oracles/test_golden.py",
    "tests/campaigns/monitoring/test_benchmark.py",
    "tests/cli/test_campaign.py",
    "tests/registry/test_every_command.py",
    "tests/web/test_blind.py",
    "tests/registry/test_every_statistic.py",
    "tests/machine/test_machine.py",
    "tests/metrics/test_bleu.py",
    "tests/web/test_benchmark.py",
    "tests/metrics/test_tokenizers.py",
    "tests/campaigns/monitoring/test_cached_results.py",
    "tests/store/test_connect.py",
    "tests/store/test_killing.py",
    "tests/store/test_concurrency.py",
    "tests/campaigns/test_simulate.py",
    "tests/test_package.py",
)
"""The longest first, on a machine where nothing is compiled yet; others take seconds."""


def turn(item: pytest.Item) -> tuple[bool, int]:
    """By what tests are sorted.

    Playwright leaves an event loop running in its thread, in which no other can be started: the
    tests in the browser go last.
    """
    file = item.nodeid.partition("::")[0]
    place = LONGEST.index(file) if file in LONGEST else len(LONGEST)
    return in_browser(item), place


def in_browser(item: pytest.Item) -> bool:
    """Whether a test needs the browser."""
    return "browser" in getattr(item, "fixturenames", ())
