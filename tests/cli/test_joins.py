"""Joins of two files say how many rows found a partner, and stop where none did."""

from pathlib import Path

import pytest

from tests.cli.run_command import jurat

JUDGES = (("a", "source"), ("b", "r1"), ("c", "r2"))
RATINGS = [f"{j},{i},{g},{(i + ord(j)) % 5}" for i in range(1, 6) for j, g in JUDGES]
FILES = {
    "ratings.csv": "\n".join(["judge,item,group,value", *RATINGS, ""]),
    "spans.csv": "judge,item,question,start,end,severity\na,1,value,0,3,minor\nb,9,value,0,2,x\n",
    "texts.csv": "item,r1,r2\n1,a b,a c\n2,d e,d f\n",
    "pairs.csv": "judge,item,better,worse\na,1,A,B\nb,7,A,B\n",
    "scored.csv": "judge,item,system,value\na,1,A,3\na,1,B,2\n",
    "listed.csv": "item\n1\n8\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with all files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (
            ("agreement", "ratings.csv", "--spans", "spans.csv"),
            "--spans: 1 of 2 judgments with spans found in the table",
        ),
        (
            ("agreement", "ratings.csv", "--items", "listed.csv"),
            "--items: 1 of 2 listed found in the table, by item",
        ),
        (
            ("bias", "ratings.csv", "--group", "group", "--texts", "texts.csv"),
            "--texts: 2 of 5 judged segments found in the texts, by item",
        ),
        (
            ("preferences", "pairs.csv", "--judgments", "scored.csv"),
            "--judgments: 1 of 2 compared segments found in the judgments, by item",
        ),
    ],
    ids=["spans", "items", "texts", "judgments"],
)
def test_partners_are_counted(folder: Path, arguments: tuple[str, ...], note: str) -> None:
    ran = jurat(*arguments, "--bootstrap", "0", cwd=folder)
    assert ran.returncode == 0, ran.stderr
    assert f"note: {note}\n" in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "name", "text", "words"),
    [
        (
            ("agreement", "ratings.csv", "--spans", "spans.csv"),
            "spans.csv",
            "judge,item,question,start,end,severity\nz,9,value,0,2,major\n",
            "--spans: none of 1 judgments with spans found",
        ),
        (
            ("agreement", "ratings.csv", "--items", "listed.csv"),
            "listed.csv",
            "item\n8\n",
            "--items: none of 1 listed found in the table, by item",
        ),
        (
            ("bias", "ratings.csv", "--group", "group", "--texts", "texts.csv"),
            "texts.csv",
            "item,r1,r2\n77,a b,a c\n",
            "--texts: none of 5 judged segments found in the texts, by item",
        ),
        (
            ("preferences", "pairs.csv", "--judgments", "scored.csv"),
            "scored.csv",
            "judge,item,system,value\na,55,A,3\na,55,B,2\n",
            "--judgments: none of 2 compared segments found in the judgments, by item",
        ),
    ],
    ids=["spans", "items", "texts", "judgments"],
)
def test_no_partner_at_all_is_an_error(
    folder: Path, arguments: tuple[str, ...], name: str, text: str, words: str
) -> None:
    (folder / name).write_text(text)
    ran = jurat(*arguments, "--bootstrap", "0", cwd=folder)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert words in ran.stderr


def test_segments_numbered_from_zero_and_from_one_are_refused(tmp_path: Path) -> None:
    def write(name: str, column: str, first: int) -> None:
        rows = [f"{n},{s},{n * 7 % 5}" for n in range(first, first + 20) for s in "AB"]
        (tmp_path / name).write_text("\n".join([f"segment,system,{column}", *rows]))

    write("ratings.csv", "value", 1)
    write("from_one.csv", "chrf", 1)
    write("from_zero.csv", "chrf", 0)
    ran = jurat("metaeval", "ratings.csv", "from_zero.csv", cwd=tmp_path)
    assert ran.returncode == 2
    assert "segments 1 to 20 were judged, and 0 to 19 have scores" in ran.stderr
    # scores without documents are found by their segments alone
    lines = (tmp_path / "ratings.csv").read_text().splitlines()
    with_documents = [f"{line},{n // 8}" for n, line in enumerate(lines[1:])]
    (tmp_path / "of_documents.csv").write_text("\n".join([f"{lines[0]},document", *with_documents]))
    again = jurat("metaeval", "of_documents.csv", "from_zero.csv", cwd=tmp_path)
    assert again.stderr == ran.stderr
    for more in (["from_zero.csv", "--allow-unmatched"], ["from_one.csv"]):
        assert jurat("metaeval", "ratings.csv", *more, cwd=tmp_path).returncode == 0
