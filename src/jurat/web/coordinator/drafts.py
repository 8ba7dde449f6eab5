"""What the pages of a campaign in preparation share: the draft itself, and its three steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, get_args

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from jurat.campaigns.outlooks import Outlook, Step
from jurat.campaigns.preparing import Preparations
from jurat.declarations import MISSING
from jurat.faults import Fault, FaultyInput
from jurat.model import File
from jurat.store import NoSuchPreparation, Preparation
from jurat.web.coordinator.desk import Desk
from jurat.web.forms import UPLOAD, sent_files
from jurat.web.judge.api import OUT_OF_ORDER

FILES = 100
"""Sent at once."""
MEGABYTE = 1 << 20
STEPS: tuple[Step, ...] = get_args(Step)


class Draft(NamedTuple):
    """A campaign in preparation as it stands."""

    preparation: Preparation
    outlook: Outlook

    @property
    def base(self) -> str:
        """Where its pages are."""
        return f"/desk/draft/{self.preparation.id}/"

    @property
    def title(self) -> str:
        """What it is called, if it is called anything yet."""
        return self.preparation.title

    def faults(self, step: Step, *, asked: bool) -> list[Fault]:
        """What is wrong in a step; of what is missing people are told when they have asked."""
        found = self.outlook.faults_of(step)
        return [fault for fault in found if asked or fault.code != MISSING]

    def open(self, step: Step) -> int:
        """How many things a step still wants."""
        return len(self.outlook.faults_of(step))


def key(desk: Desk) -> str:
    """Which one is asked for."""
    return str(desk.request.path_params["key"])


async def draft(desk: Desk) -> Draft:
    """The one that is asked for, if it is there."""
    preparations: Preparations = desk.service.preparations
    try:
        found = await desk.call(preparations.one, key(desk))
        return Draft(found, await desk.call(preparations.look_over, key(desk)))
    except NoSuchPreparation as error:
        raise HTTPException(404) from error


async def faults_of(
    desk: Desk, function: Callable[..., Any], *arguments: Any, **options: Any
) -> tuple[Fault, ...]:
    """Do something; everything that a coordinator has to mend before it can be done."""
    try:
        await desk.call(function, *arguments, **options)
    except OUT_OF_ORDER:
        raise
    except NoSuchPreparation as error:
        raise HTTPException(404) from error
    except FaultyInput as error:
        return error.faults
    return ()


def page(desk: Desk, found: Draft, step: Step, status: int = 200, **values: object) -> Response:
    """A page of one of the steps."""
    return desk.render(
        f"desk/draft-{step}.html", status, draft=found, steps=STEPS, step=step, **values
    )


def onward(desk: Desk, to: str) -> Response:
    """Go on at another page of the same draft."""
    return desk.away(f"/desk/draft/{key(desk)}/{to}")


class NotReceived(Exception):
    """Files were sent that are too many, or too large: with the answer's status, and words."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class Received(NamedTuple):
    """A form, and the files that came with it."""

    form: FormData
    files: list[File]


async def received(desk: Desk, *, files: int = FILES, largest: int = UPLOAD) -> Received:
    """What was sent, with all files read; a field for files that was left empty holds none."""
    try:
        form = await sent_files(desk, files=files, largest=largest)
    except HTTPException as error:
        if error.status_code not in (400, 413):
            raise
        size = f"{largest / MEGABYTE:.3g}"
        words = desk.language.say("desk-too-large", most=size, files=files)
        raise NotReceived(error.status_code, words) from error
    try:
        sent = [one for _, one in form.multi_items() if isinstance(one, UploadFile)]
        return Received(form, [File(str(f.filename), await f.read()) for f in sent if f.filename])
    finally:
        await form.close()
