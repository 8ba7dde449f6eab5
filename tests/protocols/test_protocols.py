"""Reading protocols: by name, from a file, from a stranger's package; every fault with its line."""

import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat import protocols
from jurat.errors import InputError
from jurat.protocols import Protocol, questions
from jurat.registry import Registry
from tests.input_strategies import attempt
from tests.plugin_packages import install
from tests.protocols.items import item

MINE = """\
name: mine
title: Mine
about: All mine.
citation: Me (2024)
guidelines: Do it.
stages:
  - show: [source, translation]
    questions:
      - id: quality
        kind: scale
        ask: How good?
        points:
          - {value: 2, label: Good}
          - {value: 1, label: Bad}
        examples:
          - {answer: 2, translation: Fine., because: It is.}
      - {id: why, kind: text, ask: Why?, when: quality == 1, required: false}
score: {rule: mean, questions: [quality]}
"""


def problems(text: str, **more: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        protocols.read(text.encode(), file="m.yaml", **more)  # type: ignore[arg-type]
    return [str(problem) for problem in caught.value.problems]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was found before is remembered, nor after."""
    registry = Registry(questions.QUESTIONS.package, questions.Question, word="kind of question")
    monkeypatch.setattr(questions, "QUESTIONS", registry)
    monkeypatch.setattr(protocols, "QUESTIONS", registry)
    for name in ("load", "_shipped"):
        original = getattr(protocols, name)
        original.cache_clear()
        monkeypatch.setattr(protocols, name, original.__wrapped__)


def test_unknown_protocol() -> None:
    with pytest.raises(
        InputError, match=r"unknown protocol 'tapet'.*did you mean 'tapet-adequacy'"
    ):
        protocols.load("tapet")


def test_all_faults_with_their_lines() -> None:
    text = (
        MINE.replace("name: mine\n", "")
        .replace("kind: scale", "kind: scail")
        .replace("[source, translation]", "[sourse, translation, 5]")
        .replace("kind: text,", "")
        .replace("rule: mean", "rule: means")
    )
    known = "best-worst, choice, concepts, each, magnitude, post-edit, preference, ranking, reading"
    known += ", scale, segments, slider, spans, text"
    shown = "source, reference, references, context, translation"
    assert problems(text) == [
        "m.yaml:1: 'name' is missing",
        f"m.yaml:6, field stages.1.show.1: 'sourse' is not allowed here; allowed: {shown}; "
        "did you mean 'source'?",
        f"m.yaml:6, field stages.1.show.3: 5 is not allowed here; allowed: {shown}",
        f"m.yaml:9, field stages.1.questions.1.kind: unknown kind of question 'scail'; "
        f"allowed: {known}; did you mean 'scale'?",
        f"m.yaml:16, field stages.1.questions.2: 'kind' is missing; allowed: {known}",
        "m.yaml:17, field score.rule: 'means' is not allowed here; allowed: mean, share; "
        "did you mean 'mean'?",
    ]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("value: 2", "value: 1", "m.yaml:12, field stages.1.questions.1.points: 1 occurs"),
        (
            "answer: 2",
            "answer: 3",
            "m.yaml:16, field stages.1.questions.1.examples.1.answer: "
            "3 is not a point of the scale; allowed: 2, 1",
        ),
        (
            "quality == 1",
            "qualty == 1",
            "m.yaml:17, field stages.1.questions.2.when: 'qualty' is not a question asked before "
            "this one; allowed: quality; did you mean 'quality'?",
        ),
        (
            "quality == 1",
            "len(quality)",
            "m.yaml:17, field stages.1.questions.2.when: 'len(quality)' is not allowed",
        ),
        (
            "[quality]",
            "[qualty]",
            "m.yaml:18, field score.questions: 'qualty' is not a question of this protocol; "
            "allowed: quality, why; did you mean 'quality'?",
        ),
        (
            "label: Good",
            "lable: Good",
            "m.yaml:13, field stages.1.questions.1.points.1.lable: unknown field 'lable'; "
            "allowed: value, label, meaning; did you mean 'label'?",
        ),
        (
            "name: mine",
            "name: my own",
            "m.yaml:1, field name: 'my own' is not a valid protocol name",
        ),
        ("show: [source,", "show: [source, #", "m.yaml:9: cannot read this: "),
    ],
)
def test_one_fault(old: str, new: str, problem: str) -> None:
    assert old in MINE
    (found,) = problems(MINE.replace(old, new))
    assert found.startswith(problem)


# Guidelines


def test_guidelines_in_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "guidelines").mkdir()
    (tmp_path / "guidelines" / "mine.md").write_bytes(b"\xef\xbb\xbf# Do it\n")
    text = MINE.replace("Do it.", "mine.md")
    read = protocols.read(text.encode(), file="m.yaml", folder=tmp_path)
    assert read.guidelines == "# Do it\n"


def test_guidelines_that_are_not_there(tmp_path: Path) -> None:
    text = MINE.replace("Do it.", "mine.md")
    for folder in (None, tmp_path):
        (found,) = problems(text, folder=folder)
        assert found == (
            "m.yaml:5, field guidelines: there is no file 'mine.md' in the folder guidelines "
            "beside this file"
        )


def test_guidelines_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "guidelines").mkdir()
    (tmp_path / "guidelines" / "mine.md").write_bytes(b"ok\n\xff")
    (found,) = problems(MINE.replace("Do it.", "mine.md"), folder=tmp_path)
    assert found.startswith("guidelines/mine.md:2: byte 0xff is not UTF-8")


@pytest.mark.parametrize("name", ["../secret.md", "/etc/secret.md", "See the page my.md"])
def test_no_file_from_elsewhere(name: str, tmp_path: Path) -> None:
    (tmp_path / "guidelines").mkdir()
    (tmp_path / "secret.md").write_text("secret")
    text = MINE.replace("Do it.", name)
    assert protocols.read(text.encode(), file="m", folder=tmp_path).guidelines == name


# Strangers


@pytest.mark.usefixtures("fresh")
def test_a_strangers_protocol_joins_by_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "abroad/__init__.py": "",
        "abroad/mine.yaml": MINE.replace("Do it.", "mine.md"),
        "abroad/guidelines/mine.md": "# Theirs\n",
        "abroad/da.yaml": MINE.replace("name: mine", "name: da"),
        "abroad/notes.txt": "no protocol",
    }
    install(tmp_path, monkeypatch, files=files, entry_points={"jurat.protocols": {"x": "abroad"}})
    assert "mine" in protocols.names()
    assert len(protocols.names()) == 34
    mine = protocols.load("mine")
    assert mine.guidelines == "# Theirs\n"
    answers = mine.simulate(item(), [0.0], Random(1))
    assert mine.check(answers, item()) == answers
    assert len(list(mine.rows(answers, item()))) == 2
    assert protocols.load("da").title.startswith("Direct assessment")


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("target", ["nowhere", "abroad.nothing"])
def test_a_strangers_package_that_is_not_there(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry_points = {"jurat.protocols": {"x": target}}
    install(tmp_path, monkeypatch, files={"abroad/__init__.py": ""}, entry_points=entry_points)
    with pytest.raises(InputError, match=f"package '{target}' of the entry point 'x' cannot be"):
        protocols.names()


MOOD = '''\
"""A mood: one of two faces."""
from __future__ import annotations
from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar
from jurat.model import Item
from jurat.protocols.questions import Answer, Level, Question, Row

class Mood(Question, frozen=True, kw_only=True):
    name: ClassVar[str] = "mood"
    level: ClassVar[Level] = "nominal"
    faces: tuple[str, ...] = (":)", ":(")

    def check(self, answer: Answer, item: Item) -> Answer:
        if answer in self.faces:
            return answer
        raise self.refusal("no such face", answer, self.faces)

    def rows(self, answer: Answer, item: Item) -> Iterator[Row]:
        values = {"system": item.translations[0].system, "question": self.id, "label": answer}
        yield Row("judgments", values)

    def answers(self) -> tuple[Answer, ...]:
        return self.faces

    def number(self, answer: Answer, item: Item) -> float | None:
        return float(answer == self.faces[0])

    def simulate(self, item: Item, qualities: Sequence[float], random: Random) -> Answer:
        return self.faces[qualities[0] < 0.5]
'''
MOODY = MINE.replace(
    "      - {id: why,", "      - {id: mood, kind: mood, ask: And?}\n      - {id: why,"
).replace("[quality]", "[quality, mood]")


def add_to_folder(place: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    (place / "mood.py").write_text(code)
    monkeypatch.setattr(questions, "__path__", [*questions.__path__, str(place)])
    monkeypatch.delitem(sys.modules, "jurat.protocols.questions.mood", raising=False)


def add_by_entry_point(place: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    entry_points = {"jurat.protocols.questions": {"mood": "moods"}}
    install(place, monkeypatch, files={"moods.py": code}, entry_points=entry_points)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("add", [add_to_folder, add_by_entry_point])
def test_a_strangers_question_joins_by_one_file(
    add: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(add)
    add(tmp_path, monkeypatch, MOOD)
    mine = protocols.read(MOODY.encode(), file="m.yaml")
    assert mine.questions["mood"].name == "mood"
    answers = mine.simulate(item(), [1.0], Random(1))
    assert answers == {"quality": 2, "mood": ":)"}
    assert mine.check(answers, item()) == answers
    assert mine.score_of(answers, item()) == 1.5
    assert [row.values["label"] for row in mine.rows(answers, item())] == ["Good", ":)"]
    assert protocols.read(protocols.dump(mine).encode(), file="again") == mine
    with pytest.raises(InputError, match=r"field mood: no such face; allowed: :\), :\("):
        mine.check({**answers, "mood": ":|"}, item())
    (found,) = problems(MOODY.replace("kind: mood,", "kind: mood, face: [a],"))
    assert "unknown field 'face'" in found
    assert "did you mean 'faces'?" in found


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("add", [add_to_folder, add_by_entry_point])
def test_a_strangers_question_that_is_broken_is_named(
    add: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(add)
    add(tmp_path, monkeypatch, "import no_such_library")
    found = problems(MINE)
    assert "mood" in found[0]
    assert "cannot be loaded: ModuleNotFoundError: No module named 'no_such_library'" in found[0]


# Damage

PIECES = st.sampled_from(
    [
        *("\0", "\t", "'", '"', "[", "]", "{", "}", "- ", ": ", "? [a]\n: ", "&a ", "*a", "!!int "),
        *("<<: ", "|", ">", "---\n", "#", "\\0", "\n", "\n      ", ",", "1e999", "9" * 5000, "~"),
        *("", "", "kind: slider", "kind: spans", "when: quality", "mine.md", "no", "2", "-1", "é"),
    ]
)
EDITS = st.lists(
    st.tuples(st.integers(0, len(MINE)), st.integers(0, 15), PIECES), min_size=1, max_size=3
)


@settings(max_examples=40)
@given(EDITS)
def test_a_damaged_file_is_a_protocol_or_refused(edits: list[tuple[int, int, str]]) -> None:
    text = MINE
    for start, length, piece in edits:
        text = text[:start] + piece + text[start + length :]
    found = attempt(partial(protocols.read, text.encode(), file="m.yaml"))
    if isinstance(found, tuple):
        assert {problem.file for problem in found} == {"m.yaml"}
        return
    assert isinstance(found, Protocol)
    assert protocols.read(protocols.dump(found).encode(), file="m.yaml") == found


def answered(protocol: Protocol) -> Iterator[tuple[tuple[str, ...], object]]:
    """The examples of single texts with their answers, those of several taken apart."""
    for question in protocol.questions.values():
        for one in question.examples:
            before = (protocol.name, one.context, one.source, one.reference)
            if not question.nested:
                yield (question.id, *before, *one.translations), one.answer
            elif isinstance(one.translation, tuple) and isinstance(one.answer, list):
                for text, answers in zip(one.translation, one.answer, strict=True):
                    for name, answer in answers.items():
                        yield (name, *before, text), answer


@pytest.mark.parametrize("name", ["contrastive-esa", "side-by-side-mqm", "esa"])
def test_the_same_example_has_the_same_answer_wherever_it_stands(name: str) -> None:
    found: dict[tuple[str, ...], list[object]] = defaultdict(list)
    for about, answer in answered(protocols.load(name)):
        found[about].append(answer)
    assert len(found) > 5
    assert [about for about, given in found.items() if any(one != given[0] for one in given)] == []
