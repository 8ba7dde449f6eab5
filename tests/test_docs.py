"""Every command and example in the documentation does what the page shows."""

import os
from pathlib import Path

import pytest

from tests import ROOT
from tests.docs_runner import BrokenPromise, Stage, agrees, blocks

FIRST = ROOT / "README.md"
PAGES = [FIRST, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += sorted((ROOT / "docs" / "questions").glob("*.md"))


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A place to play a page, for its commands and for the Python in this process alike."""
    stage = Stage(tmp_path)
    monkeypatch.chdir(stage.directory)
    for name, value in stage.environment.items():
        monkeypatch.setenv(name, value)
    return stage


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page(path: Path, stage: Stage) -> None:
    stage.apart = path == FIRST
    stage.play(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))


def fenced(text: str, language: str = "console") -> str:
    return f"```{language}\n{text}\n```\n"


KEPT = {
    "output": "$ echo one; echo two\none\ntwo",
    "several commands": "$ echo one\none\n$ echo two\ntwo",
    "no output shown": "$ echo whatever",
    "trailing blanks": "$ echo 'one  '\none",
    "empty lines within": "$ printf 'one\\n\\ntwo\\n'\none\n\ntwo",
    "any lines": "$ seq 9\n1\n…\n9",
    "no lines for any lines": "$ seq 2\n1\n…\n2",
    "any characters": "$ echo took 3.1 s\ntook … s",
    "signs are not patterns": "$ echo 'a.b (c) [d]*'\na.b (c) [d]*",
    "errors are shown too": "$ echo oops >&2\noops",
    "a long command": "$ echo one \\\n> two\none two",
    "known targets": "$ make test ARGS='-k one'\n$ make\n$ make lint format  # both",
    "a clone": "$ git clone somewhere/far",
    "an installation": "$ pip install 'jurat[all]'",
    "new home": '$ test "$HOME" = "$XDG_CACHE_HOME" && test -z "$(ls)" && ls -d "$HOME"',
    "plain terminal": "$ echo $NO_COLOR $COLUMNS\n1 100",
    "the environment's programs": "$ python -c 'import jurat'",
    "our own output": "$ jurat --version\njurat, version …",
    "our own files": "$ jurat sample new\n$ ls new\ncampaign.yaml\n…",
    "our own signs": "$ jurat sample \\\n> 'a & b (c)'\n$ ls -d 'a & b (c)'",
    "our own words": "$ jurat sample 'a new one'\n$ ls -d 'a new one'",
}

BROKEN = {
    "other output": "$ echo one\ntwo",
    "more output": "$ echo one; echo two\none",
    "less output": "$ echo one\none\ntwo",
    "no output": "$ true\none",
    "signs as patterns": "$ echo abc\na.c",
    "other characters around any": "$ echo took 3.1 h\ntook … s",
    "any characters over lines": "$ echo a; echo b\na…b",
    "our other output": "$ jurat --version\nsomething else",
    "our failure": "$ jurat nonsense",
    "failure": "$ exit 3",
    "failure in a pipe": "$ false | cat",
    "failure before the last": "$ false\n$ true",
    "unknown target": "$ make nonsense",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_promise_is_kept(text: str, stage: Stage) -> None:
    stage.play("page", fenced(text))


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_promise_is_broken(text: str, stage: Stage) -> None:
    with pytest.raises(BrokenPromise, match="page:1"):
        stage.play("page", fenced(text))


@pytest.mark.parametrize(("code", "kept"), [(2, True), (0, False), (1, False)])
def test_exit_code_is_that_of_the_last_command(code: int, kept: bool, stage: Stage) -> None:
    page = f"<!-- exit: {code} -->\n\n" + fenced("$ true\n$ echo no; exit 2\nno")
    if kept:
        stage.play("page", page)
    else:
        with pytest.raises(BrokenPromise, match="exit code 2"):
            stage.play("page", page)


def test_our_own_errors_are_shown_too(stage: Stage) -> None:
    stage.play("page", "<!-- exit: 2 -->\n" + fenced("$ jurat nonsense\njurat: …nonsense…\n…"))


def test_exit_code_is_only_for_the_next_block(stage: Stage) -> None:
    page = "<!-- exit: 1 -->\n" + fenced("$ false") + "\n" + fenced("$ false")
    with pytest.raises(BrokenPromise, match="page:6"):
        stage.play("page", page)


@pytest.mark.parametrize(
    "file",
    [
        "```yaml title=in/new.yaml\na: 1\n```\n",
        '```yaml title="in/new.yaml"\na: 1\n```\n',
        "<!-- file: in/new.yaml -->\n```yaml\na: 1\n```\n",
        "<!-- file: in/new.yaml -->\n\n```python\na: 1\n```\n",
    ],
)
def test_file_is_written_for_what_follows(file: str, stage: Stage) -> None:
    stage.play("page", file + fenced("$ cat in/new.yaml\na: 1"))


def test_python_shares_namespace_and_directory_with_the_page(stage: Stage) -> None:
    reading = "from pathlib import Path\nassert x + int(Path('three').read_text()) == 5"
    page = [fenced("x = 2", "python"), fenced("$ echo 3 > three"), fenced(reading, "python")]
    stage.play("page", "".join(page))


def test_python_that_is_wrong_shows_its_line(stage: Stage) -> None:
    with pytest.raises(AssertionError) as caught:
        stage.play("page", "\n\n" + fenced("x = 1\nassert x == 2", "python"))
    last = caught.traceback[-1]
    assert (str(last.path), last.lineno + 1) == ("page", 5)


def test_a_dialogue_shows_what_python_prints(stage: Stage) -> None:
    page = ">>> x = 2\n>>> for n in range(x):\n...     print(n)\n0\n1\n>>> x / 3\n0.6…"
    stage.play("page", fenced(page, "pycon"))
    with pytest.raises(BrokenPromise, match="page:3"):
        stage.play("page", fenced(">>> x = 2\n>>> x\n3", "pycon"))


def test_python_sees_the_new_home(stage: Stage) -> None:
    stage.play("page", fenced("import os\nhome = os.environ['HOME']", "python"))
    assert stage.namespace["home"] == str(stage.home) == os.environ["HOME"]


def test_other_blocks_are_left_alone(stage: Stage) -> None:
    stage.play("page", fenced("$ false", "text") + fenced("$ false", "") + "    $ false\n")


def test_blocks_in_lists_and_longer_fences() -> None:
    page = "1. do\n   ```console\n   $ true\n   ```\n````markdown\n```console\n````\n"
    assert [block.text for block in blocks(page)] == ["$ true\n", "```console\n"]


def test_nothing_shown_agrees_only_with_nothing() -> None:
    assert agrees([], "")
    assert not agrees([], "something")
