"""A website to visit."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaigns.sample_campaigns import make_set, plan, task
from tests.web.website import Website, website


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Website]:
    """A running campaign with a tutorial, guests and volunteers, and nobody in it yet."""
    with website(tmp_path) as found:
        found.setting.create(
            plan(
                task("da", required={"tutorial": 1, "evaluation": 1}),
                tutorial="tutorial.jsonl",
                title="Rating in spring",
                contact={"name": "Ada", "address": "ada@example.org"},
                guest=True,
                registration=True,
            ),
            tutorial=make_set(1, 1, kind="lesson"),
        )
        yield found
