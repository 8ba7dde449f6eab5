"""Questionnaires: what judges say of themselves before they judge and afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

from jurat.campaigns.participation_config import Questionnaire
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import InputError, Problem, raise_problems, unknown_name
from jurat.model import Item
from jurat.store import Account, QuestionnaireMoment

if TYPE_CHECKING:
    import polars as pl

MOMENTS: tuple[QuestionnaireMoment, ...] = get_args(QuestionnaireMoment)
# Questions about judges are about no item.
_NOTHING = Item(id="", document="", segment="", translations=())


class QuestionnaireDue(InputError):
    """The judge has to answer the questionnaire before they are given a kit."""


class QuestionnaireAnswers:
    """The part of the service with which judges answer questionnaires."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store

    def get(self, campaign: str, moment: str) -> Questionnaire:
        """The questionnaire of a moment; raises `InputError` where nothing is asked then."""
        asked = self._context.plan(campaign).questionnaires
        found = {"before": asked.before, "after": asked.after}.get(moment)
        if found is None or not found.is_asked:
            raise unknown_name("questionnaire", moment, MOMENTS)
        return found

    def due(self, campaign: str, judge: str, *, finished: bool) -> QuestionnaireMoment | None:
        """The questionnaire that a judge should answer now; `finished` with what is required."""
        asked = self._context.plan(campaign).questionnaires
        if not (asked.before.is_asked or asked.after.is_asked):
            return None
        answered = self._store.answered_questionnaires(campaign, judge)
        if asked.before.is_asked and "before" not in answered:
            return "before"
        return "after" if finished and asked.after.is_asked and "after" not in answered else None

    def check_before(self, campaign: str, account: Account) -> None:
        """Raise `QuestionnaireDue` where the first one is not answered; bots are not asked."""
        asked = self._context.plan(campaign).questionnaires.before
        if not asked.is_asked or account.tags.get("bot") == "yes":
            return
        if "before" not in self._store.answered_questionnaires(campaign, account.id):
            message = "please answer the questions about yourself first"
            raise QuestionnaireDue([Problem(message=message, code="questionnaire-due")])

    def answer(
        self,
        campaign: str,
        judge: str,
        moment: QuestionnaireMoment,
        answers: Mapping[str, object],
        *,
        consent: bool = False,
        language: str = "",
    ) -> None:
        """Store a judge's answers; raises `InputError` with all that is wrong or missing."""
        self._context.account(campaign, judge, "judge")
        asked = self.get(campaign, moment)
        kept = checked(asked, answers, consent=consent)
        self._store.answer_questionnaire(
            campaign,
            judge,
            moment,
            kept,
            consent=asked.consent,
            language=language,
            now=self._context.now(),
        )

    def of_judge(self, campaign: str, pin: str) -> list[dict[str, object]]:
        """The rows of `table` about one judge."""
        asked = self._context.plan(campaign).questionnaires
        if not (asked.before.is_asked or asked.after.is_asked):
            return []
        return [row for row in self.table(campaign).to_dicts() if row["judge"] == pin]

    def table(self, campaign: str) -> pl.DataFrame:
        """A row for each answer: judge, moment, question, answer, and what was agreed to."""
        import polars as pl

        plan = self._context.plan(campaign).questionnaires
        asked = {m: {q.id: q for q in getattr(plan, m).parsed} for m in MOMENTS}
        rows: list[dict[str, object]] = []
        for one in self._store.questionnaire_answers(campaign):
            own = {"judge": one.judge, "moment": one.moment, "answered_at": one.answered_at}
            own |= {"language": one.language or None}
            if one.consent:
                rows.append({**own, "question": "consent", "answer": "yes", "text": one.consent})
            for question, answer in one.answers.items():
                known = asked[one.moment].get(question)
                labels = {str(v): label for v, label, _ in known.legend()} if known else {}
                said = {"question": question, "answer": str(answer)}
                rows.append({**own, **said, "text": labels.get(str(answer)) or None})
        schema = {"judge": pl.String, "moment": pl.String, "question": pl.String}
        schema |= {"answer": pl.String, "text": pl.String, "language": pl.String}
        times = {"answered_at": pl.Datetime("us", "UTC")}
        return pl.DataFrame(rows, schema={**schema, **times})


def checked(
    asked: Questionnaire, answers: Mapping[str, object], *, consent: bool
) -> dict[str, object]:
    """The answers as they are stored; raises `InputError` with all that is wrong or missing."""
    problems: list[Problem] = []
    kept: dict[str, object] = {}
    if asked.consent and not consent:
        message = "without your consent you cannot take part"
        problems.append(Problem(message=message, field="consent", code="no-consent"))
    for question in asked.parsed:
        answer = answers.get(question.id)
        if answer is None or answer == "":
            if question.required:
                message = f"'{question.id}' is not answered"
                problems.append(Problem(message=message, field=question.id, code="missing"))
            continue
        try:
            kept[question.id] = question.check(answer, _NOTHING)
        except InputError as error:
            problems += error.problems
    raise_problems(problems)
    return kept
