"""Checks an archive of a campaign, which may come from anywhere, before it is opened.

The store checks that its rows fit together; what only protocols can tell is checked here: the
configuration, and that every answer is one that a judge could have given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from jurat.campaigns.config import stored_plan
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import InputError, Problem, input_error, quoted, raise_problems
from jurat.protocols import Protocol
from jurat.store import Store, StoredDecision

# Problems that are reported; a meddled archive has thousands.
MOST = 20


def check_archive(file: BinaryIO) -> None:
    """Raise `InputError` if an archive's campaign could not have been made by Jurat."""
    # in a store of its own, so that judges do not wait meanwhile, and nothing is left of it
    with (
        TemporaryDirectory(prefix="jurat-archive-") as folder,
        Store.open(str(Path(folder) / "archive.db")) as store,
    ):
        for campaign in store.restore(file).campaigns:
            _check_campaign(store, campaign)
    file.seek(0)


def _check_campaign(store: Store, campaign: str) -> None:
    stored = store.campaign(campaign)
    for task in stored_plan(stored.declaration).tasks:
        if task.name not in stored.protocols:
            raise input_error(f"the archive has no protocol for the task {quoted(task.name)}")
    protocols = ServiceContext(store).definition(campaign).protocols
    problems: list[Problem] = []
    # Answers to the stages of an item are separate decisions, and the conditions of later stages
    # depend on the earlier ones.
    staged: defaultdict[tuple[str, int], dict[str, Any]] = defaultdict(dict)
    for decision in store.decisions(campaign):
        # what was replaced may have been answered under other conditions
        if decision.status == "superseded":
            continue
        answers = staged[decision.assignment, decision.index]
        answers.update(decision.answers)
        problems += _problems(protocols[decision.task], decision, answers)
        if len(problems) >= MOST:
            break
    raise_problems(problems[:MOST])


def _problems(
    protocol: Protocol, decision: StoredDecision, answers: Mapping[str, Any]
) -> list[Problem]:
    """What is wrong with a decision, given all answers to its item so far."""
    try:
        if not decision.skipped:
            protocol.check(answers, decision.item, stage=decision.stage)
        elif decision.answers:
            raise input_error("an item that was skipped has no answers")
    except InputError as error:
        place = f"decision {decision.number} of judge {decision.judge}"
        return [one.changed(file="decisions.jsonl", field=place) for one in error.problems]
    return []
