"""`jurat protocols` as a user meets it."""

import json

from tests.cli.run_command import jurat


def test_list_names_every_protocol_and_what_it_asks():
    from jurat import protocols

    told = json.loads(jurat("protocols", "list", "--json").stdout)
    assert [row["name"] for row in told] == list(protocols.names())
    assert all(row["about"] and row["title"] and len(row["version"]) == 12 for row in told)


def test_show_is_what_a_judge_reads():
    shown = jurat("protocols", "show", "tapet-adequacy").stdout
    assert "How much of the meaning expressed in the reference translation" in shown
    assert "Order: 7-yes > 7-no > 6-yes > 6-no > 5-yes > 5-no > 4 > 3 > 2 > 1" in shown
    assert "Decisions are final." in shown


def test_show_as_a_file_to_start_from(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text(jurat("protocols", "show", "heval", "--yaml").stdout)
    done = jurat("protocols", "check", str(mine))
    assert done.returncode == 0
    assert "asks 11 questions" in done.stdout


def test_check_lists_every_fault_with_its_line(tmp_path):
    text = jurat("protocols", "show", "tapet-adequacy", "--yaml").stdout
    mine = tmp_path / "mine.yaml"
    mine.write_text(text.replace("kind: scale", "kind: scael") + "advance: kits\ncolour: red\n")
    done = jurat("protocols", "check", str(mine))
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    number = 1 + text.splitlines().index(next(x for x in text.splitlines() if "kind: scale" in x))
    assert any(f"mine.yaml:{number}," in x and "did you mean 'scale'?" in x for x in lines)
    assert any("'kits' is not allowed here; allowed: item, kit" in x for x in lines)
    assert any("unknown field 'colour'" in x for x in lines)
    assert lines[-1] == "3 problems to fix"


def test_faults_of_parts_and_of_the_whole_come_together(tmp_path):
    text = jurat("protocols", "show", "tapet-adequacy", "--yaml").stdout
    broken = text.replace("kind: choice", "kind: choise")
    broken = broken.replace("when: adequacy >= 5", "when: adequcy >= 5")
    broken = broken.replace("- adequacy\n", "- adeqacy\n").replace("- adequacy: 4", "- adequac: 4")
    (tmp_path / "mine.yaml").write_text(broken)
    done = jurat("protocols", "check", "mine.yaml", cwd=tmp_path)
    for words in ("choise", "adequcy", "adeqacy", "'adequac' is not a question"):
        assert words in done.stderr
    numbers = [int(line.split(":")[1].split(",")[0]) for line in done.stderr.splitlines()[:-1]]
    assert numbers == sorted(numbers)
    assert len(numbers) == 4
