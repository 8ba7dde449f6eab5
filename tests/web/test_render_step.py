"""What is drawn once and filled in again is the same as what is drawn anew."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jurat.web import render_step
from jurat.web.context import Visit
from jurat.web.judge.step_form import StepForm
from jurat.web.render_step import NO_FAULTS, PLACE, Frame
from tests.web.test_script_api import Script, started
from tests.web.website import Website


def test_places_are_filled():
    frame = Frame(f"<p>{PLACE}a{PLACE}</p>{PLACE}b{PLACE}{PLACE}a{PLACE}")
    assert frame.filled({"a": "1", "b": "2", "c": "3"}) == "<p>1</p>21"
    assert frame.filled({"a": "x", "b": ""}) == "<p>x</p>x"


def test_a_value_that_looks_like_a_place_stays_as_it_is():
    assert Frame(f"{PLACE}a{PLACE}").filled({"a": f"{PLACE}b{PLACE}"}) == f"{PLACE}b{PLACE}"


def test_a_place_without_a_value_is_refused():
    with pytest.raises(KeyError):
        Frame(f"{PLACE}a{PLACE}").filled({})


class Anew:
    """Draws a step from its template, whatever was drawn before."""

    def __init__(self, visit: Visit, step: StepForm, _: object) -> None:
        self._drawn = (visit, step)

    def filled(self, values: Mapping[str, str]) -> str:
        return render_step._rendered(*self._drawn, NO_FAULTS, "", values)


@pytest.mark.parametrize("revise", [False, True])
def test_every_step_of_a_kit_is_drawn_as_if_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, revise: bool
):
    seen: list[dict[str, Any]] = []
    for site in started(tmp_path, revise=revise):
        script = Script(site)
        for _ in range(8):
            seen.append(script.get("step?go-on=1"))
            with monkeypatch.context() as patched:
                patched.setattr(render_step, "_frame", Anew)
                assert script.get("step?go-on=1") == seen[-1]
            script.decide(seen[-1]["key"], go_on=True)
    assert len({step["html"] for step in seen}) == 8
    back = ["button back" in step["html"] for step in seen]
    assert back == [revise and n % 4 > 0 for n in range(8)]
    assert sum("Finish" in step["html"] for step in seen) == 2


def test_a_judge_after_a_guest_has_an_assignment(site: Website):
    (slip,) = site.slips(1)
    site.setting.start()
    site.visitor().be_guest()
    page = site.visitor().follow(slip).get("judge").text  # the tutorial that the guest saw
    assert 'data-position="1"' in page
    assert 'data-assignment=""' not in page
