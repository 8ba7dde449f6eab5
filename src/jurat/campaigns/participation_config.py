"""How judges take part, as `campaign.yaml` declares it: questionnaires, and crowd platforms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from jurat.deserialize import convert
from jurat.errors import InputError, Problem, input_error, quoted, raise_problems, unknown_name
from jurat.protocols.questions import Question
from jurat.protocols.questions.choice import Choice
from jurat.protocols.questions.scale import Scale
from jurat.protocols.questions.text import Text


class Questionnaire(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What judges are asked about themselves: questions of the kinds choice, scale and text."""

    intro: str = ""
    """Plain text above the questions."""
    consent: str = ""
    """What judges have to agree to before they judge; empty: nothing."""
    questions: tuple[dict[str, Any], ...] = ()
    """Each as in a protocol, with `id`, `kind` and `ask`."""

    def __post_init__(self) -> None:
        raise_problems(list(self._faults()))

    @property
    def is_asked(self) -> bool:
        """Whether there is anything to answer."""
        return bool(self.questions or self.consent)

    @property
    def parsed(self) -> tuple[Question, ...]:
        """The questions as objects."""
        return tuple(_personal_question(one) for one in self.questions)

    def _faults(self) -> Iterator[Problem]:
        seen: set[str] = set()
        for n, one in enumerate(self.questions, 1):
            place = f"questions.{n}"
            try:
                question = _personal_question(one)
            except InputError as error:
                for problem in error.problems:
                    field = f"{place}.{problem.field}" if problem.field else place
                    yield problem.changed(field=field)
                continue
            if question.id in seen:
                message = f"'{question.id}' is asked twice"
                yield Problem(message=message, field=f"{place}.id")
            seen.add(question.id)
            if question.when:
                yield Problem(message="it cannot depend on answers", field=f"{place}.when")


PERSONAL_KINDS: Mapping[str, type[Question]] = {"choice": Choice, "scale": Scale, "text": Text}


def _personal_question(declared: Mapping[str, Any]) -> Question:
    """A question of a questionnaire; raises `InputError`."""
    kind = str(declared.get("kind", ""))
    if kind not in PERSONAL_KINDS:
        raise unknown_name("kind of question", kind, PERSONAL_KINDS, field="kind")
    own = {name: value for name, value in declared.items() if name != "kind"}
    try:
        return convert(own, PERSONAL_KINDS[kind])
    except msgspec.ValidationError as error:
        raise input_error(str(error)) from error


class Questionnaires(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What judges answer before their first kit and after their last."""

    before: Questionnaire = Questionnaire()
    after: Questionnaire = Questionnaire()


class PlatformReturn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How somebody returns to the platform: a code to enter there, an address, or both."""

    code: str = ""
    url: str = ""
    """With `{code}` where the code belongs."""

    def __post_init__(self) -> None:
        if self.url and not self.url.startswith(("https://", "http://")):
            message = f"{quoted(self.url)} is not an address of the web: write https://…"
            raise input_error(message, field="url", value=self.url)


class Platform(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A crowd platform, which sends people with an identifier in the address."""

    identity: str
    """The parameter that names the person, such as `PROLIFIC_PID`."""
    keep: tuple[str, ...] = ()
    """Other parameters that are noted with the account."""
    quota: int
    """How many people may take part; those who were screened out do not count."""
    attention: int | None = None
    """Failed attention checks after which somebody is screened out; None: never."""
    completion: PlatformReturn = PlatformReturn()
    screen_out: PlatformReturn = PlatformReturn()
    full: PlatformReturn = PlatformReturn()
    """For those who come when the quota is reached."""

    def __post_init__(self) -> None:
        raise_problems(list(self._faults()))

    def _faults(self) -> Iterator[Problem]:
        if not self.identity.strip():
            message = "the name of the address's parameter is missing"
            yield Problem(message=message, field="identity")
        for field, number in (("quota", self.quota), ("attention", self.attention)):
            if number is not None and number < 1:
                message = f"expected a whole number from 1, got {number}"
                yield Problem(message=message, field=field, value=str(number))
