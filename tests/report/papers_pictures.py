"""Draws the pictures of docs/papers.md: figures of a report on judgments that are made up."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import polars as pl

from jurat.protocols import load
from tests.cli.run_command import jurat

IMAGES = Path(__file__).parents[2] / "docs" / "images" / "papers"
# The report's figures that are counterparts of the papers', by the names of their files.
PICTURES = (
    "agreement-n-agreement",
    "judges-judge-mean",
    *("judges-judge-distance", "judges-outliers", "judges-outlier-overlap"),
    *("judges-removal-score", "metaeval-metric-spearman", "metaeval-metric-consistency"),
    *("metaeval-metric-scale", "metaeval-metric-pairs-share", "metaeval-metric-threshold"),
    *("time-seconds-of-judge", "bias-cohen-kappa", "bias-group-mean"),
    *("fatigue-slice-agreement", "fatigue-slice-sd"),
)
# Those that need two questions.
TWO = ("systems-score-correlation", "agreement-z-r2")
HEVAL_PICTURES = (
    *("heval-heval-score", "heval-heval-feature", "heval-system-best-count"),
    *("heval-heval-score-document", "heval-heval-correlation"),
)
# Asked beside the features, as adequacy and fluency in the paper.
OTHER_QUESTIONS = ("adequacy", "readability")
SYSTEMS = {"alder": 5.6, "birch": 5.0, "cedar": 4.2, "elm": 3.4}
JUDGES = 12
SEGMENTS = 60


def judged(random: Random) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Judgments of adequacy and fluency in groups, and scores of three metrics."""
    hard = [random.gauss(0, 0.8) for _ in range(SEGMENTS)]
    rows, scores = [], []
    for n, segment in enumerate(hard):
        place = {"document": f"d{n // 6:02}", "segment": str(n)}
        for system, mean in SYSTEMS.items():
            quality = mean - segment + random.gauss(0, 0.7)
            metrics = {"bleu": 0.09, "chrf": 0.07, "ter": -0.08}
            noisy = {
                m: f"{0.5 + k * (quality - 4 + random.gauss(0, 1.5)):.3f}"
                for m, k in metrics.items()
            }
            scores.append({**place, "system": system, **noisy})
            rows += [_row(random, judge, place, system, quality) for judge in range(JUDGES)]
    order = sorted(rows, key=lambda row: (row["judge"], int(row["segment"]), row["system"]))
    for n, row in enumerate(order):
        row["position"] = str(n % (SEGMENTS * len(SYSTEMS)) + 1)
    return pl.DataFrame(order), pl.DataFrame(scores)


def _row(
    random: Random, judge: int, place: dict[str, str], system: str, quality: float
) -> dict[str, str]:
    # two judges are strict, one answers at random
    severe = -1.2 if judge in (3, 7) else 0.0
    felt = random.uniform(1, 7) if judge == 9 else quality + severe + random.gauss(0, 0.8)
    fluent = felt + random.gauss(0.3, 0.6)
    return {
        "judge": f"judge{judge:02}",
        **place,
        "system": system,
        "adequacy": str(min(max(round(felt), 1), 7)),
        "fluency": str(min(max(round(fluent), 1), 7)),
        "seconds": f"{random.lognormvariate(3.2, 0.6):.1f}",
        "seen": ("A", "B", "source")[judge % 3],
    }


def profiled(random: Random) -> pl.DataFrame:
    """Answers of three judges to the questions of HEval, and to two others."""
    features = [*load("heval").questions, *OTHER_QUESTIONS]
    rows = []
    for judge in range(3):
        for segment in range(40):
            for system, mean in SYSTEMS.items():
                felt = mean - 2.2 + random.gauss(0, 0.4)
                answers = {f: str(min(max(round(random.gauss(felt, 0.8)), 0), 4)) for f in features}
                place = {"document": f"d{segment // 5}", "segment": str(segment)}
                rows.append({"judge": f"judge{judge}", **place, "system": system, **answers})
    return pl.DataFrame(rows)


def draw(out: Path) -> None:
    """Write all pictures to a folder."""
    random = Random(2008)
    with TemporaryDirectory() as name:
        folder = Path(name)
        table, scores = judged(random)
        table.write_csv(folder / "judged.csv")
        scores.write_csv(folder / "scores.csv")
        profiled(random).write_csv(folder / "heval.csv")
        features = ",".join([*load("heval").questions, *OTHER_QUESTIONS])
        given = ("--columns", "value=adequacy", "--group", "seen", "--scores", "scores.csv")
        _report(folder, "judged.csv", *given)
        table.write_csv(folder / "both.csv")
        _report(folder, "both.csv", "--questions", "adequacy,fluency", "--bootstrap", "0")
        _report(folder, "heval.csv", "--questions", features)
        out.mkdir(exist_ok=True)
        for report, pictures in (("judged", PICTURES), ("both", TWO), ("heval", HEVAL_PICTURES)):
            for picture in pictures:
                drawn = (folder / report / f"{picture}.svg").read_bytes()
                (out / f"{picture}.svg").write_bytes(drawn)


def _report(folder: Path, file: str, *given: str) -> None:
    stem = file.removesuffix(".csv")
    written = ("--bootstrap", "100", "--out", f"{stem}.html", "--paper", stem)
    ran = jurat("report", file, *written, *given, cwd=folder)
    assert ran.returncode == 0, ran.stderr


if __name__ == "__main__":
    draw(IMAGES)
