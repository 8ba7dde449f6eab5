"""What files hold is guessed from their names, and columns from their texts."""

from collections.abc import Mapping

import pytest

from jurat.campaigns.config import role_text
from jurat.campaigns.file_guess import guess_columns, guess_files
from jurat.testsets import Role, SetFile


def guessed(
    *names: str, known: Mapping[str, Role | None] | None = None
) -> tuple[list[str], str, str]:
    found = guess_files([SetFile(name, b"one\ntwo\n") for name in names], known or {})
    texts = [role_text(found.roles[name]) if name in found.roles else "" for name in names]
    return texts, found.source_language, found.target_language


@pytest.mark.parametrize(
    ("names", "roles", "languages"),
    [
        (
            ["source.es.txt", "refA.en.txt", "ref_B.en.txt", "alder.en.txt", "docs.txt"],
            ["source", "reference:A", "reference:B", "system:alder", "documents"],
            ("es", "en"),
        ),
        (
            ["news24.src.de", "news24.ref.cs", "news24.online-A.cs", "news24.online-B.cs"],
            ["source", "reference:ref", "system:online-A", "system:online-B"],
            ("de", "cs"),
        ),
        (
            ["wmt.es-en.src.txt", "wmt.es-en.reference.txt", "wmt.es-en.reform.txt"],
            ["source", "reference:reference", "system:reform"],
            ("es", "en"),
        ),
        (
            ["test.de", "test.ref.en", "Google-Translate.en", "our system (v2).en"],
            ["source", "reference:test", "system:Google-Translate", "system:our-system-v2"],
            ("de", "en"),
        ),
        (
            ["source.es.txt", "system-cedar.en.txt", "system-birch.en.txt", "output.en.txt"],
            ["source", "system:cedar", "system:birch", "system:output"],
            ("es", "en"),
        ),
        (
            ["elm.de", "oak.en"],
            ["system:elm", "system:oak"],
            ("", "de"),
        ),
        (
            ["original.txt", "human.txt", "GPT.txt"],
            ["source", "reference:human", "system:GPT"],
            ("", ""),
        ),
    ],
)
def test_names_as_people_write_them(names, roles, languages):
    assert guessed(*names) == (roles, *languages)


def test_two_files_are_never_the_same():
    roles, *_ = guessed("src.es.txt", "source.es.txt", "ref.en.txt", "a/ref.en.txt")
    assert roles[0] == "source"
    assert len(set(roles)) == 4
    held = {"old.txt": Role("source")}
    assert guessed("source.txt", known=held)[0] == ["system:source"]


def test_files_that_say_it_themselves_are_left_alone():
    files = [
        SetFile("set.jsonl", b"{}"),
        SetFile("ref.en.xml", b"<a/>"),
        SetFile("x.png", b"\x89\0"),
    ]
    found = guess_files(files, {})
    assert (found.roles, found.columns) == ({}, {})
    given = SetFile("b.txt", b"x\n", Role("reference", "B"))
    assert guess_files([given], {"b.txt": given.role}).roles == {}


def test_columns_by_their_texts():
    table = b"seg_id\toutput\thuman\tbleu\tempty\n1\tThe mayor\tA mayor\t0.41\t\n"
    columns = guess_columns(SetFile("elm.tsv", table))
    assert {heading: role_text(role) for heading, role in columns.items()} == {
        "output": "system:output",
        "human": "reference:human",
        "bleu": "ignore",
        "empty": "ignore",
    }
    table = b"src_text\tsource_note\tmt\nHola\tnews\tHello\n"
    columns = guess_columns(SetFile("oak.tsv", table))
    assert list(map(role_text, columns.values())) == ["source", "system:source_note", "system:mt"]
    table = b"source\tsrc_text\nHola\tHello\n"
    assert guess_columns(SetFile("oak.tsv", table)) == {"src_text": Role("system", "src_text")}
    assert guess_columns(SetFile("elm.csv", b"a,b\n")) == {"a": Role("ignore"), "b": Role("ignore")}
    assert guess_columns(SetFile("empty.tsv", b"")) == {}
