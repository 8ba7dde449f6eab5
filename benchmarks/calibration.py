"""Whether conclusions hold: tests and intervals of every command on simulated campaigns.

Run it with `make calibration` or `python -m benchmarks.calibration` (`--quick` for seconds). Each
cell of the grid is a design; campaigns are drawn from it in batches, analysed as the commands do,
and compared with the truth. All cells get `--runs` campaigns, and those whose share lies outside
the bar, perhaps by chance, get more until `--minutes` are over. Finished batches are kept in
`benchmarks/calibration.json`: a run goes on where the last one stopped, and a cell whose code has
changed starts anew. Cells that never ran come first, then those of other code. The page is written
from that file, which only one run at a time may write.
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import hashlib
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import monotonic, process_time
from zlib import crc32

import numpy as np
from joblib import Parallel, delayed

from benchmarks.simulations.grid import cells
from benchmarks.simulations.page import page
from benchmarks.simulations.study import Study
from benchmarks.simulations.tally import Record, count, load, save
from jurat.resampling import student_t

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "benchmarks" / "calibration.json"
PAGE = ROOT / "docs" / "calibration.md"
INTRODUCTION = Path(__file__).parent / "simulations" / "introduction.md"
# Campaigns in a batch, the unit of work that is kept.
BATCH = 100
# How many batches an undecided cell gets, in multiples of what every cell gets.
PATIENCE = 8


def batch(study: Study, number: int, size: int) -> Record:
    """A batch of campaigns of a cell; the same number always gives the same campaigns."""
    start = process_time()
    code = fingerprint(study.folders)
    record = Record(study.section, dict(study.columns()), code, commit(), batches=1)
    with t_of_scipy():
        for run in range(size):
            rng = np.random.default_rng([crc32(study.name.encode()), number, run])
            count(study.readings(rng), record.claims, smallest=study.smallest)
    record.seconds = process_time() - start
    return record


@contextmanager
def t_of_scipy() -> Iterator[None]:
    """Take scipy's t, which is loaded here anyway: quicker, and equal to ours to twelve digits."""
    before, student_t.PLENTY = student_t.PLENTY, 0
    try:
        yield
    finally:
        student_t.PLENTY = before


@cache
def fingerprint(folders: tuple[str, ...]) -> str:
    """Of the definitions that a command's numbers come from, wherever they stand.

    Comments, docstrings and imports are no part of it: a definition that moves stays the same.
    """
    stats = ROOT / "src" / "jurat" / "stats"
    files = [*stats.glob("*.py"), *(f for name in folders for f in (stats / name).rglob("*.py"))]
    files += (ROOT / "src" / "jurat" / "resampling").rglob("*.py")
    made = (_Undocumented().visit(ast.parse(file.read_bytes())) for file in files)
    definitions = sorted({ast.unparse(statement) for tree in made for statement in tree.body})
    return hashlib.sha256("\n".join(definitions).encode()).hexdigest()[:12]


class _Undocumented(ast.NodeTransformer):
    """Takes away what no number comes from: imports, and docstrings, which are alone."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        """Nothing in place of a string; anything else as it is."""
        alone = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if alone else node

    def visit_Import(self, node: ast.Import) -> None:
        """Nothing."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Nothing."""


@cache
def commit() -> str:
    """The commit that is measured; empty where there is no repository."""
    asked = ["git", "-C", str(ROOT), "rev-parse", "--short=9", "HEAD"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


class Schedule:
    """The batches that are still to be run, cells in turn, until the time is over."""

    def __init__(
        self, studies: Iterable[Study], records: dict[str, Record], *, batches: int, minutes: float
    ) -> None:
        self.records = records
        self.studies = {study.name: study for study in sorted(studies, key=self._known)}
        self.batches = batches
        self.end = monotonic() + 60 * minutes
        self.begun = {name: self._done(study) for name, study in self.studies.items()}

    def _known(self, study: Study) -> int:
        """0 of a cell that never ran, 1 of one that ran with other code, 2 of all others."""
        return 0 if study.name not in self.records else 1 + (self._done(study) > 0)

    def _done(self, study: Study) -> int:
        record = self.records.get(study.name)
        return record.batches if record and record.code == fingerprint(study.folders) else 0

    def __iter__(self) -> Iterator[tuple[Study, int]]:
        for wanted in range(1, self.batches * PATIENCE + 1):
            for name, study in self.studies.items():
                if monotonic() > self.end:
                    return
                if self.begun[name] < wanted and (wanted <= self.batches or self._open(name)):
                    yield study, self.begun[name]
                    self.begun[name] += 1

    def _open(self, name: str) -> bool:
        return name in self.records and self.records[name].undecided

    def add(self, name: str, found: Record) -> None:
        """Take in a batch; one of new code replaces all of the old."""
        known = self.records.get(name)
        if known and known.code == found.code:
            known.join(found)
        else:
            self.records[name] = found


def run(schedule: Schedule, *, size: int, jobs: int, kept: Path) -> None:
    """Run what is scheduled, and keep every batch as it comes."""

    def named(study: Study, number: int) -> tuple[str, Record]:
        return study.name, batch(study, number, size)

    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    saved = monotonic()
    for name, found in parallel(delayed(named)(*task) for task in schedule):
        schedule.add(name, found)
        print(f"{found.seconds:6.1f} s  {name}", flush=True)
        # The file grows with the grid; a few seconds of work are soon repeated.
        if monotonic() - saved > 5:
            save(kept, schedule.records)
            saved = monotonic()
    save(kept, schedule.records)


def write_page(records: dict[str, Record], studies: Iterable[Study], target: Path) -> None:
    """Write the page of the cells that are in the grid, in its order."""
    known = {study.name: study for study in studies}
    there = {name: records[name] for name in known if name in records}
    stale = {n for n, record in there.items() if record.code != fingerprint(known[n].folders)}
    missing = Counter(study.section for name, study in known.items() if name not in records)
    target.write_text(page(there, INTRODUCTION.read_text(), stale=stale, missing=missing))


def main() -> None:
    """Read the options, run the cells, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few campaigns, and no page")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="cells by name: 'systems*'")
    parser.add_argument("--runs", type=int, default=200, help="campaigns a cell at least")
    parser.add_argument("--minutes", type=float, default=58, help="after which no batch is begun")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--kept", type=Path, default=KEPT, help="file of finished batches")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the page is written")
    options = parser.parse_args()
    studies = cells()
    chosen = [study for study in studies if fnmatch.fnmatch(study.name, options.only)]
    if options.quick:
        quick(chosen)
        return
    records = load(options.kept)
    schedule = Schedule(chosen, records, batches=-(-options.runs // BATCH), minutes=options.minutes)
    run(schedule, size=BATCH, jobs=options.jobs, kept=options.kept)
    write_page(records, studies, options.page)


def quick(studies: list[Study], campaigns: int = 2) -> None:
    """Print a few campaigns of the first cell of each section, which shows that all still works."""
    first = {study.section: study for study in reversed(studies)}
    records = {study.name: batch(study, 0, campaigns) for study in reversed(first.values())}
    print(page(records, ""))


if __name__ == "__main__":
    # Worker processes look functions up by the name of their module, where `__main__` is another.
    from benchmarks import calibration

    calibration.main()
