"""What judges read above an item: from the test set, or from the task by a condition."""

import msgspec
import pytest

from jurat import protocols
from jurat.errors import InputError
from jurat.kits.build import build
from jurat.kits.task_plan import Instruction, TaskPlan
from jurat.model import Document, Kit, Segment, System, TestSet, Translation

SPEECH = Instruction(text="It is spoken.", where="domain == 'speech'")
OTHERS = Instruction(text="It is written.")


def texts() -> TestSet:
    def segment(name: str, **tags: str) -> Segment:
        return Segment(id=name, source="Hola.", translations={"m": Translation("Hi.")}, tags=tags)

    documents = (
        Document(id="talk", tags={"domain": "speech"}, segments=(segment("1"), segment("2"))),
        Document(
            id="news", tags={"domain": "news"}, segments=(segment("1", instructions="A title."),)
        ),
        Document(
            id="law", tags={"domain": "law", "instructions": "Be strict."}, segments=(segment("1"),)
        ),
    )
    return TestSet(documents=documents, systems=(System(name="m"),), references=())


def kits(*instructions: Instruction) -> tuple[Kit, ...]:
    plan = TaskPlan(name="t", protocol="meaning", instructions=instructions)
    return build(texts(), protocols.load("meaning"), plan, phase="evaluation", seed=1)


def shown(*instructions: Instruction) -> dict[tuple[str, str], str]:
    return {
        (item.document, item.segment): item.instructions
        for kit in kits(*instructions)
        for item in kit.items
    }


def test_the_first_condition_that_fits_counts_after_the_test_sets_own() -> None:
    assert shown(SPEECH, OTHERS) == {
        ("talk", "1"): "It is spoken.",
        ("talk", "2"): "It is spoken.",
        ("news", "1"): "A title.",
        ("law", "1"): "Be strict.",
    }
    assert shown()["talk", "1"] == ""


def test_they_are_no_column_of_the_tables() -> None:
    assert all("instructions" not in item.tags for kit in kits() for item in kit.items)


def test_a_condition_on_an_unknown_tag_is_refused() -> None:
    with pytest.raises(InputError, match="domian"):
        kits(msgspec.structs.replace(SPEECH, where="domian == 'speech'"))


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001])
def test_a_text_has_to_be_there_and_not_too_long(text: str) -> None:
    with pytest.raises(InputError, match="1 to 2000 characters"):
        Instruction(text=text)
