"""Items to judge, and questions to ask about them."""

from collections.abc import Mapping

from jurat.model import Item, ReadingQuestion, Shown
from jurat.protocols.questions import Question, Row
from jurat.protocols.questions.best_worst import BestWorst
from jurat.protocols.questions.choice import Choice, Option
from jurat.protocols.questions.concepts import Concepts
from jurat.protocols.questions.each import Each
from jurat.protocols.questions.magnitude import Magnitude
from jurat.protocols.questions.post_edit import PostEdit
from jurat.protocols.questions.preference import Preference
from jurat.protocols.questions.ranking import Ranking
from jurat.protocols.questions.reading import Reading
from jurat.protocols.questions.scale import Point, Scale
from jurat.protocols.questions.segments import Segments
from jurat.protocols.questions.slider import Mark, Slider
from jurat.protocols.questions.spans import Category, Severity, Spans, SpecialMark
from jurat.protocols.questions.text import Text

READING = (
    ReadingQuestion(ask="Who?", options=("he", "she"), answer=2),
    ReadingQuestion(ask="When?", options=("now", "then", "never"), answer=1),
)


def item(
    *texts: str,
    references: Mapping[str, str] | None = None,
    concepts: tuple[str, ...] = ("a man", "two", "not"),
    comprehension: tuple[ReadingQuestion, ...] = READING,
    tags: Mapping[str, str] | None = None,
) -> Item:
    """An item with these translations, by systems called m1, m2 …"""
    shown = texts or ("The man did not come twice.",)
    return Item(
        id="i1",
        document="d1",
        segment="s1",
        translations=tuple(Shown(system=f"m{n}", text=text) for n, text in enumerate(shown, 1)),
        source="Quelle",
        references={"r1": "The man never came twice."} if references is None else references,
        concepts=concepts,
        comprehension=comprehension,
        tags=tags or {},
    )


def screen(question: Question, *, text: str = "The man did not come twice.") -> Item:
    """An item with as many translations as the question is asked about."""
    count = 1 if "one" in question.screens else 2 if "two" in question.screens else 4
    return item(*[text] * count)


def rows(question: Question, answer: object, about: Item) -> list[Row]:
    return list(question.rows(question.check(answer, about), about))


ASK = {"id": "q", "ask": "What?"}
SCALE = Scale(
    id="q",
    ask="How much?",
    points=tuple(Point(value=v, label=f"L{v}" if v % 2 else "") for v in (4, 3, 2, 1, 0)),
)
OPTIONS = (
    Option(value="good", label="Good", number=2),
    Option(value="middling"),
    Option(value="bad", number=-1),
)
SPANS = Spans(
    id="q",
    ask="Mark.",
    severities=(
        Severity(value="major", label="Major", weight=5),
        Severity(value="minor", label="Minor", weight=1),
    ),
    categories=(
        Category(value="style", label="Style", weights={"minor": 0.1}),
        Category(value="accuracy", label="Accuracy"),
    ),
)
KINDS: dict[str, Question] = {
    "scale": SCALE,
    "scale or n/a": Scale(id="q", ask="?", points=SCALE.points, not_applicable=True),
    "scale upwards": Scale(id="q", ask="?", points=(Point(value=-3), Point(value=3))),
    "yes or no": Choice(id="q", ask="?"),
    "choice": Choice(id="q", ask="?", options=OPTIONS, not_applicable=True),
    "slider": Slider(id="q", ask="?", low=-10, high=10, marks=(Mark(value=0, label="Middle"),)),
    "slider or n/a": Slider(id="q", ask="?", not_applicable=True),
    "preference": Preference(id="q", ask="?", labels={"a": "1", "tie": "=", "b": "2"}),
    "preference of four": Preference(
        id="q", ask="?", labels={"a": "1", "good": "+", "bad": "-", "b": "2"}
    ),
    "preference without ties": Preference(id="q", ask="?", labels={"a": "1", "b": "2"}),
    "ranking": Ranking(id="q", ask="?"),
    "ranking without ties": Ranking(id="q", ask="?", ties=False),
    "spans": SPANS,
    "three spans": Spans(id="q", ask="?", severities=SPANS.severities, missing=False, most=3),
    "spans of all kinds": Spans(
        id="q",
        ask="?",
        severities=SPANS.severities,
        source=True,
        marks=(
            SpecialMark(value="instructions-fault", label="Not followed", weights={"minor": 2}),
            SpecialMark(value="nonsense", label="Nonsense"),
        ),
        overlap=False,
        comments=True,
        suggestions="confirm",
    ),
    "concepts": Concepts(id="q", ask="?", labels={"ok": "OK", "wrong": "Wrong", "lost": "Lost"}),
    "reading": Reading(id="q", ask="?"),
    "text": Text(id="q", ask="?"),
    "short text": Text(id="q", ask="?", longest=3, required=False),
    "post-edit": PostEdit(id="q", ask="?"),
    "best-worst": BestWorst(id="q", ask="?"),
    "magnitude": Magnitude(id="q", ask="?"),
    "each": Each(
        id="q",
        ask="?",
        questions=(
            Spans(id="errors", ask="?", severities=SPANS.severities),
            Slider(id="score", ask="?"),
            Text(id="why", ask="?", when="score < 50", required=False),
        ),
        ranked_by="score",
    ),
    "segments": Segments(
        id="q",
        ask="?",
        questions=(
            Spans(id="errors", ask="?", severities=SPANS.severities),
            Slider(id="score", ask="?"),
        ),
    ),
}
"""At least one question of every kind."""
