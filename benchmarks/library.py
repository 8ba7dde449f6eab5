"""The library: one statistic of a million judgments beside the usual package, imports and memory.

`python benchmarks/library.py` (ROWS=100000 for fewer, ROUNDS=1 for a quick look). Every program
runs in a process of its own, and the usual package starts from the same polars frame, as its user
would have to.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

ROWS = int(os.environ.get("ROWS", "1000000"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))

# Ten judgments of every item by a hundred judges, on a scale from 0 to 100.
FRAME = f"""
import numpy as np, polars as pl
rng = np.random.default_rng(1)
items = {ROWS} // 10
item = np.repeat(np.arange(items), 10)
judge = (np.tile(np.arange(10), items) + 10 * (item % 10)).astype(np.int64)
quality = np.repeat(rng.normal(60, 15, items), 10)
score = np.clip(np.rint(quality + rng.normal(0, 12, {ROWS})), 0, 100)
frame = pl.DataFrame({{"judge": judge, "item": item, "value": score}})
"""
ALPHA = 'jurat.agreement(frame, statistics="krippendorff-alpha"{more}).at(scale="interval").value'
KAPPA = 'jurat.agreement(frame, statistics="fleiss-kappa", bootstrap=0).value'
ALL = "len(jurat.agreement(frame, bootstrap=0))"
QUICK = ", bootstrap=0"
JURAT, STATSMODELS = "import jurat", "from statsmodels.stats import inter_rater"
OTHER_ALPHA = """
wide = frame.pivot(on="judge", index="item", values="value").drop("item").to_numpy().T
value = krippendorff.alpha(wide, level_of_measurement="interval")
"""
OTHER_KAPPA = """
counts, _ = inter_rater.aggregate_raters(score.reshape(-1, 10))
value = inter_rater.fleiss_kappa(counts)
"""
# Name, whose, what is done before the clock starts, and what is timed.
PROGRAMS = (
    ("alpha", "Jurat", JURAT, f"value = {ALPHA.format(more=QUICK)}"),
    ("alpha", "krippendorff", "import krippendorff", OTHER_ALPHA),
    ("alpha with its interval", "Jurat", JURAT, f"value = {ALPHA.format(more='')}"),
    ("Fleiss' kappa", "Jurat", JURAT, f"value = {KAPPA}"),
    ("Fleiss' kappa", "statsmodels", STATSMODELS, OTHER_KAPPA),
    ("all of agreement", "Jurat", JURAT, f"value = {ALL}"),
)
# Memory that a program may take, in GB: the usual package would else end others' programs.
MOST_MEMORY = 8
TIMED = """
import resource, time
resource.setrlimit(resource.RLIMIT_DATA, ({memory}, {memory}))
{frame}
{before}
start, cpu = time.perf_counter(), time.process_time()
{timed}
print(time.perf_counter() - start, time.process_time() - cpu,
      resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, float(value))
"""
SMALL = """
import polars as pl
frame = pl.DataFrame({"judge": list("abc") * 30, "item": [i // 3 for i in range(90)],
                      "value": [i * 7 % 5 for i in range(90)]})
"""
FIRST = "import jurat\njurat.agreement(frame{more})"
STARTS = {
    "python": ("", "pass"),
    "import jurat": ("", "import jurat"),
    "import polars": ("", "import polars"),
    "first agreement, from import jurat on": (SMALL, FIRST.format(more="")),
    "first agreement without intervals": (SMALL, FIRST.format(more=QUICK)),
    "second agreement": (SMALL + FIRST.format(more=""), "jurat.agreement(frame)"),
}


def run(code: str) -> list[float]:
    """The numbers that a program prints, in a process of its own; none where memory is short."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if "MemoryError" in done.stderr:
        return []
    done.check_returncode()
    return [float(word) for word in done.stdout.split()]


def median(code: str) -> list[float]:
    """The medians of what several runs of a program print."""
    runs = [run(code)]
    # a second turn would run out of memory, too
    runs += [run(code) for _ in range(ROUNDS - 1) if runs[0]]
    return [statistics.median(column) for column in zip(*runs, strict=True)]


def timed_program(frame: str, before: str, timed: str) -> str:
    """A program that prints seconds, CPU seconds, MB and a value."""
    return TIMED.format(frame=frame, before=before, timed=timed, memory=MOST_MEMORY * 2**30)


def main() -> None:
    """Print two tables: one statistic of a large frame, and starts."""
    print(f"{ROWS:,} judgments in a polars frame: seconds, CPU seconds, MB, value\n")
    for name, whose, before, timed in PROGRAMS:
        found = median(timed_program(FRAME, before, timed))
        if not found:
            print(f"{name:24} {whose:13} more than {MOST_MEMORY} GB", flush=True)
            continue
        wall, cpu, memory, value = found
        print(
            f"{name:24} {whose:13} {wall:8.2f} {cpu:8.2f} {memory:8.0f}   {value:.6f}", flush=True
        )
    print("\nstarts: seconds, CPU seconds\n")
    for name, (before, timed) in STARTS.items():
        wall, cpu, *_ = median(timed_program("", before, f"{timed}\nvalue = 0"))
        print(f"{name:38} {wall:8.3f} {cpu:8.3f}", flush=True)


if __name__ == "__main__":
    main()
