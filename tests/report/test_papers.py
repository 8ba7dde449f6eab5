"""The page of the papers' counterparts shows a picture of each that has a figure."""

import re

from tests.report.papers_pictures import HEVAL_PICTURES, IMAGES, PICTURES, TWO

PAGE = IMAGES.parents[1] / "papers.md"


def test_every_picture_is_there_and_shown() -> None:
    """`python -m tests.report.papers_pictures` draws them anew."""
    shown = set(re.findall(r"images/papers/([\w-]+)\.svg", PAGE.read_text("utf-8")))
    assert shown == {*PICTURES, *TWO, *HEVAL_PICTURES} == {one.stem for one in IMAGES.iterdir()}
