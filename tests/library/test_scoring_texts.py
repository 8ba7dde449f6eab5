"""Texts to be scored: what is read, and what is wrong with it."""

import pytest

from jurat.errors import InputError
from jurat.library import scoring_texts as module
from jurat.library.scoring_texts import (
    check_segment_ids,
    empty_references,
    read_texts,
    references_by_segment,
)

SET = """{"test_set": "small", "systems": [{"name": "human", "kind": "human", "reference": "r2"}]}
{"document": "d1", "segment": "1", "source": "x", "references": {"r1": "a b", "r2": "a c"},
 "translations": {"cedar": "a", "human": "a c"}}
{"document": "d2", "segment": "1", "source": "y", "references": {"r1": "d", "r2": "e"},
 "translations": {"cedar": "d", "human": "e"}}
"""
SGML = """<{kind}set setid="s" srclang="et" trglang="en"{more}>
<doc docid="d1" {by}="{name}"><seg id="1">{first}</seg><seg id="2">{second}</seg></doc>
</{kind}set>
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "ref.txt": "one\ntwo\nthree\n",
        "ref2.txt": "eins\n\n \n",
        "cedar.txt": "\ufeffone\r\n\r\nthree\r\n",
        "birch.txt": "one\ntwo\nthree",
        "short.txt": "one\n",
        "empty.txt": "",
        "table.tsv": "id\tmt\tpe\n1\tx\t\n2\ty\tz\n3\t\tw\n",
        "fields.jsonl": '{"mt": "x"}\n{"mt": "y", "errors": []}\n{"mt": null}\n',
        "set.jsonl": SET.replace("\n ", " "),
        "docs.txt": "d1\nd1\nd2\n",
        "ids.txt": "d1\t7\nd1\t8\nd2\t1\n",
        "gap.txt": "d1\n\nd2\n",
        "own.tsv": "segment\tdocument\tdomain\tmt\tref\n7\td1\tnews\tx\tx\n8\td1\tnews\ty\tz\n"
        "1\td2\tchat\tz\tw\n",
        "other.jsonl": '{"segment": 7, "mt": "x"}\n{"segment": 8, "mt": "y"}\n'
        '{"segment": 2, "mt": "z"}\n',
        "items.csv": "item,mt\na,x\nb,y\nc,z\n",
        "twice.tsv": "segment\tmt\n1\tx\n2\ty\n1\tz\n",
        "holes.tsv": "segment\tmt\n1\tx\n\ty\n3\tz\n",
        "docs.csv": "doc,seg\nd1,7\nd1,8\nd2,1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    return tmp_path


def everything(*given, **more):
    texts = read_texts(*given, **more)
    return texts, {n: list(t) for group in texts.groups() for n, t in group.items()}


class TestPlain:
    def test_files(self):
        texts, systems = everything(["cedar.txt", "birch.txt"], ["ref.txt"])
        assert systems == {"cedar": ["one", "", "three"], "birch": ["one", "two", "three"]}
        assert texts.references == {"ref": ["one", "two", "three"]}
        assert texts.size == 3
        assert texts.systems == ["cedar", "birch"]

    def test_columns(self):
        texts, systems = everything(["table.tsv:mt,pe", "fields.jsonl:mt"], ["r=ref.txt"])
        assert systems == {
            "table:mt": ["x", "y", ""],
            "pe": ["", "z", "w"],
            "fields:mt": ["x", "y", ""],
        }
        assert list(texts.references) == ["r"]

    def test_texts_are_read_in_groups_that_memory_holds(self, monkeypatch):
        monkeypatch.setattr(module, "AT_ONCE", 10)
        texts = read_texts(["cedar.txt", "birch.txt"], ["ref.txt"])
        assert [list(group) for group in texts.groups()] == [["cedar"], ["birch"]]

    def test_what_is_wrong_is_told_before_the_first_group(self, monkeypatch):
        monkeypatch.setattr(module, "AT_ONCE", 1)
        groups = read_texts(["cedar.txt", "birch.txt", "short.txt"], ["ref.txt"]).groups()
        with pytest.raises(InputError, match="short"):
            next(groups)


class TestFaults:
    def test_every_wrong_number_of_lines_at_once(self):
        texts = read_texts(["short.txt", "birch.txt", "empty.txt"], ["ref.txt"])
        with pytest.raises(InputError) as caught:
            next(texts.groups())
        assert str(caught.value).splitlines() == [
            "short.txt: 1 segment, but ref.txt has 3",
            "empty.txt: 0 segments, but ref.txt has 3",
        ]

    @pytest.mark.parametrize(
        ("systems", "references", "words"),
        [
            (["birch.txt"], [], "no reference is given; use --reference"),
            (["birch.txt"], ["empty.txt"], "empty.txt: the file is empty"),
            (["birch.txt"], ["nowhere.txt"], "nowhere.txt: there is no such file"),
            (["birch.txt"], ["ref.txt", "short.txt"], "short.txt: 1 segment, but ref"),
            (["nowhere.txt"], ["ref.txt"], "nowhere.txt: there is no such file"),
            (["table.tsv:m"], ["ref.txt"], "unknown column 'm'; allowed: id, mt, pe"),
            (["fields.jsonl:m"], ["ref.txt"], "unknown field 'm'; allowed: mt, errors"),
            (["table.tsv"], ["ref.txt"], "name the column"),
            (["set.jsonl"], ["r3"], "unknown reference 'r3'; allowed: r1, r2"),
            (["set.jsonl"], ["ref.txt"], "set.jsonl: 2 segments, but ref.txt has 3"),
            (
                ["set.jsonl", "birch.txt"],
                [],
                "birch.txt: 3 segments, but set.jsonl has 2",
            ),
        ],
    )
    def test_what_cannot_be_read(self, systems, references, words):
        with pytest.raises(InputError, match=words):
            everything(systems, references)


class TestSets:
    def test_a_whole_test_set(self):
        texts, systems = everything(["set.jsonl"], [])
        assert systems == {"human": ["a c", "e"], "cedar": ["a", "d"]}
        assert texts.references == {"r1": ["a b", "d"], "r2": ["a c", "e"]}
        assert (texts.documents, texts.segments) == (["d1", "d2"], ["1", "1"])
        assert texts.own == {"human": "r2"}

    def test_one_of_its_references(self):
        assert list(read_texts(["set.jsonl"], ["r2"]).references) == ["r2"]

    def test_a_file_beside_it(self, folder):
        (folder / "new.txt").write_text("a\nb\n")
        _, systems = everything(["set.jsonl", "new.txt"], [])
        assert systems["new"] == ["a", "b"]

    @pytest.fixture
    def markup(self, folder):
        """Systems and references of NIST's format; one of the systems in another order."""
        named = {"kind": "ref", "by": "sysid", "name": "A", "more": ' refid="A"'}
        (folder / "ref.sgm").write_text(SGML.format(**named, first="one", second="two"))
        named = {"kind": "tst", "by": "sysid", "name": "cedar", "more": ""}
        (folder / "cedar.sgm").write_text(SGML.format(**named, first="eins", second="zwei"))

    @pytest.mark.usefixtures("markup")
    def test_systems_and_references_in_files_of_their_own(self):
        texts, systems = everything(["cedar.sgm"], ["ref.sgm"])
        assert systems == {"cedar": ["eins", "zwei"]}
        assert list(texts.references.values()) == [["one", "two"]]
        assert list(texts.documents) == ["d1", "d1"]

    @pytest.mark.usefixtures("markup")
    def test_plain_systems_against_a_marked_up_reference(self, folder):
        (folder / "two.txt").write_text("eins\nzwei\n")
        texts, systems = everything(["two.txt"], ["ref.sgm"])
        assert systems == {"two": ["eins", "zwei"]}
        assert list(texts.references.values()) == [["one", "two"]]


class TestDocuments:
    @pytest.mark.parametrize(
        ("given", "segments"),
        [("docs.txt", ()), ("ids.txt", ["7", "8", "1"]), ("docs.csv:doc", ()),
         ("docs.csv:doc,seg", ["7", "8", "1"])],
    )  # fmt: skip
    def test_from_a_file(self, given, segments):
        texts = read_texts(["birch.txt"], ["ref.txt"], given)
        assert texts.documents == ["d1", "d1", "d2"]
        assert texts.segments == segments

    @pytest.mark.parametrize(
        ("systems", "given", "words"),
        [
            (["birch.txt"], "short.txt", "short.txt: 1 segment, but ref.txt has 3"),
            (["birch.txt"], "empty.txt", "empty.txt: 0 segments"),
            (["birch.txt"], "gap.txt", "gap.txt:2: this line names no document"),
            (["set.jsonl"], "docs.txt", "a test set has documents of its own"),
        ],
    )
    def test_that_do_not_fit(self, systems, given, words):
        references = ["ref.txt"] if systems == ["birch.txt"] else []
        with pytest.raises(InputError, match=words):
            read_texts(systems, references, given)


class TestOwnIds:
    """The ids in a table's own columns, by which scores are matched with judgments."""

    @pytest.mark.parametrize(("system", "reference"), [("own.tsv:mt", "own.tsv:ref"),
                             ("birch.txt", "own.tsv:ref"), ("own.tsv:mt", "ref.txt")])  # fmt: skip
    def test_of_whichever_file_has_them(self, system, reference):
        texts = read_texts([system], [reference])
        assert list(texts.segments) == ["7", "8", "1"]
        assert list(texts.documents) == ["d1", "d1", "d2"]
        assert texts.about == {"domain": ["news", "news", "chat"]}

    def test_of_fields_and_items(self):
        assert list(read_texts(["other.jsonl:mt"], ["ref.txt"]).segments) == ["7", "8", "2"]
        assert list(read_texts(["items.csv:mt"], ["ref.txt"]).segments) == ["a", "b", "c"]
        assert read_texts(["birch.txt"], ["ref.txt"]).segments == ()

    def test_told_documents_come_first(self):
        texts = read_texts(["own.tsv:mt"], ["ref.txt"], "docs.txt")
        assert (list(texts.documents), list(texts.segments)) == (
            ["d1", "d1", "d2"],
            ["7", "8", "1"],
        )

    def test_files_in_different_orders(self):
        with pytest.raises(InputError, match=r"row 3 has segment '2', but own.tsv has '1' there"):
            everything(["other.jsonl:mt"], ["own.tsv:ref"])
        with pytest.raises(InputError, match="same order"):
            read_texts(["birch.txt"], ["own.tsv:ref", "other.jsonl:mt"])

    def test_ids_that_are_missing_or_stand_twice(self):
        with pytest.raises(InputError, match="row 2 has no segment"):
            read_texts(["holes.tsv:mt"], ["ref.txt"])
        with pytest.raises(InputError, match="segment '1' stands in rows 1 and 3; if it belongs"):
            check_segment_ids(read_texts(["twice.tsv:mt"], ["ref.txt"]))
        check_segment_ids(read_texts(["twice.tsv:mt"], ["ref.txt"], "docs.txt"))


class TestReferences:
    def test_an_empty_one_among_several_is_none(self):
        found = list(read_texts(["birch.txt"], ["ref.txt", "ref2.txt"]).references.values())
        assert references_by_segment(found) == [("one", "eins"), ("two",), ("three",)]

    def test_the_only_one_stays(self):
        assert references_by_segment([["one", ""]]) == [("one",), ("",)]
        assert references_by_segment([["one", ""], ["", " "]]) == [("one",), ("",)]

    def test_empty_ones_are_told(self):
        assert empty_references([("one",), ("", "x")]) == ""
        assert empty_references([("one",), ("",)]) == "1 segment has an empty reference: 2"
        many = empty_references([("",)] * 7)
        assert many == "7 segments have an empty reference: 1, 2, 3, 4, 5, …"
