"""The time and memory of reading a large Pearmut log: `python benchmarks/formats.py`."""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from jurat.formats import load, read_judgments

SIZE = 120_000_000
WORDS = ("most", "zůstane", "uzavřen", "do", "pátku", "řeka", "přes", "noc", "stoupla", "metry")


def write_log(path: Path, size: int = SIZE) -> None:
    """Write a log of documents with two segments, two models, spans and actions."""
    random = Random(1)
    written = number = 0
    with path.open("w", encoding="utf-8") as out:
        while written < size:
            line = json.dumps(_document(random, number), ensure_ascii=False) + "\n"
            out.write(line)
            written += len(line.encode())
            number += 1


def _document(random: Random, number: int) -> dict[str, object]:
    texts = [[" ".join(random.choices(WORDS, k=40)) for _ in range(3)] for _ in range(2)]
    start = 1_700_000_000 + 100 * number
    moments = [{"time": start + n, "action": "score", "index": 0, "value": n} for n in range(20)]
    return {
        "annotation": [
            {
                model: {"score": random.randint(0, 100), "error_spans": _spans(random)}
                for model in "AB"
            }
            for _ in texts
        ],
        "actions": [{"time": start, "action": "load"}, *moments],
        "item": [
            {"item_id": f"news_###_doc{number // 3}_###_{n}", "src": src, "tgt": {"A": a, "B": b}}
            for n, (src, a, b) in enumerate(texts)
        ],
        "comment": "",
        "user_id": f"user{number % 3}",
        "item_i": number // 3,
    }


def _spans(random: Random) -> list[dict[str, object]]:
    starts = [random.randint(0, 150) for _ in range(random.randint(0, 3))]
    return [
        {"start_i": at, "end_i": at + 6, "severity": "minor", "category": None} for at in starts
    ]


def main() -> None:
    """Print seconds, and memory beyond that of the program and the file's own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "annotations.jsonl"
        write_log(path, int(sys.argv[1]) if len(sys.argv) > 1 else SIZE)
        size = path.stat().st_size
        # what is imported at the first use is not the reader's
        path.with_name("small.jsonl").write_bytes(path.open("rb").readline())
        read_judgments(load(path.with_name("small.jsonl")))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        began = time.process_time()
        read = read_judgments(load(path))
        seconds = time.process_time() - began
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    rows = read.tables["judgments"].height
    print(f"Pearmut log of {size / 1e6:.0f} MB, {rows:,} judgments: {seconds:.2f} s of CPU")
    print(f"memory: {memory / 1e6:.0f} MB, {memory / size:.2f} times the file")


if __name__ == "__main__":
    main()
