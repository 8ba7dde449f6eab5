"""A campaign as the declaration and files from which the same campaign can be created again."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from pathlib import PurePosixPath
from typing import Any

from jurat import protocols, testset_filter
from jurat.campaigns.create import CampaignDefinition
from jurat.model import TestSet
from jurat.protocols import Protocol
from jurat.testsets import file_names, write_test_set

# It holds all that a test set can have.
FORMAT = "jsonl"
FILES = {"test_set": "testset.jsonl", "tutorial": "tutorial.jsonl"}


def campaign_files(
    declaration: Any, definition: CampaignDefinition
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The declaration of a campaign and the files that it names, by name.

    Human references, which became systems when the campaign was created, are references again.
    Protocols that are not shipped, or were different then, become files.
    """
    sets = {"test_set": definition.test_set, "tutorial": definition.tutorial}
    humans = {f"human-{name}" for name in definition.plan.human_references}
    files = {
        FILES[name]: written(_without(test_set, humans))
        for name, test_set in sets.items()
        if test_set is not None
    }
    named = _protocol_files(definition)
    used = [definition.protocols[task.name] for task in definition.plan.tasks]
    files |= {
        named[one.version]: protocols.dump(one).encode() for one in used if one.version in named
    }
    tasks = [
        {**task, "protocol": named.get(protocol.version, task["protocol"])}
        for task, protocol in zip(declaration["tasks"], used, strict=True)
    ]
    places = {name: file for name, file in FILES.items() if file in files}
    return {**declaration, **places, "tasks": tasks}, files


def written(test_set: TestSet) -> bytes:
    """A test set as a file of ours."""
    (file,) = write_test_set(test_set, FORMAT)
    return file.data


def _without(test_set: TestSet, humans: Collection[str]) -> TestSet:
    others = [system.name for system in test_set.systems if system.name not in humans]
    return (
        testset_filter.keep(test_set, systems=others)
        if len(others) < len(test_set.systems)
        else test_set
    )


def _protocol_files(definition: CampaignDefinition) -> dict[str, str]:
    """Names of files for the protocols that have to be written, by their versions."""
    stems: dict[str, str] = {}
    for task in definition.plan.tasks:
        protocol = definition.protocols[task.name]
        if not _is_shipped(protocol, task.protocol):
            stems[protocol.version] = PurePosixPath(task.protocol).stem
    return dict(zip(stems, file_names(stems.values(), "yaml"), strict=True))


def _is_shipped(protocol: Protocol, name: str) -> bool:
    """Whether the name stands for what the campaign has."""
    return name in protocols.names() and protocols.load(name).version == protocol.version


def free_name(name: str, taken: Collection[str]) -> str:
    """`spring-2` for `spring`, or the first number after it that is not taken."""
    stem, _, number = name.rpartition("-")
    again = bool(stem) and number.isdecimal() and len(number) < 4
    base, first = (stem, int(number) + 1) if again else (name, 2)
    return next(one for n in count(first) if (one := f"{base}-{n}") not in taken)
