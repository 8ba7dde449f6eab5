"""WMT's XML since 2021."""

import pytest
from msgspec.structs import replace

from jurat.testsets import SetFile, lost, read_test_set, write_test_set
from tests.testsets.examples import everything, faults_of

WHOLE = b"""<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest2021.de-en">
<collection id="general">
  <doc origlang="de" id="d1" domain="news" testsuite="t">
    <src lang="de"><p><seg id="1">eins</seg>
      <seg id="2">zwei</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">one</seg><seg id="2">two</seg></p></ref>
    <ref lang="en"><p><seg id="1">One</seg><seg id="2">Two</seg></p></ref>
    <hyp system="Online-B" language="en"><p><seg id="1">won</seg><seg id="2">too</seg></p></hyp>
  </doc>
</collection>
  <doc id="d2">
    <src lang="de"><p><seg id="1">drei</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">three</seg></p></ref>
    <ref lang="en"><p><seg id="1">Three</seg></p></ref>
    <hyp system="Online-B" language="en"><p><seg id="1">free</seg></p></hyp>
  </doc>
</dataset>
"""


def test_reads_dataset_collection_and_documents() -> None:
    test_set = read_test_set([SetFile("a.xml", WHOLE)])
    assert test_set.name == "newstest2021.de-en"
    assert (test_set.source_language, test_set.target_language) == ("de", "en")
    assert test_set.references == ("A", "ref")
    assert [system.name for system in test_set.systems] == ["Online-B"]
    assert [len(document.segments) for document in test_set.documents] == [2, 1]
    tags = {"collection": "general", "origlang": "de", "domain": "news", "testsuite": "t"}
    assert dict(test_set.documents[0].tags) == tags
    assert dict(test_set.documents[1].tags) == {}


def test_documents_in_several_languages() -> None:
    data = WHOLE.replace(b'<src lang="de"><p><seg id="1">drei', b'<src lang="cs"><p><seg id="1">t')
    test_set = read_test_set([SetFile("a.xml", data)])
    assert test_set.source_language == "mul"
    assert [document.source_language for document in test_set.documents] == ["de", "cs"]


@pytest.mark.parametrize(
    ("old", "new", "line", "document", "message"),
    [
        (b'<doc id="d2">', b"<doc>", 12, None, "this <doc> has no id"),
        (b'<seg id="2">zwei', b"<seg>zwei", 6, "d1", "this <seg> has no id"),
        (b'system="Online-B" language="en"><p><seg id="1">f', b"><p><seg>f", 16, "d2", "no system"),
        (b'<src lang="de"><p><seg id="1">drei</seg></p></src>', b"<seg/>", 13, "d2", "in no <src>"),
    ],
)
def test_faults_have_their_places(
    old: bytes, new: bytes, line: int, document: str | None, message: str
) -> None:
    assert old in WHOLE
    found = faults_of(SetFile("a.xml", WHOLE.replace(old, new)))
    assert (found[0].line, found[0].document) == (line, document)
    assert message in found[0].message


def test_two_target_languages_are_a_fault() -> None:
    data = WHOLE.replace(b'<ref lang="en">', b'<ref lang="fr">', 1)
    found = faults_of(SetFile("a.xml", data))
    assert found[0].line == 8
    assert "the target language of the test set is 'fr' here, but 'en'" in found[0].message


def test_tags_that_cannot_be_attributes_are_told_as_lost() -> None:
    document = everything().documents[0]
    odd = replace(document, tags={"two words": "x", "id": "y", "xmlns": "z", "fine": "w"})
    test_set = replace(everything(), documents=(odd, everything().documents[1]))
    assert "document tags: id, two words, xmlns" in lost(test_set, "wmt-xml")
    after = read_test_set(write_test_set(test_set, "wmt-xml"))
    assert dict(after.documents[0].tags) == {"fine": "w"}
