"""The output of metrics: sacreBLEU and COMET, as these programs write it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from jurat.errors import InputError
from jurat.formats import read_scores_table
from jurat.model import File

TEXTS = {
    "ref": ("the cat sat on the mat", "a dog barks", "hello there my friend of old"),
    "a": ("the cat sat on a mat", "a dog barked", "hello there friend of old"),
    "b": ("cat sat mat", "the dog barks", "hi there my friend of old"),
}


def sacrebleu(folder: Path, *options: str) -> list[tuple[object, ...]]:
    """What sacreBLEU prints about the texts, read as scores."""
    for name, lines in TEXTS.items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "sacrebleu", "ref.txt", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=True)
    table = read_scores_table([File("a.json", done.stdout)])
    names = [n for n in ("system", "segment", "metric", "value") if n in table.columns]
    return table.select(names).rows()


def test_sacrebleu_json_of_one_system(tmp_path: Path) -> None:
    found = sacrebleu(tmp_path, "-i", "a.txt", "-m", "bleu", "chrf")
    assert found == [("a", "BLEU", 41.9), ("a", "chrF2", 74.5)]


def test_sacrebleu_json_of_several_systems(tmp_path: Path) -> None:
    found = sacrebleu(tmp_path, "-i", "a.txt", "b.txt", "-f", "json")
    assert found == [("a", "BLEU", 41.9), ("b", "BLEU", 51.1)]


def test_sacrebleu_table_of_a_paired_test(tmp_path: Path) -> None:
    options = ("-i", "a.txt", "b.txt", "-f", "text", "--paired-bs", "--paired-bs-n", "50")
    assert sacrebleu(tmp_path, *options) == [("a", "BLEU", 41.9), ("b", "BLEU", 51.1)]


def test_sacrebleu_lines_of_segments(tmp_path: Path) -> None:
    found = sacrebleu(tmp_path, "-i", "a.txt", "-m", "chrf", "--sentence-level")
    assert [row[:3] for row in found] == [("a", str(n), "chrF2") for n in (1, 2, 3)]


def comet(content: object) -> list[tuple[object, ...]]:
    data = content if isinstance(content, str) else json.dumps(content)
    table = read_scores_table([File("comet.json", data.encode())])
    names = [n for n in ("system", "segment", "metric", "value") if n in table.columns]
    return table.select(names).rows()


def test_comet_json() -> None:
    segment = {"src": "a", "mt": "b", "ref": "c", "COMET": 0.84, "errors": []}
    assert comet({"out/sysA.txt": [segment]}) == [("sysA", "1", "COMET", 0.84)]


def test_comet_comparison() -> None:
    told = {"name": "sysA.txt", "mt": ["b", "c"], "scores": [0.5, 0.6]}
    found = comet({"model": "m", "statistical_results": [], "source": [], "translations": [told]})
    assert found == [("sysA", "1", "COMET", 0.5), ("sysA", "2", "COMET", 0.6)]


def test_comet_lines() -> None:
    text = "sysA.txt\tSegment 0\tscore: 0.8432\nsysA.txt\tscore: 0.8275\n"
    assert comet(text) == [("sysA", "1", "COMET", 0.8432), ("sysA", None, "COMET", 0.8275)]


def test_judgments_are_no_scores() -> None:
    line = {"annotation": [], "user_id": "a", "item": [], "item_i": 0}
    with pytest.raises(InputError, match="annotations"):
        read_scores_table([File("a.jsonl", json.dumps(line).encode())])
