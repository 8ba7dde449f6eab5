"""Declaring files: objects come out, or every fault with its line; never anything else."""

import json
from functools import partial
from typing import Literal

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat import yamlfile
from jurat.errors import InputError, input_error
from jurat.yamlfile import DEEPEST, LARGEST, Declaration
from tests import input_strategies
from tests.input_strategies import attempt


class Part(msgspec.Struct, frozen=True, kw_only=True):
    value: int
    label: str = ""
    weight: float = 1.0


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    sides: int = 4

    def __post_init__(self) -> None:
        if self.sides < 3:
            raise input_error("too few sides", field="sides", value="2", allowed=("3", "4"))


class Circle(Shape, frozen=True, kw_only=True):
    radius: float


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    size: Literal["small", "large"] = "small"
    good: bool = True
    most: int | None = None
    ask: str | dict[str, str] = ""
    parts: tuple[Part, ...] = ()
    words: tuple[str, ...] = ()
    table: tuple[dict[str, str | int], ...] = ()
    labels: dict[Literal["a", "b"], str] = {}
    shape: Shape | None = None
    anything: object = None

    def __post_init__(self) -> None:
        if self.name == "bad":
            raise ValueError("this name is taken")


def choose(raw: object) -> type[Shape]:
    assert isinstance(raw, dict)
    kinds: dict[object, type[Shape]] = {"square": Shape, "circle": Circle}
    if raw.get("kind") not in kinds:
        allowed = ("square", "circle")
        raise input_error("unknown shape", field="kind", value=raw.get("kind"), allowed=allowed)
    return kinds[raw["kind"]]


def read(text: str | bytes) -> Thing:
    data = text.encode() if isinstance(text, str) else text
    return Declaration(data, file="f.yaml").read(Thing, choose={Shape: choose})


def problems(text: str | bytes) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(text)
    return [str(problem).removeprefix("f.yaml:") for problem in caught.value.problems]


FULL = """\
# a comment
name: thing
size: large
good: false
most: 3
ask: {source: "What?", reference: "Who?"}
parts:
  - {value: 2, label: Two, weight: 0.5}
  - value: 1
words: [one, two]
table:
  - {a: 1, b: yes}
labels: {a: First, b: Second}
shape: {kind: circle, radius: 2}
anything: [1, {x: [null, true]}]
"""


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers of PyYAML: the quick one is not on every machine."""
    monkeypatch.setattr(yamlfile, "_Parser", getattr(yaml, request.param))


@pytest.mark.usefixtures("parser")
def test_everything_is_read() -> None:
    thing = read(FULL)
    assert thing == Thing(
        name="thing",
        size="large",
        good=False,
        most=3,
        ask={"source": "What?", "reference": "Who?"},
        parts=(Part(value=2, label="Two", weight=0.5), Part(value=1)),
        words=("one", "two"),
        table=({"a": 1, "b": "yes"},),
        labels={"a": "First", "b": "Second"},
        shape=Circle(radius=2.0),
        anything=[1, {"x": [None, True]}],
    )
    assert isinstance(thing.shape, Circle)
    assert isinstance(thing.shape.radius, float)


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("indent", [None, 2, "\t"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_json_says_the_same(indent: int | str | None, ascii_only: bool) -> None:
    content = msgspec.to_builtins(read(FULL))
    content["shape"]["kind"] = "circle"
    content["words"] = ["😀", "न\t", "\\ud83d", 'a"b', "a/b"]
    text = json.dumps(content, indent=indent, ensure_ascii=ascii_only)
    assert read(text) == msgspec.structs.replace(read(FULL), words=tuple(content["words"]))
    assert read(text.replace('": ', '":')) == read(text)
    assert read(text.replace('": ', '":\t')) == read(text)


@pytest.mark.parametrize("word", ["No", "no", "yes", "Yes", "on", "off", "y", "n", "None", ".inf"])
def test_words_stay_words(word: str) -> None:
    assert read(f"name: {word}").name == word


@pytest.mark.parametrize(
    "text", ["5", "-1.50", "007", "1e5", "true", "1_000", "0x1F", "2008-01-01"]
)
def test_a_number_can_be_a_name(text: str) -> None:
    assert read(f"name: {text}").name == text
    assert read(f"name: x\nwords: [{text}]").words == (text,)
    assert read(f"name: x\nask: {{source: {text}}}").ask == {"source": text}


@pytest.mark.parametrize("text", ["null", "~", "", "Null"])
def test_nothing_is_no_text(text: str) -> None:
    assert problems(f"name: {text}") == ["1, field name: expected a text, got nothing"]
    assert read(f"name: x\nmost: {text}").most is None


def test_byte_order_mark_and_windows_lines() -> None:
    assert read(b"\xef\xbb\xbfname: x\r\ngood: false\r\n") == Thing(name="x", good=False)


def test_all_faults_at_once_each_with_its_line() -> None:
    text = """\
size: medium
sise: small
good: maybe
most: many
ask: [1]
parts:
  - {valu: 2}
  - value: two
    weight: heavy
  - 7
words:
  - fine
  - {a: b}
table:
  - {a: 1}
  - {b: [2]}
labels: {a: x, c: y}
shape: {kind: cirle, radius: no}
size: small
"""
    assert problems(text) == [
        "19: 'size' occurs twice",
        "2, field sise: unknown field 'sise'; allowed: name, size, good, most, ask, parts, words, "
        "table, labels, shape, anything; did you mean 'size'?",
        "1: 'name' is missing",
        "3, field good: expected true or false, got 'maybe'",
        "4, field most: expected a whole number, got 'many'",
        "5, field ask: expected a text or names with values, got a list",
        "7, field parts.1.valu: unknown field 'valu'; allowed: value, label, weight; "
        "did you mean 'value'?",
        "7, field parts.1: 'value' is missing",
        "8, field parts.2.value: expected a whole number, got 'two'",
        "9, field parts.2.weight: expected a number, got 'heavy'",
        "10, field parts.3: expected names with values, got 7",
        "13, field words.2: expected a text, got names with values",
        "16, field table.2.b: expected a text or a whole number, got a list",
        "17, field labels.c: unknown field 'c'; allowed: a, b",
        "18, field shape.kind: unknown shape; allowed: square, circle; did you mean 'circle'?",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("name: x\nsize: Small", "2, field size: 'Small' is not allowed here; allowed: small, "),
        ("name: x\nsize: 5", "2, field size: 5 is not allowed here; allowed: small, large"),
        ("name: x\nsize: [small]", "2, field size: a list is not allowed here"),
        ("name: x\ngood: yes", "2, field good: expected true or false, got 'yes'"),
        ("name: x\ngood: 1", "2, field good: expected true or false, got 1"),
        ("name: x\nmost: true", "2, field most: expected a whole number, got true"),
        ("name: x\nmost: 1.5", "2, field most: expected a whole number, got 1.5"),
        ("name: [x]", "1, field name: expected a text, got a list"),
        ("name: x\nparts: {value: 1}", "2, field parts: expected a list, got names with values"),
        ("name: x\nparts:", "2, field parts: expected a list, got nothing"),
        ("name: x\nshape: 5", "2, field shape: expected names with values, got 5"),
        ("name: bad", "1: this name is taken"),
        (
            "name: x\nshape:\n  kind: square\n  sides: 2",
            "4, field shape.sides: too few sides; allowed: 3, 4",
        ),
        ("name: x\nshape: {kind: circle}", "2, field shape: 'radius' is missing"),
        ("name: x\nshape: {radius: 5}", "2, field shape.kind: unknown shape; allowed: square, "),
        ("- name", "1: expected names with values, got a list"),
        ("name", "1: expected names with values, got 'name'"),
        ("", "1: expected names with values, got nothing"),
        ("# nothing\n", "1: expected names with values, got nothing"),
        ("{}", "1: 'name' is missing"),
        ("name: x\n'': y", "2: unknown field ''"),
        ("name: x\n<<: {good: false}", "2, field <<: unknown field '<<'"),
        (f"name: x\nsize: {'y' * 1000}", "2, field size: 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"),
    ],
)
def test_one_fault(text: str, problem: str) -> None:
    (found,) = problems(text)
    assert found.startswith(problem)
    assert len(found) < 250


UNREADABLE = {
    "a: 1\nb: x: y": "2: cannot read this: put a text that contains ': ' in quotes",
    "a:\n  - b\n\t- c": "3: cannot read this: there is a tab; indent with spaces",
    "a:\n\tb: 1": "2: cannot read this: there is a tab; indent with spaces",
    "a: [1,\n2\nb: 3": "3: cannot read this: ",
    "a: 'x": "1: cannot read this: ",
    "a: @x": "1: cannot read this: ",
    '"\\ud83d": 1': "1: ",
    '{"a": "\\ude00\\ud83d"}': "1: ",
    "a: 1\n---\nb: 2": "2: a second document begins here",
    "? [a]\n: b": "1: a name is expected here",
    "? {a: b}\n: c": "1: a name is expected here",
    "a: &x 1\nb: *x": "2: aliases (*) are not allowed",
    "*x : 1": "1: a name is expected here",
    "a: !!int 5": "1: the tag 'tag:yaml.org,2002:int' is not allowed",
    "a: !!int five": "1: the tag ",
    "a: !!python/object/apply:os.system [ls]": "1: the tag ",
    "a: !!set {b, c}": "1: the tag ",
    "!thing\na: 1": "1: the tag '!thing' is not allowed",
    "name: x\na: \x07": "2: the character U+0007 is not allowed",
    'name: x\na: "\\0"': "2: the character U+0000 is not allowed",
    'name: x\na: "\\e[31m"': "2: the character U+001B is not allowed",
    "a: \ufffe": "1: the character U+FFFE is not allowed",
}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(("text", "problem"), UNREADABLE.items())
def test_unreadable(text: str, problem: str) -> None:
    (found,) = problems(text)
    assert found.startswith(problem)


@pytest.mark.parametrize(
    "number", ["1e999", "-1e999", "9" * 400, "9" * 5000, "9223372036854775808", "1" + "0" * 400]
)
@pytest.mark.parametrize("field", ["most", "anything", "name", "parts"])
def test_numbers_too_large(number: str, field: str) -> None:
    name = "" if field == "name" else "name: x\n"
    found = problems(f"{name}{field}: {number}")
    assert "is too large" in found[0]
    assert max(map(len, found)) < 150


def test_numbers_just_small_enough() -> None:
    assert read("name: x\nanything: [9223372036854775807, 1e308]").anything == [2**63 - 1, 1e308]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"name: x\ngood: \xff", "2: byte 0xff is not UTF-8; save the file as UTF-8"),
        ("name: é".encode("latin-1"), "1: byte 0xe9 is not UTF-8"),
        ("name: x".encode("utf-16"), " this is UTF-16; save it as UTF-8"),
        (b"name: x\n\0", "2: there is a NUL byte"),
        (b"#" * (LARGEST + 1), f" the file has {LARGEST + 1} bytes; at most {LARGEST}"),
        (b"[" * 10_000, "1: this is nested too deeply"),
        (b"{a: " * 10_000, "1: this is nested too deeply"),
        (b"- " * 10_000, "1: this is nested too deeply"),
        (b"? " * 10_000, "1: a name is expected here"),
    ],
)
def test_broken_bytes(data: bytes, problem: str) -> None:
    (found,) = problems(data)
    assert found.startswith(problem)


def test_a_bomb_does_not_go_off() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60))]
    assert problems("\n".join(lines)) == ["2: aliases (*) are not allowed"]


@pytest.mark.parametrize(("depth", "fine"), [(DEEPEST, True), (DEEPEST + 1, False)])
def test_depth(depth: int, fine: bool) -> None:
    text = "anything: " + "[" * (depth - 1) + "x" + "]" * (depth - 1) + "\nname: x"
    if fine:
        assert read(text).name == "x"
    else:
        assert problems(text) == ["1: this is nested too deeply"]


@given(input_strategies.json)
def test_any_json_is_a_thing_or_refused(content: object) -> None:
    try:
        text = json.dumps(content)
    except ValueError:
        return
    found = attempt(partial(read, text))
    assert isinstance(found, Thing) or found


PIECES = st.sampled_from(
    [
        *("\0", "\t", "\x07", "\x85", "\u2028", "\ufeff", "'", '"', "[", "]", "{", "}", "- ", ": "),
        *("? ", "? [a]\n: ", "&a ", "*a", "!!int ", "! ", "!x ", "<<: ", "<<: {a: 1}\n", "| ", ">"),
        *(
            "%YAML 9.9\n",
            "---\n",
            "...\n",
            "#",
            "@",
            "`",
            "\\",
            "\\0",
            "\n",
            "\n\n  ",
            "=",
            ",",
            "1",
        ),
        *(
            '"\\ud800"',
            '"\\x00"',
            ".inf",
            "1e999",
            "9" * 5000,
            "null",
            "~",
            "[]",
            "{}",
            "[[]]",
            "é",
        ),
    ]
)
EDITS = st.lists(
    st.tuples(st.integers(0, len(FULL)), st.integers(0, 12), PIECES), min_size=1, max_size=4
)


def damaged(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, length, piece in edits:
        text = text[:start] + piece + text[start + length :]
    return text


@settings(max_examples=40)
@given(EDITS, st.binary(max_size=2), st.integers(0, 200))
def test_a_damaged_file_is_a_thing_or_refused(
    edits: list[tuple[int, int, str]], junk: bytes, at: int
) -> None:
    data = damaged(FULL, edits).encode()
    for version in (data, data[:at] + junk + data[at:]):
        found = attempt(partial(read, version))
        if isinstance(found, tuple):
            assert {problem.file for problem in found} == {"f.yaml"}


WRITABLE = st.text("aZ09 -.:#'\"\\[]{}&*!|>%@`?,~e+é不ी\n\t\x85\u2028\ufeff\U0001f600", max_size=25)


@given(
    WRITABLE | st.sampled_from(["08", "1e5", "5", "yes", "null", "~", "", "0x1F", "1_0", "=", "."])
)
def test_what_is_dumped_is_read_again(text: str) -> None:
    content = {"name": text, "anything": [text, {"a": text}], "words": [text], "most": 5}
    thing = read(yamlfile.dump(content))
    assert (thing.name, thing.anything, thing.words) == (text, [text, {"a": text}], (text,))
