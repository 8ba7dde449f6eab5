"""`make calibration`: what it counts, what it keeps, and a few of its cells."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchmarks import calibration
from benchmarks.simulations.claims import Kind, Reading
from benchmarks.simulations.designs import (
    SCALES,
    AdaptiveCampaign,
    Campaign,
    Ratings,
    Rng,
)
from benchmarks.simulations.grid import cells
from benchmarks.simulations.studies import planning
from benchmarks.simulations.studies.agreement import Agreement
from benchmarks.simulations.studies.judges import EqualJudges, Fatigue
from benchmarks.simulations.studies.systems import Systems
from benchmarks.simulations.study import Study
from benchmarks.simulations.tally import Mark, Tally, count, load


@dataclass(frozen=True, kw_only=True)
class Coin(Study):
    """A claim that is wrong in a known share of campaigns, and sometimes refused."""

    folders = ("systems",)
    section = "coin"
    kind: Kind = "alarm"
    share: float = 0.02
    refused: float = 0.0

    def columns(self) -> Mapping[str, object]:
        return {"share": self.share}

    def readings(self, rng: Rng) -> Iterator[Reading]:
        refused, wrong = rng.random() < self.refused, rng.random() < self.share
        yield Reading("coin", self.kind, None if refused else float(wrong))


@pytest.mark.parametrize(
    ("share", "warned", "mark"),
    [(0.05, False, ""), (0.30, False, "MISS"), (0.30, True, "said"), (0.005, False, "low")],
)
def test_a_share_outside_the_bar_is_marked(share: float, warned: bool, mark: Mark) -> None:
    tally = Tally(kind="test")
    for number in range(1000):
        tally.add(Reading("p", "test", float(number < 1000 * share), warned))
    assert tally.mark == mark
    assert tally.found == pytest.approx(share)
    assert tally.error == pytest.approx(np.sqrt(share * (1 - share) / 1000), rel=0.1)


def test_few_campaigns_outside_the_bar_leave_it_open() -> None:
    tally = Tally(kind="interval")
    for held in [1.0] * 45 + [0.0] * 5:
        tally.add(Reading("interval", "interval", held))
    assert tally.mark == "?"


def test_the_smallest_designs_have_a_lower_bar() -> None:
    assert Tally(kind="interval", smallest=True).bar == (0.91, 0.97)
    assert Tally(kind="interval").bar == (0.93, 0.97)


def test_refusals_are_counted_apart() -> None:
    record = calibration.batch(Coin(share=0.5, refused=0.3), 0, 400)
    tally = record.claims["coin"]
    assert tally.runs == 400
    assert tally.refused / 400 == pytest.approx(0.3, abs=0.07)
    assert tally.found == pytest.approx(0.5, abs=0.1)


def test_a_run_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"

    def run(batches: int) -> Tally:
        records = load(kept)
        schedule = calibration.Schedule([Coin()], records, batches=batches, minutes=1)
        calibration.run(schedule, size=20, jobs=1, kept=kept)
        return load(kept)[Coin().name].claims["coin"]

    first, again, more = run(2), run(2), run(3)
    assert first == again
    assert (first.runs, more.runs) == (40, 60)
    whole = dict[str, Tally]()
    for number in range(3):
        for name, tally in calibration.batch(Coin(), number, 20).claims.items():
            whole.setdefault(name, Tally(kind="alarm")).join(tally)
    assert more == whole["coin"]


def test_a_cell_of_other_code_starts_anew(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    old = calibration.batch(Coin(), 0, 20)
    old.code = "another"
    schedule = calibration.Schedule([Coin()], {Coin().name: old}, batches=1, minutes=1)
    calibration.run(schedule, size=20, jobs=1, kept=kept)
    assert load(kept)[Coin().name].claims["coin"].runs == 20


def test_cells_that_never_ran_come_first() -> None:
    new, stale, done = (Coin(share=share) for share in (0.1, 0.2, 0.3))
    records = {study.name: calibration.batch(study, 0, 20) for study in (stale, done)}
    records[stale.name].code = "another"
    schedule = calibration.Schedule([done, stale, new], records, batches=2, minutes=1)
    first = [study for study, _ in schedule][:3]
    assert first == [new, stale, new]


def test_the_page_tells_which_code_was_measured(tmp_path: Path) -> None:
    old, lacking = Coin(share=0.3), Coin(share=0.1)
    record = calibration.batch(old, 0, 20)
    record.commit, record.code = "abc", "another"
    calibration.write_page({old.name: record}, [old, lacking], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text()
    assert "| abc | 1 | coin | 1 |" in text
    assert "Not run: 1 of coin." in text
    told = "(1 cell, 1 with code that has changed since): not looked into yet."
    assert "- **coin** of `coin`" in text
    assert told in text


def test_an_undecided_cell_gets_more_campaigns(tmp_path: Path) -> None:
    study = Coin(kind="test", share=0.08)
    schedule = calibration.Schedule([study], {}, batches=1, minutes=1)
    calibration.run(schedule, size=50, jobs=1, kept=tmp_path / "kept.json")
    assert schedule.records[study.name].batches > 1


def test_cells_have_names_of_their_own() -> None:
    names = [study.name for study in cells()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("scale", SCALES)
def test_true_means_are_those_of_a_large_campaign(scale: str) -> None:
    design = Campaign(scale=scale, step=0.5, systems=2, interaction=0.4, taste=0.3)
    frame = design.population().frame(np.random.default_rng(1))
    found = frame.group_by("system").agg(pl.col("value").mean()).sort("system")["value"]
    assert found.to_numpy() == pytest.approx(design.means, rel=0.02, abs=0.02)


def test_adaptive_choice_misleads_an_unweighted_mean_alone() -> None:
    design = AdaptiveCampaign(documents=4000, interaction=0.4, systems=2)
    frame = design.frame(np.random.default_rng(1))
    means = frame.group_by("system").agg(pl.col("value").mean()).sort("system")["value"]
    weight = 1 / pl.col("probability")
    mean = (pl.col("value") * weight).sum() / weight.sum()
    weighted = frame.group_by("system").agg(mean).sort("system")["value"]
    assert means[1] - means[0] > 0.2
    assert weighted[1] - weighted[0] == pytest.approx(0, abs=0.06)


def test_ratings_agree_as_often_as_asked() -> None:
    design = Ratings(scale="continuous", agreement=0.6, judges=2).population()
    rated = design.frame(np.random.default_rng(1)).pivot("judge", index="item", values="value")
    assert np.corrcoef(rated["j0"], rated["j1"])[0, 1] == pytest.approx(0.6, abs=0.01)


@pytest.mark.parametrize("section", sorted({study.section for study in cells()}))
def test_every_command_can_be_measured(monkeypatch, section: str) -> None:
    monkeypatch.setattr(planning, "REFERENCE", 100)
    study = next(study for study in cells() if study.section == section)
    found = dict[str, Tally]()
    count(study.readings(np.random.default_rng(1)), found, smallest=False)
    assert found


# A few cells of the grid that misled before: whole documents and judges share what is counted.
SMALL: dict[str, tuple[Study, ...]] = {
    "systems": (
        Systems(design=Campaign(documents=10, judges=6, interaction=0.4, taste=0.3)),
        Systems(design=Campaign(layout="nested", interaction=0.4, taste=0.3)),
        Systems(design=Campaign(layout="spread", interaction=0.4)),
    ),
    "agreement": (Agreement(design=Ratings(items=20, judges=4, scale="3 points")),),
    "diagnose": (EqualJudges(design=Campaign(severity=0.0, systems=2, scale="5 points")),),
    "fatigue": (Fatigue(order="same"), Fatigue(judges=12, order="shuffled")),
}


@pytest.mark.parametrize(
    "study", [s for some in SMALL.values() for s in some], ids=lambda s: s.name
)
def test_no_claim_is_far_outside_the_bar(study: Study) -> None:
    """Forty campaigns tell a claim that errs in a quarter of them from one that errs in 5 %."""
    found = calibration.batch(study, 0, 40).claims
    assert [name for name, tally in found.items() if tally.mark == "MISS"] == []
