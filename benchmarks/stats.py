"""The statistics beside the usual packages, and the commands at 100,000 and a million judgments.

Run it with `python benchmarks/stats.py` (`--quick` for a small round of everything). Ratios are
medians of runs that take turns, so that a busy machine slows both; every pair computes the same
number of the same data, which is checked before it is timed.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.resampling import bootstrap, permute_signs
from jurat.stats import Ratings, Settings
from jurat.stats.agreement.icc_and_kendall_w import icc
from jurat.stats.agreement.krippendorff_alpha import KrippendorffAlpha, krippendorff_alpha
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.judge_pairs import JudgePairs
from jurat.stats.judges.mixed_model import fit_crossed
from jurat.stats.kappa import pair_kappas
from jurat.stats.systems.bradley_terry import strengths
from jurat.tables import Judgments

Array = NDArray[np.float64]
Run = Callable[[], Any]
TURNS = 5
SLOW = 2.0
"""Seconds of one run of a peer, from which one turn must do."""


class Race(NamedTuple):
    """Jurat's way and the peer's, of the same number."""

    what: str
    peer: str
    ours: Run
    theirs: Run
    times: float = 1.0
    """How often the peer's work is done in ours: a peer that is too slow does a part of it."""


class Panel(NamedTuple):
    """Simulated judgments: severity of judges, quality of items, noise."""

    judges: NDArray[np.int64]
    items: NDArray[np.int64]
    values: Array

    @classmethod
    def of(cls, items: int, each: int, judges: int, points: int, seed: int = 1) -> Panel:
        rng = np.random.default_rng(seed)
        who = np.argsort(rng.random((items, judges)), axis=1)[:, :each].ravel()
        what = np.repeat(np.arange(items), each)
        felt = rng.normal(size=items)[what] + 0.4 * rng.normal(size=judges)[who]
        felt += 0.7 * rng.normal(size=len(what))
        low, high = np.quantile(felt, [0.02, 0.98])
        place = np.clip((felt - low) / (high - low), 0, 1)
        return cls(who, what, np.round(place * (points - 1)) + (points < 100))

    def frame(self) -> pl.DataFrame:
        return pl.DataFrame(
            {
                "judge": pl.Series(self.judges).cast(pl.String),
                "item": pl.Series(self.items).cast(pl.String),
                "value": self.values,
            }
        )

    def pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(self.frame().to_dict(as_series=False))

    def evaluation(self) -> Evaluation:
        return Evaluation(judgments=Judgments(self.frame()))

    def ratings(self) -> Ratings:
        (only,) = self.evaluation().ratings
        return only

    def matrix(self) -> Array:
        """A row a judge, a column an item, NaN where he did not judge."""
        table = np.full((self.judges.max() + 1, self.items.max() + 1), np.nan)
        table[self.judges, self.items] = self.values
        return table


def alphas(quick: bool) -> Iterator[Race]:
    """Krippendorff's alpha from ratings that are read, as a library would be given them."""
    import krippendorff

    for points, items in ((7, 500 if quick else 5_000), (101, 100 if quick else 1_000)):
        panel = Panel.of(items, 4, 20, points)
        ratings, table = panel.ratings(), panel.matrix()
        for scale in ("nominal", "ordinal", "interval"):
            yield Race(
                f"alpha, {scale}, {points} points, {items * 4:,} ratings",
                "krippendorff",
                partial(_alpha, ratings, scale),
                partial(krippendorff.alpha, table, level_of_measurement=scale),
            )


def _alpha(ratings: Ratings, scale: str) -> float:
    """From the long table, names and all: nothing is kept from the last turn."""
    return krippendorff_alpha(replace(ratings), scale=scale)


def alpha_bootstraps(quick: bool) -> Iterator[Race]:
    """A thousand resamples of items; the peer does ten of them."""
    import krippendorff

    panel = Panel.of(200 if quick else 2_000, 4, 20, 7)
    table, rng = panel.matrix(), np.random.default_rng(1)

    def theirs() -> None:
        for _ in range(10):
            drawn = table[:, rng.integers(0, table.shape[1], table.shape[1])]
            for scale in ("nominal", "ordinal", "interval", "ratio"):
                krippendorff.alpha(drawn, level_of_measurement=scale)

    settings = Settings(bootstrap=1000)
    yield Race(
        "1,000 bootstraps of alpha (all four scales), 7 points",
        "krippendorff, ten resamples",
        lambda: list(KrippendorffAlpha().results(panel.evaluation(), settings)),
        theirs,
        times=100,
    )


def kappas(quick: bool) -> Iterator[Race]:
    """Weighted kappa of all pairs of judges who share all items."""
    from sklearn.metrics import cohen_kappa_score

    judges, items = 12 if quick else 30, 100 if quick else 500
    panel = Panel.of(items, judges, judges, 7)
    ratings, table = panel.ratings(), panel.matrix()

    def theirs() -> list[float]:
        return [
            cohen_kappa_score(table[a], table[b], weights="quadratic", labels=range(1, 8))
            for a, b in combinations(range(judges), 2)
        ]

    yield Race(
        f"quadratic kappa of {judges * (judges - 1) // 2} pairs, {items} items",
        "scikit-learn",
        lambda: pair_kappas(JudgePairs.of(replace(ratings)), "quadratic"),
        theirs,
    )


def iccs(quick: bool) -> Iterator[Race]:
    """The six forms of the intraclass correlation."""
    import pingouin

    panel = Panel.of(100 if quick else 1_000, 10, 10, 101)
    table = panel.matrix().T
    long = panel.pandas()
    yield Race(
        f"six forms of ICC, {len(panel.values):,} ratings",
        "pingouin",
        lambda: icc(table),
        lambda: pingouin.intraclass_corr(long, targets="item", raters="judge", ratings="value"),
    )


def permutations(quick: bool) -> Iterator[Race]:
    """Ten systems, all pairs, ten thousand sign flips; the peer does one pair."""
    from scipy import stats

    segments, flips = 200 if quick else 2_000, 1_000 if quick else 10_000
    scores = np.random.default_rng(1).normal(size=(segments, 10))
    pairs = np.stack([scores[:, a] - scores[:, b] for a, b in combinations(range(10), 2)], axis=1)
    yield Race(
        f"paired permutation of 45 pairs, {segments:,} segments, {flips:,} patterns",
        "scipy, one pair",
        lambda: permute_signs(pairs, permutations=flips, seed=1),
        lambda: stats.permutation_test(
            (pairs[:, 0],),
            lambda x, axis: x.mean(axis=axis),
            permutation_type="samples",
            n_resamples=flips,
            vectorized=True,
            batch=100,
        ),
        times=45,
    )


def bradley_terry(quick: bool) -> Iterator[Race]:
    """The strengths of ten systems; the peer fits once what we fit a thousand times."""
    import choix

    comparisons = 2_000 if quick else 100_000
    rng = np.random.default_rng(1)
    true = np.linspace(-1, 1, 10)
    first, second = rng.integers(0, 10, (2, comparisons))
    first, second = first[first != second], second[first != second]
    won = rng.random(len(first)) < 1 / (1 + np.exp(true[second] - true[first]))
    better, worse = np.where(won, first, second), np.where(won, second, first)
    wins = np.zeros((10, 10))
    np.add.at(wins, (better, worse), 1)
    games = list(zip(better.tolist(), worse.tolist(), strict=True))
    one_hot = np.eye(100)[better * 10 + worse]
    items = np.arange(len(better)) // 10

    def thousand() -> object:
        fit = lambda totals: strengths(totals.reshape(-1, 10, 10))  # noqa: E731
        return bootstrap(one_hot, fit, clusters=items, replicates=1000, seed=1)

    yield Race(
        f"Bradley–Terry once, {len(games):,} comparisons",
        "choix",
        lambda: strengths(wins[None]),
        lambda: choix.ilsr_pairwise(10, games),
    )
    yield Race(
        f"Bradley–Terry with 1,000 bootstraps, {len(games):,} comparisons",
        "choix, one fit",
        thousand,
        lambda: choix.ilsr_pairwise(10, games),
        times=1001,
    )


def mixed_models(quick: bool) -> Iterator[Race]:
    """Judges and items as crossed random effects, by REML."""
    import statsmodels.formula.api as smf

    items = 30 if quick else 150
    panel = Panel.of(items, 4, 10, 101)
    long = panel.pandas()
    long["all"] = 1

    def theirs() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parts = {"judge": "0 + C(judge)", "item": "0 + C(item)"}
            model = smf.mixedlm("value ~ 1", long, groups="all", vc_formula=parts, re_formula="0")
            return model.fit(reml=True)

    yield Race(
        f"crossed mixed model, {items} items × 4 judgments",
        "statsmodels",
        lambda: fit_crossed(panel.values, panel.judges, panel.items),
        theirs,
    )


RACES = (alphas, alpha_bootstraps, kappas, iccs, permutations, bradley_terry, mixed_models)


def seconds(run: Run) -> float:
    """How long it takes."""
    start = perf_counter()
    run()
    return perf_counter() - start


def raced(race: Race) -> str:
    """A line of the table: both times and their ratio."""
    race.ours()  # whatever is made once is made
    first = seconds(race.theirs)
    turns = 1 if first > SLOW else TURNS
    times = [
        (seconds(race.ours), first if turns == 1 else seconds(race.theirs)) for _ in range(turns)
    ]
    ours, theirs = (median(column) for column in zip(*times, strict=True))
    ratio = theirs * race.times / ours
    return f"| {race.what} | {race.peer} | {_spoken(theirs)} | {_spoken(ours)} | {ratio:,.0f}× |"


def _spoken(time: float) -> str:
    return f"{time:.2f} s" if time >= 1 else f"{1000 * time:.2f} ms"


COMMANDS = {
    "agreement": (),
    "diagnose": (),
    "systems": (),
    "preferences": (),
    "bias": ("--group", "group"),
    "fatigue": (),
    "time": (),
}


def write_judgments(path: Path, rows: int, points: int) -> None:
    """Ten judgments of every item by a hundred judges, ten systems, twenty segments a document."""
    panel = Panel.of(rows // 10, 10, 100, points)
    rng = np.random.default_rng(2)
    items = panel.items
    frame = panel.frame().with_columns(
        system=pl.Series(items % 10).cast(pl.String),
        segment=pl.Series(items // 10).cast(pl.String),
        document=pl.Series(items // 200).cast(pl.String),
        group=pl.Series(panel.judges % 4).cast(pl.String),
        seconds=pl.Series(np.round(rng.gamma(3, 8, len(items)), 2)),
    )
    frame.write_csv(path)


def write_preferences(path: Path, rows: int) -> None:
    """Ten comparisons of every pair shown, by a hundred judges."""
    rng = np.random.default_rng(3)
    item = np.repeat(np.arange(rows // 10), 10)
    first = item % 10
    second = (first + 1 + item // 10 % 9) % 10
    outcome = np.array(["a", "b", "tie"])[rng.choice(3, rows, p=[0.45, 0.35, 0.2])]
    pl.DataFrame(
        {
            "judge": pl.Series(rng.integers(0, 100, rows)).cast(pl.String),
            "item": pl.Series(item).cast(pl.String),
            "system_a": pl.Series(first).cast(pl.String),
            "system_b": pl.Series(second).cast(pl.String),
            "outcome": outcome,
        }
    ).write_csv(path)


def commanded(command: str, file: Path) -> tuple[float, float]:
    """Seconds and gigabytes of a command, in a process of its own."""
    measured = (
        "import resource, subprocess, sys, time; start = time.perf_counter();"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss;"
        "print(done.returncode, time.perf_counter() - start, used)"
    )
    line = [sys.executable, "-m", "jurat", command, str(file), *COMMANDS[command], "--json"]
    told = subprocess.run(
        [sys.executable, "-c", measured, *line], capture_output=True, text=True, check=True
    )
    status, took, kilobytes = told.stdout.split()
    assert status == "0", told.stderr
    return float(took), float(kilobytes) / 1e6


def commands(quick: bool, folder: Path) -> None:
    """Every command with 1,000 bootstraps, and how its time grows."""
    sizes = (2_000, 20_000) if quick else (100_000, 1_000_000)
    head = " | ".join(f"{size:,}" for size in sizes)
    print(f"\n| command, 1,000 bootstraps | scale | {head} | memory |\n|---|---|---|---|---|")
    for command in COMMANDS:
        scales = (7, 101) if command in ("agreement", "diagnose", "systems") else (7,)
        for points in scales:
            told = []
            for size in sizes:
                file = folder / f"{command == 'preferences'}-{points}-{size}.csv"
                if not file.exists() and command == "preferences":
                    write_preferences(file, size)
                elif not file.exists():
                    write_judgments(file, size, points)
                told.append(commanded(command, file))
            times = " | ".join(f"{took:.1f} s" for took, _ in told)
            scale = "pairs" if command == "preferences" else f"{points} points"
            print(f"| jurat {command} | {scale} | {times} | {told[-1][1]:.2f} GB |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small round of everything")
    parser.add_argument("--races-only", action="store_true", help="leave the commands out")
    options = parser.parse_args()
    print("| what | peer | the peer's time | Jurat's | ratio |\n|---|---|---|---|---|")
    for races in RACES:
        for race in races(options.quick):
            print(raced(race), flush=True)
    if options.races_only:
        return
    with tempfile.TemporaryDirectory() as folder:
        commands(options.quick, Path(folder))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"\nthis process: {used:.2f} GB at most")


if __name__ == "__main__":
    main()
