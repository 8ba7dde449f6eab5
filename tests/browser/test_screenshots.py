"""The pictures in the documentation: all there, all used, and one of everything. No browser."""

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from jurat import protocols
from jurat.protocols.questions import QUESTIONS
from tests import ROOT
from tests.browser.screenshots.judging import JUDGING
from tests.browser.screenshots.palette import COLOURS, palette, with_palette
from tests.browser.screenshots.pictures import FOLDER, PICTURES, Picture

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LARGEST = 3_000_000
"""Bytes of all pictures together."""


def shown() -> Iterator[tuple[Path, str, str]]:
    """Every picture in a page: the page, the words for who cannot see it, the address."""
    for page in PAGES:
        for alt, address in re.findall(r"!\[([^\]]*)\]\(([^)\s]+)\)", page.read_text("utf-8")):
            yield page, alt, address


def test_every_picture_on_the_list_is_there_and_no_other() -> None:
    names = [one.name for one in PICTURES]
    assert len(names) == len(set(names))
    assert {path.name for path in FOLDER.glob("*.png")} == {f"{name}.png" for name in names}


def test_pages_show_pictures_that_there_are_and_say_what_is_in_them() -> None:
    used = list(shown())
    assert used
    for page, alt, address in used:
        assert (page.parent / address).is_file(), f"{page.name}: {address}"
        assert len(alt) > 20, f"{page.name}: {address}"


def test_every_picture_is_used() -> None:
    used = {(page.parent / address).resolve() for page, _, address in shown()}
    assert {path.resolve() for path in FOLDER.rglob("*.*")} <= used


@pytest.mark.parametrize("name", protocols.names())
def test_every_protocol_is_in_a_picture(name: str) -> None:
    assert JUDGING[name].protocol == name
    assert Picture(name) in PICTURES


def test_every_kind_of_question_is_in_a_picture() -> None:
    asked = {
        question.name
        for scene in JUDGING.values()
        for question in protocols.load(scene.protocol).questions.values()
    }
    assert asked == {kind.name for kind in QUESTIONS}


def test_pictures_are_as_wide_as_their_screens_and_small() -> None:
    for picture in PICTURES:
        head = (FOLDER / f"{picture.name}.png").read_bytes()[:24]
        width, height = struct.unpack(">II", head[16:])
        assert width == picture.size["width"], picture.name
        assert height > 200, picture.name
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < LARGEST


def test_a_palette_loses_no_rare_colour() -> None:
    greys = np.stack([np.arange(256)] * 3, axis=1)
    rare = np.array([[11, 90, 120]])
    chosen = palette(np.concatenate([greys, rare]))
    assert len(chosen) <= COLOURS
    assert rare[0].tolist() in chosen.tolist()


def test_a_picture_with_a_palette_has_the_same_pixels() -> None:
    image = np.zeros((2, 3, 3), np.uint8)
    image[0] = (253, 252, 250)
    image[1, 2] = (11, 90, 120)
    png = with_palette(image)
    parts = dict(_parts(png))
    colours = np.frombuffer(parts[b"PLTE"], np.uint8).reshape(-1, 3)
    lines = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(2, 4)
    assert (lines[:, 0] == 0).all()
    assert (colours[lines[:, 1:]] == image).all()


def _parts(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12
