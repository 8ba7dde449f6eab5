"""The nouns: immutable, and never a system beside its own text as reference."""

import msgspec
import pytest

from jurat.model import Document, File, ReadingQuestion, Segment, System, TestSet, Translation


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
    with pytest.raises(ValueError, match="options 1 to 3"):
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
