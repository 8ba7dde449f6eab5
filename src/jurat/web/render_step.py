"""A step as HTML: the common parts are rendered once and cached, the rest is filled in."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from jurat.errors import Problem
from jurat.i18n import languages

if TYPE_CHECKING:
    from jurat.campaigns.screens import Screen
    from jurat.web.context import Visit
    from jurat.web.judge.step_form import StepForm

Faults = Mapping[str | None, Problem]
NO_FAULTS: Faults = {}
TEMPLATE = "parts/step.html"
# Entries of the cache of texts such as "3 of 20".
PLACES = 4096
# Encloses the names of placeholders; texts with zero bytes are refused on input.
PLACE = "\0"


class Frame:
    """Rendered HTML with placeholders."""

    def __init__(self, html: str) -> None:
        # pieces of HTML and names of placeholders alternate, beginning with HTML
        self._pieces = html.split(PLACE)

    def filled(self, values: Mapping[str, str]) -> str:
        """The HTML with these values, which are HTML themselves."""
        pieces = self._pieces.copy()
        pieces[1::2] = [values[name] for name in self._pieces[1::2]]
        return "".join(pieces)


def draw(
    visit: Visit, step: StepForm, faults: Faults = NO_FAULTS, carried: str = "", where: str = ""
) -> Markup:
    """A step as HTML.

    `carried` are answers of earlier stages, for a hidden field; `where` is said instead of the
    place in the kit.
    """
    values = _values(visit, step, where)
    # A frame serves all judges, so nothing in it may belong to one of them: problems, answers of
    # earlier stages, a decision to be changed, or a form that depends on the texts.
    if faults or carried or step.screen.changeable or not step.form.same:
        html = _rendered(visit, step, faults, carried, values)
    else:
        html = _frame(visit, step, values).filled(values)
    return Markup(html)  # noqa: S704


def texts(visit: Visit, step: StepForm) -> Markup:
    """The texts of a step as HTML, from the cache: they are the same for every judge."""
    return visit.site.parts.get(_key(visit, step, step.sight), _part(visit, step, "texts"))


def _values(visit: Visit, step: StepForm, where: str = "") -> dict[str, str]:
    """The values of the placeholders, as HTML."""
    screen = step.screen
    assignment = escape(screen.assignment)
    back = f"{escape(visit.path)}judge/{assignment}/{screen.back}" if screen.back else ""
    return {
        "key": f"{assignment}/{screen.position}",
        "assignment": assignment,
        "position": str(screen.position),
        "before": str(screen.position - 1),
        "ahead": str(screen.ahead),
        "where": escape(where) or _where(visit.language.code, screen.position, screen.steps),
        "texts": texts(visit, step),
        # hexadecimal digits, which need no escaping
        "form_key": visit.form_key,
        "back": back,
    }


@lru_cache(PLACES)
def _where(language: str, position: int, steps: int) -> str:
    return escape(languages()[language].say("step-of", position=position, steps=steps))


def _frame(visit: Visit, step: StepForm, values: Mapping[str, str]) -> Frame:
    """The step with placeholders; only the first and the last step of a kit have their own."""

    def drawn() -> Frame:
        # a guest has no assignment, and the frame must not go without one for the judges after them
        places = {name: _place(name) for name in values} | ({} if values["back"] else {"back": ""})
        return Frame(_rendered(visit, step, NO_FAULTS, "", places))

    kit = (step.screen.phase, step.screen.steps, step.last)
    same = (step.form.wording, step.layout, kit, bool(values["back"]))
    return visit.site.frames.get(_key(visit, step, same), drawn)


def _place(name: str) -> str:
    return f"{PLACE}{name}{PLACE}"


def _rendered(
    visit: Visit, step: StepForm, faults: Faults, carried: str, values: Mapping[str, str]
) -> str:
    screen, say = step.screen, visit.language.say
    revision = screen.revision + 1 if screen.changeable else 0
    last = step.last and not carried  # a form that carries its answers along has no kit to finish
    return visit.site.templates.get_template(TEMPLATE).render(
        layout=step.layout,
        steps=screen.steps,
        revision=revision,
        flag=screen.flag,
        comment=screen.comment,
        skipped=_skip_reason(screen, say) if revision else "",
        task=screen.task,
        phase=say(screen.phase),
        title=visit.task_title(screen.task),
        carried=carried,
        asked=_asked(visit, step, faults),
        word=say("save-change" if revision else "finish" if last else "next"),
        base=visit.path,
        say=say,
        # escaped by `_values` already, or placeholders of a frame
        **{name: Markup(value) for name, value in values.items()},  # noqa: S704
    )


def _skip_reason(screen: Screen, say: Callable[..., str]) -> str:
    """Why the judge skipped the item; empty if they answered it."""
    # a skipped item has a flag or a comment, and no answer
    if screen.answered or not screen.flag:
        return ""
    kind = "" if screen.flag == "comment" else say(f"flag-{screen.flag}")
    return ": ".join(filter(None, (kind, screen.comment)))


def _asked(visit: Visit, step: StepForm, faults: Faults) -> Markup:
    """The questions of a step."""
    return _part(visit, step, "questions", faults)()


def _part(
    visit: Visit, step: StepForm, name: str, faults: Faults = NO_FAULTS
) -> Callable[[], Markup]:
    return lambda: Markup(visit.html(f"parts/{name}.html", step=step, faults=faults))  # noqa: S704


def _key(visit: Visit, step: StepForm, what: Hashable) -> Hashable:
    return visit.cache_key, step.screen.task, step.screen.stage, visit.language.code, what
