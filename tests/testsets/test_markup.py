"""Markup from strangers: exact lines, and nothing that could do harm."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jurat.errors import InputError, Problem
from jurat.testsets import SetFile
from jurat.testsets.markup import DEEPEST, EndTag, StartTag, TextEvent, first_tag, xml_events

BODY = "<dataset>\n<doc id='d'>\n{}\n</doc></dataset>"


def problem(data: bytes | str) -> Problem:
    with pytest.raises(InputError) as caught:
        list(xml_events(SetFile("a.xml", data if isinstance(data, bytes) else data.encode())))
    (found,) = caught.value.problems
    assert found.file == "a.xml"
    return found


def text_of(data: bytes | str) -> str:
    events = xml_events(SetFile("a.xml", data if isinstance(data, bytes) else data.encode()))
    return "".join(event.text for event in events if isinstance(event, TextEvent))


def test_tags_and_texts_with_their_lines() -> None:
    data = b"<?xml version='1.0'\nencoding='UTF-8'?>\n<a x='1'>\n<b>t&amp;u&#xe9;</b>\n</a>"
    assert list(xml_events(SetFile("a", data))) == [
        StartTag("a", 3, {"x": "1"}),
        TextEvent("\n"),
        StartTag("b", 4),
        TextEvent("t&ué"),
        EndTag("b", 4),
        TextEvent("\n"),
        EndTag("a", 5),
    ]


def test_lines_are_right_beyond_65535() -> None:
    data = "<a>" + "\n" * 70_000 + "<b/></a>"
    assert StartTag("b", 70_001) in list(xml_events(SetFile("a", data.encode())))


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("<seg>", 4, "mismatched tag"),
        ("\n&nbsp;", 4, "undefined entity"),
        ("<seg a=1/>", 3, "not well-formed (invalid token)"),
        ("a & b", 3, "not well-formed (invalid token)"),
        ("&#1;", 3, "reference to invalid character number"),
        ("<seg a='1' a='2'/>", 3, "duplicate attribute"),
    ],
)
def test_what_is_not_well_formed(body: str, line: int, words: str) -> None:
    found = problem(BODY.format(body))
    assert found.line == line
    assert found.message == f"this is not well-formed XML: {words}"


@pytest.mark.parametrize("body", ["<seg>a&nbsp;b</seg>", "<seg id='a&nbsp;b'>x</seg>"])
@pytest.mark.parametrize("top", ["", "<?xml version='1.0'?>", "<?xml version='1.0'\n?>"])
def test_unknown_entities_are_not_passed_over_under_a_doctype(top: str, body: str) -> None:
    data = f'{top}<!DOCTYPE dataset SYSTEM "http://example.org/a.dtd">\n' + BODY.format(body)
    found = problem(data)
    assert found.message == "this is not well-formed XML: undefined entity"
    assert found.line == 4 + top.count("\n")


def test_a_doctype_is_not_fetched(tmp_path: Path) -> None:
    dtd = tmp_path / "a.dtd"
    dtd.write_text('<!ENTITY secret "told">')
    good = f'<!DOCTYPE a SYSTEM "{dtd}"><a>x</a>'
    assert text_of(good) == "x"
    assert "undefined entity" in problem(good.replace("x</a>", "&secret;</a>")).message


def external(tmp_path: Path) -> str:
    secret = tmp_path / "secret"
    secret.write_text("told")
    return f'<!DOCTYPE a [\n<!ENTITY x SYSTEM "file://{secret}">]><a>&x;</a>'


def laughs(_: Path) -> str:
    steps = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE a [\n<!ENTITY l0 "ha">{steps}]><a>&l9;</a>'


def blow_up(_: Path) -> str:
    return f'<!DOCTYPE a [\n<!ENTITY b "{"x" * 100_000}">]><a>{"&b;" * 100_000}</a>'


def parameter(_: Path) -> str:
    return "<!DOCTYPE a [\n<!ENTITY % p \"<!ENTITY x 'y'>\"> %p;]><a>&x;</a>"


@pytest.mark.parametrize("make", [external, laughs, blow_up, parameter])
def test_entities_are_refused_where_they_are_declared(
    make: Callable[[Path], str], tmp_path: Path
) -> None:
    found = problem(make(tmp_path))
    assert found.message.startswith("the file declares an entity (")
    assert found.line == 2


def test_depth_is_bounded() -> None:
    assert text_of("<a>" * DEEPEST + "x" + "</a>" * DEEPEST) == "x"
    found = problem("<a>\n" * 200_000)
    assert found.message == "the tags are nested more than 100 deep"
    assert found.line == 101


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<a b='" + b"x" * 5_000_000, "a tag or comment has more than 1,048,576 bytes"),
        (b"<a>\n<!--" + b"x" * 5_000_000, "a tag or comment has more than 1,048,576 bytes"),
        (b"<a>" + b"x" * 5_000_000 + b"</a>", "a text has more than 1,048,576 characters"),
        (b"<a>" + b"&#65;" * 2_000_000 + b"</a>", "a text has more than 1,048,576 characters"),
    ],
)
def test_pieces_are_bounded(data: bytes, words: str) -> None:
    assert problem(data).message == words


def test_other_encodings_are_refused_even_where_the_bytes_would_fit() -> None:
    found = problem('<?xml version="1.0" encoding="ISO-8859-1"?><a>x</a>')
    assert found.message == "the file declares the encoding ISO-8859-1; save it as UTF-8"
    assert text_of('<?xml version="1.0" encoding="utf8"?><a>é</a>') == "é"


def test_an_unfinished_file() -> None:
    assert problem("<a><b>x</b>").message == "this is not well-formed XML: no element found"


@pytest.mark.parametrize(
    ("data", "tag"),
    [
        (b"<?xml version='1.0'?>\n<!DOCTYPE x>\n<!-- <no> -->\n<DataSet id=1>", "dataset"),
        (b"<!-- never closed <srcset>", ""),
        (b"no tags", ""),
        (b"<!--" * 20_000, ""),
    ],
)
def test_the_first_tag(data: bytes, tag: str) -> None:
    assert first_tag(data) == tag
