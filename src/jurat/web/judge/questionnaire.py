"""The questionnaires that judges answer before they judge and afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from jurat.errors import InputError, Problem
from jurat.protocols.questions import Form, Question
from jurat.web.context import Visit
from jurat.web.error_messages import answer_problems
from jurat.web.forms import sent_form

CONSENT = "consent"


class _NoTexts(NamedTuple):
    """What is on the screen beside questions about the judge: nothing."""

    translations: Sequence[str] = ()
    concepts: Sequence[str] = ()
    comprehension: Sequence[object] = ()


async def questionnaire(request: Request) -> Response:
    """The questions of a moment; its answers are stored, and the judge goes on."""
    visit = Visit(request)
    account = await visit.account()
    if account is None:
        return visit.redirect("")
    moment = request.path_params["moment"]
    service = visit.service.questionnaires
    try:
        asked = service.get(visit.campaign, moment)
    except InputError:
        raise HTTPException(404) from None
    if request.method == "GET":
        return _page(visit, moment, {})
    form = await sent_form(visit)
    fields: Form = {name: value for name, value in form.items() if isinstance(value, str)}
    answers = {one.id: one.read_form(fields, _NoTexts()) for one in asked.parsed}
    agreed = CONSENT in fields
    try:
        await visit.call(
            service.answer,
            visit.campaign,
            account.id,
            moment,
            answers,
            consent=agreed,
            language=visit.language.code,
        )
    except InputError as error:
        return _page(visit, moment, answers, agreed=agreed, problems=error.problems)
    return visit.redirect("")


def _page(
    visit: Visit,
    moment: str,
    answers: Mapping[str, object],
    *,
    agreed: bool = False,
    problems: Sequence[Problem] = (),
) -> Response:
    asked = visit.service.questionnaires.get(visit.campaign, moment)
    questions: Mapping[str, Question] = {one.id: one for one in asked.parsed}
    said = answer_problems(problems, questions, visit.language)
    if CONSENT in said:
        said[CONSENT] = visit.language.say("no-consent")
    return visit.render(
        "questionnaire.html",
        422 if problems else 200,
        plan=visit.service.campaigns.plan(visit.campaign),
        moment=moment,
        asked=asked,
        questions=questions,
        answers=answers,
        agreed=agreed,
        problems=said,
    )
