"""`jurat sample`: files that work, and that are never overwritten unasked."""

from tests.cli.run_command import jurat


def test_it_writes_a_set_that_is_good(tmp_path):
    assert jurat("sample", "try-out", cwd=tmp_path).returncode == 0
    names = sorted(path.name for path in (tmp_path / "try-out").iterdir())
    tables = ["features.csv", "preferences.csv", "ratings.csv", "scores.csv"]
    assert names == ["campaign.yaml", *tables, "testset.jsonl", "tutorial.jsonl"]
    for name in ("testset.jsonl", "tutorial.jsonl"):
        assert jurat("testset", "check", f"try-out/{name}", cwd=tmp_path).returncode == 0


def test_it_keeps_what_is_there(tmp_path):
    (tmp_path / "campaign.yaml").write_text("mine")
    done = jurat("sample", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["campaign.yaml"]
    assert (tmp_path / "campaign.yaml").read_text() == "mine"
    assert jurat("sample", ".", "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "campaign.yaml").read_text() != "mine"
