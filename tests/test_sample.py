"""The sample: what the issue of a sample is that everything can be tried on it."""

from collections import defaultdict
from importlib.resources import files

import pytest
import yaml

from jurat import protocols
from jurat.model import TestSet
from jurat.testsets import SetFile, read_test_set
from tests.sample_tables import TABLES, as_csv

FOLDER = files("jurat").joinpath("sample")


def load(name: str) -> TestSet:
    return read_test_set([SetFile(name, FOLDER.joinpath(name).read_bytes())])


@pytest.mark.parametrize("name", TABLES)
def test_its_tables_are_those_that_the_simulation_gives(name):
    assert FOLDER.joinpath(name).read_text("utf-8") == as_csv(TABLES[name]())


@pytest.fixture(scope="module")
def sample() -> TestSet:
    return load("testset.jsonl")


def test_its_size_and_languages(sample):
    assert 45 <= sum(1 for _ in sample.segments()) <= 60
    assert {document.source_language for document in sample.documents} == {"es", "hi", "zh", "ar"}
    assert sample.target_language == "en"
    assert sample.references == ("A", "B")
    assert len(sample.systems) == 4


def test_some_translations_are_easy_and_right(sample):
    easy = [
        (segment, translation)
        for _, segment in sample.segments()
        for translation in segment.translations.values()
        if translation.tags.get("easy") == "yes"
    ]
    assert len(easy) >= 15
    assert all(len(segment.references["A"].split()) <= 8 for segment, _ in easy)


def test_the_best_and_the_worst_system_are_clear(sample):
    """By words shared with the references: willow, fluent and often wrong, fools this measure."""
    shared: defaultdict[str, float] = defaultdict(float)
    for _, segment in sample.segments():
        words = {w for text in segment.references.values() for w in text.lower().split()}
        for system, translation in segment.translations.items():
            own = translation.text.lower().split()
            shared[system] += sum(w in words for w in own) / len(own)
    order = sorted(shared, key=lambda name: -shared[name])
    assert (order[0], order[-1]) == ("cedar", "bramble")
    assert shared["cedar"] > 1.1 * shared["birch"] > 1.5 * shared["bramble"]


def test_every_protocol_has_what_it_needs(sample):
    assert all(segment.concepts for _, segment in sample.segments())
    assert all(document.comprehension for document in sample.documents)


def test_the_tutorial_has_the_same_systems(sample):
    tutorial = load("tutorial.jsonl")
    assert [s.name for s in tutorial.systems] == [s.name for s in sample.systems]
    assert not {d.id for d in tutorial.documents} & {d.id for d in sample.documents}


def test_the_campaign_names_files_and_protocols_that_exist():
    campaign = yaml.safe_load(FOLDER.joinpath("campaign.yaml").read_text("utf-8"))
    assert FOLDER.joinpath(campaign["test_set"]).is_file()
    assert FOLDER.joinpath(campaign["tutorial"]).is_file()
    assert [task["name"] for task in campaign["tasks"]] == ["adequacy", "preference"]
    for task in campaign["tasks"]:
        assert task["protocol"] in protocols.names()
