"""The extras: the table of their modules is complete, and a missing one is named."""

import ast
import json
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from jurat.cli import serve
from jurat.cli._common.extras import MODULES, PURPOSES, missing_extra
from jurat.errors import input_error
from jurat.metrics import metrics
from jurat.metrics._kernels import are_compiled
from jurat.metrics.metric import Metric
from jurat.registry import guarded
from jurat.store import Store
from tests import ROOT
from tests.cli.run_command import jurat
from tests.store.test_backup_archive import fill

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
BRINGS = packages_distributions()


def packages(requirements: list[str]) -> set[str]:
    names = {Requirement(text).name for text in requirements} - {"jurat"}
    return set(map(canonicalize_name, names))


def brought_by(module: str) -> set[str]:
    return {canonicalize_name(name) for name in BRINGS.get(module, ())}


@pytest.mark.parametrize("extra", MODULES)
def test_the_table_is_that_of_pyproject(extra):
    told = packages(PROJECT["optional-dependencies"][extra])
    assert {name for module in MODULES[extra] for name in brought_by(module) & told} == told


def test_all_is_every_extra_that_a_command_needs():
    (everything,) = map(Requirement, PROJECT["optional-dependencies"]["all"])
    assert everything.name == "jurat"
    assert everything.extras == set(MODULES) == set(PURPOSES)


def foreign_modules() -> Iterator[tuple[str, str]]:
    """Every module of another package that a file of Jurat's imports."""
    for path in sorted((ROOT / "src" / "jurat").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for name in {name.partition(".")[0] for name in names}:
                if name not in sys.stdlib_module_names and name != "jurat":
                    yield name, str(path.relative_to(ROOT))


# What only callers reach who have it already: a notebook, or somebody who asks for such a frame.
OF_CALLERS = {"IPython", "pandas"}


def test_every_import_is_declared():
    base = packages(PROJECT["dependencies"])
    optional = {module for modules in MODULES.values() for module in modules}
    undeclared = {
        f"{path}: {name}"
        for name, path in foreign_modules()
        if name not in optional | OF_CALLERS and not brought_by(name) & base
    }
    assert not undeclared


@pytest.mark.parametrize(
    ("module", "extra"),
    [("sqlalchemy.orm", "web"), ("Stemmer", "metrics"), ("psycopg", "postgres"), ("tables", None)],
)
def test_the_extra_of_a_missing_module(module, extra):
    assert missing_extra(ModuleNotFoundError(f"no {module}", name=module)) == extra


def test_the_cause_of_another_error_counts():
    def load() -> None:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    with pytest.raises(ValueError, match="numba") as caught:
        guarded(load, "the module 'x'")
    assert missing_extra(caught.value) == "metrics"
    assert missing_extra(input_error("something else")) is None


def test_a_command_says_which_extra_it_misses(monkeypatch):
    def callback(**_: object) -> None:
        raise ModuleNotFoundError("No module named 'sqlalchemy'", name="sqlalchemy")

    monkeypatch.setattr(serve.command, "callback", callback)
    done = jurat("serve")
    line = "jurat: serve needs the extra 'web': pip install 'jurat[web]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)


def test_another_missing_module_is_an_error_of_ours(monkeypatch):
    def callback(**_: object) -> None:
        raise ModuleNotFoundError("No module named 'jurat.nothing'", name="jurat.nothing")

    monkeypatch.setattr(serve.command, "callback", callback)
    with pytest.raises(ModuleNotFoundError):
        jurat("serve")


def test_a_store_is_checked_and_recovered(tmp_path):
    store = tmp_path / "jurat.db"
    with Store.open(str(store)) as made:
        fill(made)
    checked = jurat("doctor", "--store", str(store), "--json", cwd=tmp_path)
    assert checked.returncode == 0
    assert {"integrity", "space", "permissions", "log", "clock", "write"} <= {
        one["what"] for one in json.loads(checked.stdout)
    }
    recovered = jurat("doctor", "--store", str(store), "--recover", "new.db", cwd=tmp_path)
    assert recovered.returncode == 0
    with Store.open(str(tmp_path / "new.db"), create=False) as made:
        assert [one.name for one in made.campaigns()] == ["news"]
    assert jurat("doctor", "--recover", "other.db", cwd=tmp_path).returncode == 2


def test_a_store_on_postgresql_is_checked(database, tmp_path):
    Store.open(database).close()
    checked = jurat("doctor", "--store", database, "--json", cwd=tmp_path)
    found = {one["what"]: one["state"] for one in json.loads(checked.stdout)}
    assert {"clock", "connections", "schema", "server"} <= {*found}
    # the server of the tests does without, to be quick
    assert checked.returncode == int("wrong" in found.values())
    absent = jurat("doctor", "--store", "postgresql://127.0.0.1:1/none", cwd=tmp_path)
    assert absent.returncode == 1
    assert "does not answer" in " ".join(absent.stdout.split())


def test_prepare_scores_a_sentence_with_every_metric(monkeypatch):
    scored: list[str] = []
    count_all = Metric.count_all

    def watched(self, *given, **options):
        scored.append(self.name)
        return count_all(self, *given, **options)

    monkeypatch.setattr(Metric, "count_all", watched)
    done = jurat("doctor", "--prepare")
    assert (done.returncode, done.stdout) == (0, f"{len(scored)} metrics are compiled\n")
    assert scored == [kind.name for kind in metrics()]
    assert are_compiled()
