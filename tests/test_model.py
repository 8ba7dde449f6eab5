"""The nouns: immutable, and never a system beside its own text as reference."""

import msgspec
import pytest
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.model import (
    Document,
    File,
    ItemStage,
    KitSteps,
    ReadingQuestion,
    Segment,
    System,
    TestSet,
    Translation,
)
from tests.kits.sets import given


def segment(name: str, **more: object) -> Segment:
    return msgspec.convert({"id": name, **more}, Segment)


def test_segments_come_with_their_documents_in_order() -> None:
    documents = (
        Document(id="b", segments=(segment("2"), segment("1"))),
        Document(id="a", segments=(segment("1"),)),
    )
    tests = TestSet(documents=documents, systems=(), references=())
    found = [(document.id, one.id) for document, one in tests.segments()]
    assert found == [("b", "2"), ("b", "1"), ("a", "1")]


def test_a_reference_is_never_shown_beside_itself() -> None:
    one = segment("1", references={"r1": "Yes.", "r2": "Indeed."})
    tests = TestSet(documents=(), systems=(), references=("r1", "r2"))
    human = System(name="human", kind="human", reference="r1")
    assert tests.references_for(one, human) == {"r2": "Indeed."}
    assert tests.references_for(one, System(name="mt")) == {"r1": "Yes.", "r2": "Indeed."}


@pytest.mark.parametrize("answer", [0, 4, -1])
def test_a_reading_question_has_its_answer_among_the_options(answer: int) -> None:
    with pytest.raises(ValueError, match="option from 1 to 3"):
        ReadingQuestion(ask="Who?", options=("a", "b", "c"), answer=answer)


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("a.csv", "csv"),
        ("dir.d/a.CSV", "csv"),
        ("a.tar.gz", "gz"),
        ("a", ""),
        (".hidden", ""),
        ("dir.d/a", ""),
        ("", ""),
        ("a.", ""),
    ],
)
def test_ending(name: str, ending: str) -> None:
    assert File(name, b"").ending == ending


@pytest.mark.parametrize(
    "thing", [segment("1"), Translation("t"), System(name="s"), File("f", b"")]
)
def test_nouns_do_not_change(thing: msgspec.Struct) -> None:
    with pytest.raises(AttributeError):
        setattr(thing, msgspec.structs.fields(thing)[0].name, "other")


ADVANCES = st.sampled_from(["item", "kit"])


@given(st.integers(0, 40), st.integers(1, 4), ADVANCES)
def test_every_step_has_one_position(size, stages, advance):
    all_steps = KitSteps(size, stages, advance)
    found = list(all_steps)
    assert len(found) == len(all_steps) == size * stages
    assert set(found) == {ItemStage(i, s) for i in range(size) for s in range(stages)}
    for position, (item, stage) in enumerate(found, 1):
        assert all_steps.position(item, stage) == position


def test_an_item_first_or_the_kit_first():
    assert list(KitSteps(2, 2, "item")) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(KitSteps(2, 2, "kit")) == [(0, 0), (1, 0), (0, 1), (1, 1)]


@pytest.mark.parametrize("position", [0, 5, -1])
def test_no_such_position(position):
    with pytest.raises(InputError, match="this kit has 1 to 4"):
        KitSteps(2, 2, "item").step(position)


@pytest.mark.parametrize(("item", "stage"), [(2, 0), (0, 2), (-1, 0)])
def test_no_such_step(item, stage):
    with pytest.raises(InputError, match="there is no item"):
        KitSteps(2, 2, "item").position(item, stage)


def test_earlier_stages_of_the_same_item():
    assert KitSteps(3, 2, "item").earlier_stages(4) == [3]
    assert KitSteps(3, 2, "kit").earlier_stages(5) == [2]
    assert KitSteps(3, 3, "kit").earlier_stages(8) == [2, 5]
    assert KitSteps(3, 2, "kit").earlier_stages(2) == []


@pytest.mark.parametrize(
    ("kit", "ahead"),
    [
        (KitSteps(3, 1, "item"), [2, 1, 0]),
        (KitSteps(2, 2, "item"), [0, 0, 0, 0]),
        (KitSteps(2, 2, "kit"), [1, 0, 1, 0]),
    ],
)
def test_what_may_be_shown_ahead(kit, ahead):
    assert [kit.steps_ahead(position) for position in range(1, len(kit) + 1)] == ahead


def test_a_decision_changes_until_the_next_stage_of_its_item_was_shown():
    kit = KitSteps(2, 2, "kit")
    assert kit.is_changeable(1, reached=2)
    assert not kit.is_changeable(1, reached=3)
    assert kit.is_changeable(3, reached=4)
