"""The registry: one file adds a kind, and so does an outside package."""

import importlib
from pathlib import Path
from typing import Any

import pytest

from jurat.errors import InputError
from jurat.registry import Registry
from tests.plugin_packages import install

FOLDER = {
    "zoo/__init__.py": "class Animal:\n    pass\n",
    "zoo/cat.py": (
        "from zoo import Animal\nclass Feline(Animal):\n    pass\n"
        "class Cat(Feline):\n    name = 'cat'\nclass Stone:\n    name = 'stone'\n"
    ),
    "zoo/dog.py": (
        "from zoo import Animal\nfrom zoo.cat import Cat\nclass Dog(Animal):\n    name = 'dog'\n"
    ),
}
OUTSIDE = (
    "from zoo import Animal\nclass Emu(Animal):\n    name = 'emu'\n"
    "class Cat(Animal):\n    name = 'cat'\nclass Nameless(Animal):\n    pass\nnumber = 5\n"
)


def zoo(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    entry_points: dict[str, str] | None = None,
    files: dict[str, str] | None = None,
) -> Registry[Any]:
    offers = {"zoo": entry_points or {}}
    install(place, monkeypatch, files={**FOLDER, **(files or {})}, entry_points=offers)
    return Registry("zoo", importlib.import_module("zoo").Animal, word="animal")


def test_a_folder_offers_its_named_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = zoo(tmp_path, monkeypatch)
    assert list(registry.kinds) == ["cat", "dog"]
    assert [kind.name for kind in registry] == ["cat", "dog"]
    assert registry["cat"].__name__ == "Cat"


def test_one_more_file_is_one_more_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ant = "from zoo import Animal\nclass Ant(Animal):\n    name = 'ant'\n"
    assert list(zoo(tmp_path, monkeypatch, files={"zoo/ant.py": ant}).kinds) == [
        "ant",
        "cat",
        "dog",
    ]


def test_unknown_names_get_a_suggestion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = zoo(tmp_path, monkeypatch)
    with pytest.raises(InputError) as caught:
        registry["dgo"]
    assert str(caught.value) == "unknown animal 'dgo'; allowed: cat, dog; did you mean 'dog'?"


@pytest.mark.parametrize(
    ("target", "names"),
    [("abroad", ["cat", "dog", "emu"]), ("abroad:Emu", ["cat", "dog", "emu"])],
)
def test_an_outside_package_joins(
    target: str, names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = zoo(tmp_path, monkeypatch, entry_points={"x": target}, files={"abroad.py": OUTSIDE})
    assert list(registry.kinds) == names
    assert registry["emu"].__module__ == "abroad"


def test_our_own_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = zoo(
        tmp_path, monkeypatch, entry_points={"x": "abroad"}, files={"abroad.py": OUTSIDE}
    )
    assert registry["cat"].__module__ == "zoo.cat"


@pytest.mark.parametrize(
    "target", ["abroad:number", "abroad:Nameless", "zoo.cat:Stone", "borrower"]
)
def test_an_outside_package_that_offers_something_else(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"abroad.py": OUTSIDE, "borrower.py": "from zoo.cat import Cat"}
    registry = zoo(tmp_path, monkeypatch, entry_points={"x": target}, files=files)
    with pytest.raises(InputError, match=rf"entry point 'x' \({target}\) has no animal"):
        _ = registry.kinds


BROKEN = {
    "a name error": "oops",
    "a syntax error": "class",
    "a missing library": "import no_such_library",
    "its own idea": "raise RuntimeError('not today')",
}


@pytest.mark.parametrize("code", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_named(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = zoo(tmp_path, monkeypatch, files={"zoo/ant.py": code})
    with pytest.raises(InputError, match=r"the module 'zoo\.ant' cannot be loaded: \w+Error: "):
        _ = registry.kinds


@pytest.mark.parametrize("target", ["nowhere", "zoo.nothing", "zoo:Nobody"])
def test_a_broken_entry_point_is_named(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = zoo(tmp_path, monkeypatch, entry_points={"x": target})
    with pytest.raises(InputError, match=rf"entry point 'x' \({target}\) cannot be loaded: "):
        _ = registry.kinds
