"""The whole set: every kind of fault with its place, said once where it is one."""

from collections.abc import Sequence

import pytest

from jurat.errors import InputError, Problem
from jurat.model import System, TestSet
from jurat.testsets import assembly, base
from jurat.testsets.assembly import assemble
from jurat.testsets.base import DocumentFacts, Kind, Location, Row, SetFacts, SystemFacts, TextEntry


class Version:
    """Writes the rows of one version, a line a segment: `d1:1 d1:2 …`."""

    def __init__(self, kind: Kind, name: str = "", file: str = "") -> None:
        self.kind: Kind = kind
        self.name = name
        self.file = file or f"{kind}{name}"

    def __call__(self, keys: str, *, texts: Sequence[str] = ()) -> list[Row]:
        return [
            TextEntry(
                kind=self.kind,
                name=self.name,
                document=key.split(":")[0],
                segment=key.split(":")[1],
                text=texts[n] if texts else f"{key} {self.kind}",
                location=Location(self.file, n + 1),
            )
            for n, key in enumerate(keys.split())
        ]


source = Version("source")
reference = Version("reference", "A")
second = Version("reference", "B")
x = Version("system", "x")
y = Version("system", "y")

KEYS = "d1:1 d1:2 d1:3 d2:1 d2:2"


def problems(*rows: Sequence[Row], unreadable: bool = False) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        assemble([row for part in rows for row in part], unreadable=unreadable)
    return list(caught.value.problems)


def said(*rows: Sequence[Row]) -> list[str]:
    return list(map(str, problems(*rows)))


def made(*rows: Sequence[Row]) -> TestSet:
    return assemble([row for part in rows for row in part])


def test_a_whole_set() -> None:
    test_set = made(source(KEYS), reference(KEYS), x(KEYS), y(KEYS))
    assert [document.id for document in test_set.documents] == ["d1", "d2"]
    assert [len(document.segments) for document in test_set.documents] == [3, 2]
    assert test_set.systems == (System(name="x"), System(name="y"))
    last = test_set.documents[1].segments[1]
    assert (last.id, last.source) == ("2", "d2:2 source")
    assert last.references == {"A": "d2:2 reference"}


def test_a_document_that_is_missing_is_said_once() -> None:
    (problem,) = problems(source(KEYS), x("d1:1 d1:2 d1:3"))
    assert (problem.file, problem.line, problem.document, problem.segment) == (
        "systemx",
        None,
        "d2",
        None,
    )
    assert problem.message == "this document is missing from system x (2 segments)"


def test_a_segment_that_is_missing() -> None:
    (problem,) = problems(source(KEYS), x("d2:1 d2:2 d1:1 d1:3"))
    assert (problem.file, problem.line, problem.document, problem.segment) == (
        "systemx",
        3,
        "d1",
        "2",
    )
    assert problem.message == "this segment is missing from system x"


def test_several_segments_that_are_missing_are_said_together() -> None:
    (problem,) = problems(source(KEYS), x("d1:1 d2:1 d2:2"))
    assert (problem.line, problem.document, problem.segment) == (1, "d1", None)
    assert problem.message == "2 segments are missing from system x: 2, 3"


def test_many_segments_are_counted() -> None:
    keys = " ".join(f"d:{n}" for n in range(1, 10))
    (problem,) = problems(source(keys), x("d:9"))
    assert problem.message == "8 segments are missing from system x: 1, 2, 3, 4, 5 and 3 more"


def test_a_document_too_many() -> None:
    (problem,) = problems(source("d1:1"), x("d1:1 d9:1 d9:2"), y("d1:1"))
    assert (problem.file, problem.line, problem.document) == ("systemx", 2, "d9")
    assert problem.message == "this document is in system x, but not in the source (2 segments)"


def test_segments_too_many() -> None:
    assert said(source("d1:1"), x("d1:1 d1:2"), y("d1:1 d1:3 d1:4")) == [
        "systemx:2, document d1, segment 2: this segment is in system x, but not in the source",
        "systemy:2, document d1: 2 segments are in system y, but not in the source: 3, 4",
    ]


def test_what_all_but_the_source_have_is_the_sources_fault() -> None:
    (problem,) = problems(source("d1:1 d1:3"), reference("d1:1 d1:2 d1:3"), x("d1:1 d1:2 d1:3"))
    assert problem.message == "this segment is missing from the source"
    assert (problem.file, problem.segment) == ("source", "2")


def test_a_segment_twice_in_one_system() -> None:
    (problem,) = problems(source(KEYS), x(KEYS + " d1:2"))
    assert (problem.file, problem.line, problem.document, problem.segment) == (
        "systemx",
        6,
        "d1",
        "2",
    )
    assert problem.message == "this segment occurs twice in system x, first at systemx:2"


def test_a_document_twice_in_one_system_is_said_once() -> None:
    (problem,) = problems(source(KEYS), x(KEYS + " d1:1 d1:2 d1:3"))
    assert problem.message == "3 segments occur twice in system x: 1, 2, 3; the first at systemx:1"


def test_a_system_in_two_files() -> None:
    again = Version("system", "x", "other")
    found = problems(source("d1:1"), x("d1:1"), again("d1:1"))
    assert [problem.message for problem in found] == [
        "this segment occurs twice in system x, first at systemx:1"
    ]


def test_the_same_source_in_two_files_is_no_fault() -> None:
    again = Version("source", file="other")
    assert made(source(KEYS), again(KEYS), x(KEYS)).systems


def test_another_source_in_a_second_file_is() -> None:
    again = Version("source", file="other")("d1:1 d1:2", texts=["d1:1 source", "changed"])
    (problem,) = problems(source("d1:1 d1:2"), again, x("d1:1 d1:2"))
    assert (problem.file, problem.line, problem.segment) == ("other", 2, "2")
    assert problem.message == "the source is not the same text here as at source:2"


def test_the_same_source_twice_in_one_file_is() -> None:
    assert "occurs twice in the source" in said(source("d1:1 d1:1"), x("d1:1"))[0]


@pytest.mark.parametrize(
    ("version", "what"),
    [(source, "the source"), (reference, "reference A")],
)
def test_empty_texts(version: Version, what: str) -> None:
    rest = [each(KEYS) for each in (source, reference, x) if each is not version]
    (problem,) = problems(*rest, version(KEYS, texts=["a", " ", "b", "c", "d"]))
    assert (problem.file, problem.line) == (version.file, 2)
    assert (problem.document, problem.segment) == ("d1", "2")
    assert problem.message == f"{what} is empty"


def test_several_empty_texts_are_said_once_for_each_document() -> None:
    assert said(source(KEYS), reference(KEYS, texts=["", "\u200b", "", "a", ""]), x(KEYS)) == [
        "referenceA:1, document d1: reference A is empty in 3 segments: 1, 2, 3",
        "referenceA:5, document d2, segment 2: reference A is empty",
    ]


def test_a_system_may_have_no_output_for_a_segment_but_not_for_all() -> None:
    made = assemble(
        [*source(KEYS), *x(KEYS, texts=["a", "", "\u200b", "b", "c"])], unreadable=False
    )
    assert [one.translations["x"].text for _, one in made.segments()] == ["a", "", "", "b", "c"]
    first, *_ = said(source(KEYS), x(KEYS, texts=[""] * 5))
    assert "the translation of system x is empty in 3 segments" in first


def test_a_reference_in_another_order() -> None:
    swapped = "d1:1 d1:3 d1:2 d2:1 d2:2"
    (problem,) = problems(source(KEYS), reference(swapped), x(KEYS))
    assert (problem.file, problem.line, problem.segment) == ("referenceA", 2, "3")
    assert problem.message == "reference A has another order than the source, which has d1:2 here"


def test_references_must_agree_with_each_other_where_there_is_no_source() -> None:
    found = problems(reference("d1:1 d1:2"), second("d1:1"), x("d1:1 d1:2"))
    assert [problem.message for problem in found] == ["this segment is missing from reference B"]


def test_a_name_for_both_a_reference_and_a_system() -> None:
    (problem,) = problems(reference("d:1"), Version("system", "A")("d:1"))
    assert problem.message == "the name 'A' is used for a system and for a reference"


def test_nothing_to_judge() -> None:
    assert said(source("d:1")) == ["there are no translations by a system"]
    assert said(x("d:1")) == ["there is neither a source nor a reference"]
    assert len(said()) == 2


def test_a_text_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jurat.testsets.validate.LONGEST_TEXT", 9)
    (problem,) = problems(source("d:1", texts=["short"]), x("d:1", texts=["much longer"]))
    expected = "the text of system x has 11 characters; at most 9 are allowed"
    assert (problem.file, problem.segment, problem.message) == ("systemx", "1", expected)


def test_a_byte_order_mark_within_a_text() -> None:
    (problem,) = problems(source("d:1", texts=["\ufeffa\ufeffb"]), x("d:1"))
    assert problem.message == "there is a byte order mark (U+FEFF) in the source"


def test_files_that_contradict_each_other() -> None:
    facts: list[Row] = [
        SetFacts(location=Location("a", 1), name="one", source_language="de", target_language="en"),
        SetFacts(location=Location("b", 2), name="two", source_language="de", target_language="fr"),
    ]
    assert said(facts, source("d:1"), x("d:1")) == [
        "b:2: the name of the test set is 'two' here, but 'one' at a:1",
        "b:2: the target language of the test set is 'fr' here, but 'en' at a:1",
    ]


def test_what_one_file_does_not_say_another_may() -> None:
    facts: list[Row] = [
        SetFacts(location=Location("a", 1), name="one"),
        SetFacts(location=Location("b", 1), target_language="en"),
        DocumentFacts(location=Location("a", 2), document="d", tags={"genre": "news"}),
        DocumentFacts(location=Location("b", 2), document="d", tags={"domain": "law", "none": " "}),
    ]
    test_set = made(facts, source("d:1"), x("d:1"))
    assert (test_set.name, test_set.target_language) == ("one", "en")
    assert test_set.documents[0].tags == {"genre": "news", "domain": "law"}


def test_systems_stand_in_the_order_of_their_declaration() -> None:
    facts: list[Row] = [
        SystemFacts(location=Location("a", 1), system=System(name=name, site="s"))
        for name in ("y", "x")
    ]
    test_set = made(facts, source("d:1"), x("d:1"), y("d:1"))
    assert [system.name for system in test_set.systems] == ["y", "x"]
    assert test_set.systems[0].site == "s"


@pytest.mark.parametrize(
    ("whole", "own", "expected"),
    [
        ("es", ("", ""), ("es", ["", ""])),
        ("es", ("es", ""), ("es", ["", ""])),
        ("es", ("hi", ""), ("mul", ["hi", "es"])),
        ("mul", ("hi", "es"), ("mul", ["hi", "es"])),
        ("", ("hi", "hi"), ("hi", ["", ""])),
        ("", ("hi", ""), ("mul", ["hi", ""])),
    ],
)
def test_languages_of_set_and_documents(
    whole: str, own: tuple[str, str], expected: tuple[str, list[str]]
) -> None:
    facts: list[Row] = [SetFacts(location=Location("a"), source_language=whole)]
    for name, language in zip(("d1", "d2"), own, strict=True):
        facts.append(DocumentFacts(location=Location("a"), document=name, source_language=language))
    test_set = made(facts, source("d1:1 d2:1"), x("d1:1 d2:1"))
    assert test_set.source_language == expected[0]
    assert [document.source_language for document in test_set.documents] == expected[1]


def test_more_faults_than_can_be_read_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "MOST_PROBLEMS", 2)
    keys = " ".join(f"d{n}:1" for n in range(5))
    found = said(source(keys), x(keys, texts=[""] * 5))
    assert len(found) == 3
    assert found[-1] == "and 3 more problems"


def test_faults_of_many_kinds_are_listed_at_once() -> None:
    assert len(said(source(KEYS), x("d1:1 d1:1 d2:1"), y(KEYS, texts=[""] * 5))) == 5


def test_blanks_around_names_do_not_make_others() -> None:
    row = TextEntry(
        kind="system", name=" x ", document=" d1", segment="1 ", text="a", location=Location("f", 1)
    )
    assert made(source("d1:1"), [row]).systems == (System(name="x"),)
    assert base.tidy(" x ") == "x"
