"""NIST's XML for mteval."""

import pytest

from jurat.formats import SetFile, read_test_set, write_test_set
from tests.formats.examples import everything, faults_of

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
