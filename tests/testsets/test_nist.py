"""NIST's XML for mteval.

SGML as it is found in real life.
"""

import pytest

from jurat.model import TestSet
from jurat.testsets import SetFile, read_test_set, write_test_set
from tests.testsets.examples import everything, faults_of

WHOLE = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE mteval SYSTEM "ftp://jaguar.ncsl.nist.gov/mt/resources/mteval-xml-v1.3.dtd">
<mteval>
<srcset setid="mt09" srclang="Arabic">
<doc docid="d1" genre="nw"><hl><seg id="1">A</seg></hl><p><seg id="2">B</seg></p></doc>
</srcset>
<refset setid="mt09" srclang="Arabic" trglang="English" refid="r0">
<doc docid="d1" genre="nw"><seg id="1">one</seg><seg id="2">two &amp; 2</seg></doc>
</refset>
<tstset setid="mt09" srclang="Arabic" trglang="English" sysid="x primary">
<doc docid="d1" genre="nw"><seg id="1">won</seg><seg id="2">too</seg></doc>
</tstset>
</mteval>
"""


def test_reads_what_mteval_reads() -> None:
    test_set = read_test_set([SetFile("a.xml", WHOLE)])
    assert (test_set.name, test_set.source_language) == ("mt09", "Arabic")
    assert test_set.references == ("r0",)
    assert [system.name for system in test_set.systems] == ["x primary"]
    assert [segment.references["r0"] for _, segment in test_set.segments()] == ["one", "two & 2"]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (b'docid="d1" genre="nw"><hl>', b"><hl>", 5, "this <doc> has no docid"),
        (b'<p><seg id="2">', b"<p><seg>", 5, "this <seg> has no id"),
        (b"<hl>", b"<seg id='0'>", 5, "mismatched tag"),
        (b">one<", b"><seg id='9'>one</seg><", 8, "this <seg> is inside another"),
        (b"</mteval>", b"", 14, "no element found"),
    ],
)
def test_faults_have_their_lines(old: bytes, new: bytes, line: int, message: str) -> None:
    assert old in WHOLE
    found = faults_of(SetFile("a.xml", WHOLE.replace(old, new)))
    assert found[0].line == line
    assert message in found[0].message


def test_one_file_for_all_sets() -> None:
    (file,) = write_test_set(everything(), "nist-xml")
    assert file.data.count(b"<srcset") == 1
    assert file.data.count(b"<refset") == file.data.count(b"refid=") == 2
    assert file.data.count(b"<tstset") == file.data.count(b"sysid=") == 2


SOURCE = b"""<!DOCTYPE srcset SYSTEM "ftp://example.org/mteval.dtd">
<SRCSET setid=news2010 srclang=any>
<!-- <doc docid="not there"> -->
<DOC docid="d1" genre='news' origlang="cs">
<hl>
<seg id=1> R&amp;D &lt;b&gt; a < b & c &#233;&#xE9; &nbsp;&unknown; </seg>
</hl>
<p>
<Seg id="2" >wrapped
   over  lines</seg>
<p>
<seg id='s 3'>if a <p then
</seg>
</doc>
</SRCSET>
"""
REFERENCE = b"""<refset setid="news2010" srclang="cs" trglang="en">
<doc sysid="ref" docid="d1" genre="news">
<seg id="1">one</seg><seg id="2">two</seg>
<seg id="s 3">three</seg>
</doc></refset>"""
SYSTEMS = b"""<tstset setid="news2010" srclang="any" trglang="en" sysid="whole">
<doc docid="d1"><seg id="s 3">c</seg><seg id="2">b</seg><seg id="1">a</seg></doc></tstset>
<tstset setid="news2010" srclang="any" trglang="en">
<doc sysid="single" docid="d1">
<seg id="1">A</seg>
<seg id="2">B</seg>
<seg id="s 3">C</seg></doc>
</tstset>"""
FILES = [
    SetFile("src.sgm", SOURCE),
    SetFile("ref.sgm", REFERENCE),
    SetFile("sys.sgm", SYSTEMS),
]


def loose() -> TestSet:
    return read_test_set(FILES)


def test_loose_markup_is_read_as_it_is_meant() -> None:
    first, second, third = loose().documents[0].segments
    assert first.source == "R&D <b> a < b & c éé \u00a0&unknown;"
    assert second.source == "wrapped over  lines"
    assert third.source == "if a <p then"
    assert [segment.id for segment in loose().documents[0].segments] == ["1", "2", "s 3"]


def test_names_languages_and_tags() -> None:
    test_set = loose()
    assert test_set.name == "news2010"
    assert (test_set.source_language, test_set.target_language) == ("cs", "en")
    assert test_set.references == ("ref",)
    assert [system.name for system in test_set.systems] == ["whole", "single"]
    assert dict(test_set.documents[0].tags) == {"genre": "news", "origlang": "cs"}


def test_systems_may_have_another_order() -> None:
    made = [segment.translations["whole"].text for segment in loose().documents[0].segments]
    assert made == ["a", "b", "c"]


def test_a_name_at_the_document_comes_before_that_of_the_set() -> None:
    data = SYSTEMS.replace(b'trglang="en">', b'trglang="en" sysid="group">')
    assert b'sysid="group"' in data
    names = [system.name for system in read_test_set([*FILES[:2], SetFile("s.sgm", data)]).systems]
    assert names == ["whole", "single"]


def test_a_reference_without_any_name_is_called_ref() -> None:
    data = REFERENCE.replace(b'sysid="ref" ', b"")
    assert read_test_set([FILES[0], SetFile("r.sgm", data), FILES[2]]).references == ("ref",)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (b"</seg>\n</hl>", b"\n</hl>", 6, "this segment has no </seg>"),
        (b"<Seg id=", b"<Seg =id=", 9, "this <Seg> tag is never closed"),
        (b"-->", b"", 3, "this comment is never closed"),
    ],
)
def test_what_stops_the_reading(old: bytes, new: bytes, line: int, message: str) -> None:
    assert old in SOURCE
    (problem,) = faults_of(SetFile("src.sgm", SOURCE.replace(old, new)), *FILES[1:])
    assert (problem.file, problem.line, problem.message) == ("src.sgm", line, message)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (b'docid="d1" genre', b"genre", 4, "this <doc> has no docid"),
        (b'<Seg id="2" >', b"<Seg>", 9, "this <seg> has no id"),
        (b"<SRCSET", b"<XSET", 4, "this <doc> is in no srcset, refset or tstset"),
        (b"<DOC", b"<BLOCK", 6, "this <seg> is in no <doc>"),
    ],
)
def test_what_is_wrong_but_can_be_passed(old: bytes, new: bytes, line: int, message: str) -> None:
    assert old in SOURCE
    found = faults_of(SetFile("src.sgm", SOURCE.replace(old, new)), *FILES[1:], format="sgml")
    assert (found[0].file, found[0].line, found[0].message) == ("src.sgm", line, message)


def test_a_system_without_a_name() -> None:
    data = SYSTEMS.replace(b' sysid="whole"', b"")
    (problem,) = faults_of(*FILES[:2], SetFile("sys.sgm", data))
    assert str(problem) == "sys.sgm: this file holds a system without a name"


def test_files_that_contradict_each_other() -> None:
    other = REFERENCE.replace(b"news2010", b"news2011").replace(b'genre="news"', b'genre="web"')
    found = faults_of(FILES[0], SetFile("ref.sgm", other), FILES[2])
    assert [str(problem) for problem in found][:2] == [
        "ref.sgm:1: the name of the test set is 'news2011' here, but 'news2010' at src.sgm:2",
        "ref.sgm:2, document d1: the tag genre of the document is 'web' here, "
        "but 'news' at src.sgm:4",
    ]


def test_other_languages() -> None:
    other = SYSTEMS.replace(b'trglang="en" sysid', b'trglang="de" sysid')
    found = faults_of(*FILES[:2], SetFile("sys.sgm", other))
    assert [problem.line for problem in found] == [1]
    message = "the target language of the test set is 'de' here, but 'en' at ref.sgm:1"
    assert found[0].message == message


def test_control_characters_by_number_are_found() -> None:
    data = SOURCE.replace(b"&#233;", b"&#0;")
    (problem,) = faults_of(SetFile("src.sgm", data), *FILES[1:])
    assert (
        str(problem) == "src.sgm:6, document d1, segment 1: there is a NUL character in the source"
    )


def test_numbers_of_no_character_stay_as_they_are() -> None:
    data = SOURCE.replace(b"&#233;", b"&#xD800;&#1114112;")
    _, first = next(read_test_set([SetFile("src.sgm", data), *FILES[1:]]).segments())
    assert first.source is not None
    assert "&#xD800;&#1114112;" in first.source


def test_one_file_for_each_set() -> None:
    files = write_test_set(everything(), "sgml")
    assert [file.name for file in files] == [
        "source.sgm",
        "reference.A.sgm",
        "reference.B.sgm",
        "system.cedar.sgm",
        "system.birch_pro.sgm",
    ]
    assert files[1].data.decode().splitlines()[:3] == [
        '<refset setid="all" srclang="mul" trglang="en" sysid="A">',
        '<doc docid="market" genre="news" origlang="pt">',
        '<seg id="1">First 1</seg>',
    ]


@pytest.mark.parametrize(
    "hostile",
    [b"<seg ", b"<seg a=1 ", b"<!--", b"<doc>", b"<seg id=1>&", b"<", b"<seg id='"],
)
def test_hostile_markup_is_read_in_no_time(hostile: bytes) -> None:
    data = b"<srcset><doc docid=d>" + hostile * 200_000
    assert faults_of(SetFile("a.sgm", data))
