"""The protocol of an imported campaign: one of Jurat's, or one with what judges are asked there."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from jurat.formats.span_weights import WEIGHTS
from jurat.model import File, Suggestion
from jurat.protocols import Protocol, dump, load, names
from jurat.protocols.protocol import Score, Show
from jurat.protocols.questions import Question, Rating
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.slider import Slider
from jurat.protocols.questions.spans import Category, Severity, Spans, SpecialMark

# Protocols that Jurat also has with errors marked beforehand.
SUGGESTING = {"esa": "esa-ai"}
# What one is called without its errors: names of protocols are those of files.
WITHOUT_ERRORS = {"contrastive-esa": "side-by-side-scores"}
# What is read where Jurat's own guidelines speak of another scale, or of another text beside.
GUIDELINES = """# How to score a translation

You see a **source text** and a **translation** of it. Read both, then give the translation what the
question asks for; the words at a slider say what its places mean.

- Meaning counts first: the more something missing, added or wrong matters to a reader, the lower.
- Grammar, style and register count after that.
- Use the whole scale, and judge alike at the beginning and at the end.
- Some texts may come twice or be damaged on purpose; judge what you see.
"""


class Scale(NamedTuple):
    """What judges give a number on: its name in the other tool, and its ends."""

    name: str
    low: float = 0
    high: float = 100


SCORE = Scale("score")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What judges are asked in the other tool."""

    protocol: str
    """That of Jurat which asks the same, or nearly."""
    scales: Sequence[Scale] = (SCORE,)
    """The numbers that judges give; none where errors alone are marked."""
    errors: bool = True
    """Whether errors are marked, where the protocol has that."""
    sources: bool = True
    """Whether translations are compared with sources, rather than with references."""
    suggestions: bool = False
    marks: Sequence[str] = ()
    """What can be said to be wrong without a place."""
    severities: Sequence[str] | None = None
    """None: those of the protocol."""
    categories: Sequence[str] = ()
    """None given: those of the protocol."""


class ImportedProtocol(NamedTuple):
    """The name of a protocol, and its file where it is none of Jurat's."""

    name: str
    file: File | None = None


def imported_protocol(asked: Asked) -> ImportedProtocol:
    """The protocol that asks the same; a file where none of Jurat's does."""
    made = protocol_of(asked)
    shipped = made.name in names() and made == load(made.name)
    return ImportedProtocol(made.name) if shipped else protocol_file(made)


def protocol_file(protocol: Protocol) -> ImportedProtocol:
    """A protocol with the file that declares it."""
    return ImportedProtocol(protocol.name, File(f"{protocol.name}.yaml", dump(protocol).encode()))


def protocol_of(asked: Asked) -> Protocol:
    """One of Jurat's protocols with the questions, scales and kinds of errors of another tool."""
    name = SUGGESTING.get(asked.protocol, asked.protocol) if asked.suggestions else asked.protocol
    own = load(name)
    stages = tuple(
        replace(stage, show=_shown(stage.show, asked), questions=_questions(stage.questions, asked))
        for stage in own.stages
    )
    if stages == own.stages:
        return own
    every = [one for stage in stages for question in stage.questions for one in _nested(question)]
    known = {one.id for one in every}
    scored = own.score is not None and {*own.score.questions} <= known
    rated = [one.id for one in every if isinstance(one, Rating)] or [one.id for one in every]
    changed = replace(
        own,
        stages=stages,
        score=own.score if scored else Score(rule="mean", questions=tuple(rated)),
        order=own.order if scored else (),
    )
    if (
        asked.errors
        and _ratings(own) <= _ratings(changed)
        and [s.show for s in stages] == [s.show for s in own.stages]
    ):
        return changed
    asks = " ".join(one.wording(stages[0].show) for one in every)
    title = own.title.partition(",")[0]
    return replace(
        changed,
        name=own.name if asked.errors else WITHOUT_ERRORS.get(own.name, own.name),
        title=title if asked.errors else "Scores of translations",
        about=f"As another tool asks it. {asks}",
        guidelines=GUIDELINES,
    )


def _ratings(protocol: Protocol) -> set[str]:
    """The questions for numbers, with their ends."""
    every = protocol.questions.values()
    return {f"{one.id} {one.ends}" for one in every if isinstance(one, Rating)}


def _nested(question: Question) -> Sequence[Question]:
    return question.nested or (question,)


def _shown(show: tuple[Show, ...], asked: Asked) -> tuple[Show, ...]:
    wanted: Show = "source" if asked.sources else "reference"
    if wanted in show:
        return show
    others = [one for one in show if one not in ("source", "reference", "context")]
    return ("context", wanted, *others)


def _questions(questions: Sequence[Question], asked: Asked) -> tuple[Question, ...]:
    """The questions about a translation, or about each of several."""
    if questions and isinstance(each := questions[0], Each):
        own = _questions(each.questions, asked)
        rated = [one.id for one in own if isinstance(one, Rating)]
        ranked = each.ranked_by if each.ranked_by in rated else next(iter(rated), "")
        # examples answer all questions, of which some may not be asked
        same = own == each.questions
        ask, told = (each.ask, each.examples) if same else ("Judge every translation.", ())
        return (replace(each, ask=ask, questions=own, ranked_by=ranked, examples=told),)
    others = [
        _marking(q, asked)
        for q in questions
        if not isinstance(q, Rating) and (asked.errors or not isinstance(q, Spans))
    ]
    ratings = [one for one in questions if isinstance(one, Rating)]
    return (*others, *_scales(ratings, asked))


def _scales(own: Sequence[Rating], asked: Asked) -> Iterator[Question]:
    """The questions for numbers: the protocol's own where the scale is the same."""
    anchored = load("esa").questions[SCORE.name]
    assert isinstance(anchored, Slider)
    for scale in asked.scales:
        ends = math.floor(scale.low), math.ceil(scale.high)
        if len(asked.scales) == 1 and own and own[0].ends == ends:
            # examples may be beside references, which are not shown
            other = asked.sources and not all(one.source for one in own[0].examples)
            kept = own[0].confirm if asked.errors else ()
            yield replace(own[0], confirm=kept, examples=() if other else own[0].examples)
        elif scale.name != SCORE.name:
            name = question_name(scale.name)
            yield Slider(id=name, ask=scale.name, low=ends[0], high=ends[1])
        elif not own:
            yield anchored
        else:
            marks = anchored.marks if ends == anchored.ends else ()
            yield Slider(id=own[0].id, ask=own[0].ask, low=ends[0], high=ends[1], marks=marks)


def question_name(name: str) -> str:
    """The name of a question there as one that a protocol allows."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
    return plain if plain[:1].isalpha() else f"q-{plain}".rstrip("-")


def _marking(question: Question, asked: Asked) -> Question:
    """A question in which errors are marked, with the kinds and marks of the other tool."""
    if not isinstance(question, Spans):
        return question
    known = {one.value for one in question.marks}
    more = (
        # what is missing is so called there, and `Missing` here
        SpecialMark(value=name, label=name.strip("[]").capitalize() or name)
        for name in dict.fromkeys(asked.marks)
        if name not in known
    )
    shown = "keep" if asked.suggestions else question.suggestions
    made = replace(question, marks=(*question.marks, *more), suggestions=shown, missing=True)
    if made.most is not None:
        # other tools let judges mark as many as there are
        made = replace(made, most=None, ask="Mark the errors in the translation.", hint="")
    severities = asked.severities
    if severities is None:
        severities = [one.value for one in made.severities]
    own = [one.value for one in made.categories]
    return _with_kinds(made, severities or ("unspecified",), asked.categories or own)


def _with_kinds(question: Spans, severities: Iterable[str], categories: Iterable[str]) -> Spans:
    """The question with these severities and categories, written like this.

    Those that it has stay what they are; of others, only usual severities have a weight.
    """
    known = {one.value.lower(): one for one in question.severities}
    rated = tuple(
        replace(known[name.lower()], value=name)
        if name.lower() in known
        else Severity(value=name, label=name.capitalize(), weight=WEIGHTS.get(name.lower(), 0.0))
        for name in dict.fromkeys(severities)
    )
    values = [one.value for one in rated]
    kinds = {plain(one.value): one for one in question.categories}
    named = tuple(
        replace(kinds[plain(name)], value=name, weights=_weights(kinds[plain(name)], values))
        if plain(name) in kinds
        else Category(value=name, label=name.replace("/", " / ").strip(" /") or name)
        for name in dict.fromkeys(categories)
    )
    if (rated, named) == (question.severities, question.categories):
        return question
    marks = tuple(replace(one, weights=_weights(one, values)) for one in question.marks)
    # examples may have severities that are now written otherwise, or categories that are gone
    return replace(question, severities=rated, categories=named, marks=marks, examples=())


def _weights(kind: Category | SpecialMark, severities: Iterable[str]) -> dict[str, float]:
    """The weights of a kind of errors, by severities as they are written now."""
    told = {name.lower(): weight for name, weight in kind.weights.items()}
    return {name: told[name.lower()] for name in severities if name.lower() in told}


def plain(name: str) -> str:
    """The name of a category however it is written: `Accuracy/Untranslated text`."""
    return re.sub(r"[\s_]+", "-", name.strip().strip("/").lower())


def with_kinds_of_errors(
    protocol: Protocol, severities: Collection[str], categories: Collection[str]
) -> Protocol:
    """The protocol with severities and categories that errors have, beside its own.

    Where it asks for none, categories are not added. Names that differ in writing alone are one,
    written as errors have it, unless errors marked beforehand have it otherwise.
    """

    def extended(question: Question) -> Question:
        if isinstance(question, Each):
            return replace(question, questions=tuple(map(extended, question.questions)))
        if not isinstance(question, Spans):
            return question
        rated = [one.value for one in question.severities]
        kinds = [one.value for one in question.categories]
        # those marked beforehand are written as the protocol has them
        first = (rated, kinds) if question.suggestions else ([], [])
        by_severity = {name.lower(): name for name in reversed((*first[0], *severities))}
        by_kind = {plain(name): name for name in reversed((*first[1], *categories))}
        own = (by_severity.get(name.lower(), name) for name in rated)
        named = (by_kind.get(plain(name), name) for name in kinds)
        others = by_kind.values() if kinds else ()
        return _with_kinds(question, (*own, *by_severity.values()), (*named, *others))

    stages = tuple(
        replace(stage, questions=tuple(map(extended, stage.questions))) for stage in protocol.stages
    )
    return replace(protocol, stages=stages)


def marking_questions(protocol: Protocol) -> list[Spans]:
    """The questions in which errors are marked, also of translations side by side."""
    asked = (question for stage in protocol.stages for question in stage.questions)
    every = (one for question in asked for one in (question, *question.nested))
    return [one for one in every if isinstance(one, Spans)]


def unweighted(protocol: Protocol) -> Iterator[str]:
    """A note that names the severities that weigh nothing, since they are no usual ones."""
    rated = [one for question in marking_questions(protocol) for one in question.severities]
    own = {one.value for one in rated if not one.weight and one.value.lower() not in WEIGHTS}
    if own:
        named = ", ".join(sorted(own, key=str.lower))
        yield f"severities without a usual weight, which count 0: {named}"


def fitting_suggestions(
    suggestions: Sequence[Suggestion], protocol: Protocol, length: int, lost: Counter[str]
) -> list[Suggestion]:
    """The suggestions of a text of that length as a protocol has them; others are counted.

    Where a protocol has no categories, those of suggestions are left out.
    """
    placed = [o for o in suggestions if o.missing or o.mark or 0 <= o.start < o.end <= length]
    lost["errors marked beforehand in no place of their text"] += len(suggestions) - len(placed)
    questions = marking_questions(protocol)
    kept = [known for one in placed for known in _known(one, questions[:1])]
    lost["errors marked beforehand of kinds that the protocol does not have"] += len(placed) - len(
        kept
    )
    return kept


def _known(one: Suggestion, questions: Sequence[Spans]) -> Iterator[Suggestion]:
    """The suggestion with severity and category as a question has them, if it does."""
    for question in questions:
        severities = {own.value.lower(): own.value for own in question.severities}
        categories = {plain(own.value): own.value for own in question.categories}
        severity = severities.get(one.severity.lower())
        category = None if one.mark else categories.get(plain(one.category or ""))
        if severity and (category or one.mark or not categories):
            yield replace(one, severity=severity, category=category)
