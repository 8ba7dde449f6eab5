"""In which order files of tests begin: a long one that begins last is waited for alone."""

import pytest

LONGEST = (
    "tests/test_house.py",
    "tests/test_docs.py",
    "tests/browser/test_never_lost.py",
    "tests/browser/test_desk_accessible.py",
    "tests/browser/test_accessible.py",
    "tests/browser/test_desk_story.py",
    "tests/browser/test_without_script.py",
    "tests/browser/test_screens.py",
    "tests/metrics/test_benchmark.py",
    "tests/campaigns/monitoring/test_benchmark.py",
    "tests/metrics/test_bleu.py",
    "tests/stats/bias/test_reference_similarity.py",
    "tests/cli/test_campaign.py",
    "tests/web/test_blind.py",
    "tests/metrics/test_tokenizers.py",
    "tests/web/test_benchmark.py",
    "tests/store/test_killing.py",
    "tests/campaigns/test_simulate.py",
    "tests/campaigns/monitoring/test_cached_results.py",
    "tests/store/test_connect.py",
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
