"""A campaign's whole life on the command line, on both databases, and every misuse of it."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from tests.cli.run_command import jurat


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path):
    return (
        str(tmp_path / "jurat.db")
        if request.param == "sqlite"
        else request.getfixturevalue("database")
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert jurat("sample", "try-out", cwd=tmp_path).returncode == 0
    return tmp_path


def good(*arguments: str, cwd: Path) -> str:
    done = jurat(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*arguments: str, cwd: Path, status: int = 2) -> str:
    done = jurat(*arguments, cwd=cwd)
    assert done.returncode == status, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done.stderr


def test_from_files_to_an_archive_opened_elsewhere(url, folder):
    store = ("--store", url)
    assert "34 kits" in good("campaign", "create", "try-out/campaign.yaml", *store, cwd=folder)
    assert "cannot be finished" in jurat("campaign", "audit", "sample", *store, cwd=folder).stdout
    good("judges", "add", "sample", "--count", "12", "--out", "slips.csv", *store, cwd=folder)
    slips = pl.read_csv(folder / "slips.csv")
    assert slips["pin"].n_unique() == 12
    good("campaign", "audit", "sample", *store, cwd=folder)
    first = str(slips["pin"][0])
    good("judges", "message", "sample", "Welcome!", "--to", first, *store, cwd=folder)
    (sent,) = json.loads(good("judges", "message", "sample", "--json", *store, cwd=folder))
    assert (sent["judge"], sent["text"], sent["dismissed"]) == (first, "Welcome!", [])
    assert good("campaign", "start", "sample", *store, cwd=folder).count("started") == 4
    told = good("bots", "sample", "--judges", "12", "--seed", "1", *store, cwd=folder)
    assert "904 judgments by 12 simulated judges" in told
    shown = json.loads(good("campaign", "show", "sample", "--json", *store, cwd=folder))
    for phase in shown["progress"]["phases"]:
        assert phase["phase"] == "tutorial" or phase["done"] == phase["wanted"]
    good("export", "sample", "--out", "j.parquet", *store, cwd=folder)
    judged = pl.read_parquet(folder / "j.parquet").filter(pl.col("phase") == "evaluation")
    once = judged.filter(pl.col("control").is_null(), pl.col("question") == "adequacy")
    assert once.group_by("item").len()["len"].unique().to_list() == [2]
    assert once.group_by("item").agg(pl.col("judge").n_unique())["judge"].unique().to_list() == [2]
    means = once.group_by("system").agg(pl.col("value").mean()).sort("value", descending=True)
    assert means["system"].to_list() == ["cedar", "birch", "willow", "bramble"]
    preferred = pl.read_parquet(folder / "j.preferences.parquet")
    assert preferred.filter(pl.col("phase") == "evaluation").height == 288
    good("campaign", "archive", "sample", "sample.zip", *store, cwd=folder)
    good("campaign", "open", "sample.zip", "--store", "elsewhere.db", cwd=folder)
    good("export", "sample", "--out", "again.parquet", "--store", "elsewhere.db", cwd=folder)
    # the campaign and its archive give the same files for another tool
    good("export", "sample", "--out", "live.jsonl", "--to", "pearmut", *store, cwd=folder)
    good("convert", "sample.zip", "archived.jsonl", "--to", "pearmut", cwd=folder)
    lines = [(folder / name).read_text() for name in ("live.jsonl", "archived.jsonl")]
    assert lines[0] == lines[1]
    assert lines[0].count("\n") > 400
    assert pl.read_parquet(folder / "again.parquet").equals(pl.read_parquet(folder / "j.parquet"))
    good("backup", "all.zip", *store, cwd=folder)
    assert "restored: sample" in good("restore", "all.zip", "--store", "third.db", cwd=folder)
    assert "elsewhere" not in refused("restore", "all.zip", *store, cwd=folder)
    for secret in ("slips.csv", "sample.zip", "all.zip"):
        assert (folder / secret).stat().st_mode & 0o777 == 0o600
    assert (folder / "j.parquet").stat().st_mode & 0o077


def test_the_same_seed_gives_the_same_judgments(folder):
    for store in ("a.db", "b.db"):
        good("campaign", "create", "try-out/campaign.yaml", "--store", store, cwd=folder)
        good("judges", "add", "sample", "--count", "8", "--store", store, cwd=folder)
        good("campaign", "start", "sample", "--store", store, cwd=folder)
        good("bots", "sample", "--judges", "10", "--seed", "5", "--store", store, cwd=folder)
        good("export", "sample", "--out", f"{store}.csv", "--store", store, cwd=folder)
    first, second = (pl.read_csv(folder / f"{name}.csv") for name in ("a.db", "b.db"))
    same = ["item", "question", "value", "label", "position", "kit"]
    assert first.select(same).equals(second.select(same))


def test_only_their_own_decisions_are_counted(folder):
    good("campaign", "create", "try-out/campaign.yaml", "--store", "j.db", cwd=folder)
    good("judges", "add", "sample", "--count", "8", "--store", "j.db", cwd=folder)
    good("campaign", "start", "sample", "--store", "j.db", cwd=folder)
    bots = ("bots", "sample", "--judges", "8", "--store", "j.db")
    assert "\n" in good(*bots, cwd=folder)
    assert "sample: 0 judgments by 8 simulated judges" in good(*bots, cwd=folder)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    good("sample", "try-out", cwd=folder)
    good("campaign", "create", "try-out/campaign.yaml", "--store", "j.db", cwd=folder)
    return folder


@pytest.fixture
def made(template: Path, tmp_path: Path) -> Path:
    """A folder with a store in which the sample campaign stands."""
    shutil.copytree(template, tmp_path / "made")
    return tmp_path / "made"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["campaign", "create", "try-out/campaign.yaml"], "already"),
        (["campaign", "create", "nowhere.yaml"], "nowhere.yaml: there is no such file"),
        (["campaign", "create", "try-out/testset.jsonl"], "testset.jsonl"),
        (["campaign", "show", "smple"], "did you mean 'sample'?"),
        (["campaign", "start", "sample"], "cannot be finished"),
        (["campaign", "start", "sample", "adequac"], "did you mean 'adequacy'?"),
        (["campaign", "stop", "sample", "--phase", "tutoral"], "tutorial"),
        (["campaign", "archive", "nothing", "x.zip"], "there is no campaign 'nothing'"),
        (["campaign", "open", "try-out/campaign.yaml"], "archive"),
        (["judges", "add", "smple"], "did you mean 'sample'?"),
        (["judges", "add", "sample", "--count", "0"], "--count"),
        (["judges", "add", "sample", "--tag", "native"], "NAME=VALUE"),
        (["judges", "reset", "sample", "nobody"], "unknown judge"),
        (["judges", "disable", "sample", "nobody"], "unknown judge"),
        (["bots", "smple"], "did you mean 'sample'?"),
        (["bots", "sample", "--truth", "cedar=good"], "does not give qualities"),
        (["bots", "sample", "--truth", "cedar=0.9"], "lacks the quality of birch, willow, bramble"),
        (["export", "sample", "--out", "j.csv"], "'sample' has no judgments yet"),
        (["export", "smple", "--out", "j.csv"], "did you mean 'sample'?"),
        (["restore", "nowhere.zip"], "nowhere.zip: there is no such file"),
    ],
)
def test_misuse_gets_the_words_one_needs(arguments, words, made):
    assert words in refused(*arguments, "--store", "j.db", cwd=made)


def test_a_store_that_is_not_there_is_not_made_by_looking(folder):
    assert "no.db" in refused("campaign", "show", "sample", "--store", "no.db", cwd=folder)
    assert "no.db" in refused("campaign", "list", "--store", "no.db", cwd=folder)
    assert not (folder / "no.db").exists()


def test_a_store_in_the_home_directory(folder):
    create = ("campaign", "create", "try-out/campaign.yaml", "--store", "~/kept/j.db")
    assert jurat(*create, cwd=folder, home=folder).returncode == 0
    assert (folder / "kept" / "j.db").exists()
    shown = jurat("campaign", "list", "--store", "~/kept/j.db", cwd=folder, home=folder)
    assert "sample" in shown.stdout


def test_a_first_look_finds_nothing_and_makes_nothing(folder):
    listed = jurat("campaign", "list", "--json", cwd=folder, home=folder)
    assert (listed.returncode, listed.stdout.strip()) == (0, "[]")
    assert not (folder / "data").exists()


def test_an_unreachable_server_is_named(folder):
    address = "postgresql://nobody@127.0.0.1:1/none"
    told = refused("campaign", "list", "--store", address, cwd=folder)
    assert "127.0.0.1" in told


def test_faults_of_a_declaration_come_all_at_once_with_lines(folder):
    plan = folder / "try-out" / "campaign.yaml"
    text = plan.read_text().replace("protocol: preference", "protocol: preferance")
    plan.write_text(text.replace("tutorial: tutorial.jsonl", "tutorial: tutoral.jsonl"))
    told = refused("campaign", "create", "try-out/campaign.yaml", "--store", "j.db", cwd=folder)
    assert "did you mean 'preference'?" in told
    assert "tutoral.jsonl: there is no such file" in told
    plan.write_text(text.replace("wanted: 2", "wantd: 2") + "sed: 3\n")
    told = refused("campaign", "create", "try-out/campaign.yaml", "--store", "j.db", cwd=folder)
    assert "did you mean 'wanted'?" in told
    assert "did you mean 'seed'?" in told
    assert "campaign.yaml:" in told


def test_passwords_are_shown_once_and_never_overwritten(made):
    (made / "slips.csv").write_text("precious")
    told = refused("judges", "add", "sample", "--out", "slips.csv", "--store", "j.db", cwd=made)
    assert "--force" in told
    assert (made / "slips.csv").read_text() == "precious"
    listed = json.loads(good("judges", "list", "sample", "--json", "--store", "j.db", cwd=made))
    assert listed == []


def test_reset_and_disable(made):
    store = ("--store", "j.db")
    shown = good(
        "judges", "add", "sample", "--group", "g1", "--tag", "native=yes", *store, cwd=made
    )
    pin, password = shown.splitlines()[1].split()[:2]
    new = good("judges", "reset", "sample", pin, *store, cwd=made).splitlines()[1].split()[1]
    assert new != password
    assert "disabled" in good("judges", "disable", "sample", pin, *store, cwd=made)
    listed = json.loads(good("judges", "list", "sample", "--json", *store, cwd=made))
    assert listed[0]["disabled"]
    assert listed[0]["tags"] == {"native": "yes"}
    good("judges", "disable", "sample", pin, "--enable", *store, cwd=made)
    listed = json.loads(good("judges", "list", "sample", "--json", *store, cwd=made))
    assert not listed[0]["disabled"]


def test_the_declaration_comes_back_as_it_was(made):
    shown = good("campaign", "show", "sample", "--yaml", "--store", "j.db", cwd=made)
    (made / "try-out" / "again.yaml").write_text(shown.replace("name: sample", "name: again"))
    good("campaign", "create", "try-out/again.yaml", "--store", "j.db", cwd=made)
    listed = json.loads(good("campaign", "list", "--json", "--store", "j.db", cwd=made))
    assert [row["name"] for row in listed] == ["sample", "again"]


def test_a_stopped_campaign_tells_why(made):
    store = ("--store", "j.db")
    good("judges", "add", "sample", "--count", "8", *store, cwd=made)
    good("campaign", "start", "sample", *store, cwd=made)
    good("campaign", "stop", "sample", "--reason", "Back on Monday.", *store, cwd=made)
    assert "Back on Monday." in good("bots", "sample", "--judges", "2", *store, cwd=made)
