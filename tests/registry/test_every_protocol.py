"""Every protocol: sound, citing its source, explained by examples, played by a bot.

What the shipped ones ask is taken from the specification (collect.md, section 2) and the papers,
not from the files.
"""

import re
from collections.abc import Iterator
from random import Random

import msgspec
import polars as pl
import pytest

from jurat import protocols
from jurat.model import Item, ReadingQuestion, Shown, Suggestion
from jurat.protocols import Protocol
from jurat.protocols.questions import NA, QUESTIONS, Question
from jurat.protocols.questions.choice import Choice
from jurat.protocols.questions.preference import Preference
from jurat.protocols.questions.scale import Scale
from jurat.protocols.questions.slider import Slider
from jurat.protocols.questions.spans import Spans
from jurat.tables import TABLES, conform
from tests import ROOT

ALL = [protocols.load(name) for name in protocols.names()]
EVERY = pytest.mark.parametrize("protocol", ALL, ids=protocols.names())

TABLE = """
    tapet-adequacy tapet-adequacy-5 ldc-adequacy ldc-fluency tcstar preference preference-4 ranking
    source-adequacy heval meaning clarity semantic-adequacy intelligibility fidelity application
    informativeness comprehension concepts post-edit da sqm esa mqm xsts xsts-rp acceptability
    contrastive-esa side-by-side-mqm best-worst rankme esa-ai
    esa-document
"""
SHIPPED = TABLE.split()


def test_the_shipped_ones_are_there() -> None:
    assert sorted(SHIPPED) == list(protocols.names())


# Sound in themselves


@EVERY
def test_it_says_what_it_is(protocol: Protocol) -> None:
    assert protocol.name in protocols.names()
    assert protocols.load(protocol.name) == protocol
    assert 5 < len(protocol.title) < 60
    assert 40 < len(protocol.about) < 400
    assert protocol.about.endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", protocol.citation)
    assert re.search(r"[A-Z]\w+ (and|et al)|ALPAC|Consortium", protocol.citation)


@EVERY
def test_it_round_trips(protocol: Protocol) -> None:
    again = protocols.read(protocols.dump(protocol).encode(), file="again.yaml")
    assert (again, again.version) == (protocol, protocol.version)
    as_json = protocols.read(msgspec.json.encode(protocol.plain()), file="again.json")
    assert (as_json, as_json.version) == (protocol, protocol.version)


def test_no_two_have_the_same_version() -> None:
    versions = [protocols.load(name).version for name in protocols.names()]
    assert len(set(versions)) == len(versions)


# Guidelines


@EVERY
def test_guidelines_are_a_page_with_headings(protocol: Protocol) -> None:
    text = protocol.guidelines
    assert text.startswith("# ")
    assert 1500 < len(text) < 4000
    assert "\n## What you may use\n" in text
    assert "\n## How to work\n" in text
    lines = text.splitlines()
    for n, line in enumerate(lines):
        if line.startswith("#"):
            assert lines[n + 1] == "", f"no empty line after {line!r}"
        assert not re.fullmatch(r"\*\*[^*]+\*\*", line), f"{line!r} should be a heading"
        assert len(line) <= 100


@EVERY
def test_guidelines_say_what_may_be_used(protocol: Protocol) -> None:
    _, _, rest = protocol.guidelines.partition("## What you may use\n")
    allowed, _, _ = rest.partition("\n## ")
    assert "world" in allowed, "world knowledge"
    assert "ictionar" in allowed, "a dictionary"
    assert re.search(r"\bweb\b|[Aa]nother|Other sources|search", allowed), "outside knowledge"
    assert re.search(r"[Cc]ontext|[Ss]entences|stands alone", protocol.guidelines), "context"
    assert "yes" in allowed
    assert re.search(r"\bno\b", allowed)


@pytest.mark.parametrize("name", ["tapet-adequacy", "tapet-adequacy-5"])
def test_tapets_first_question_counts_only_what_the_reference_contains(name: str) -> None:
    text = " ".join(protocols.load(name).guidelines.split())
    assert "Only what the *reference* contains counts" in text


@EVERY
def test_guidelines_do_not_say_whether_answers_can_be_changed(protocol: Protocol) -> None:
    """A campaign decides it, and the page that shows the guidelines says what it decided."""
    text = " ".join(protocol.guidelines.split())
    assert not re.search(r"\b(final|may go back)\b", text)


# Examples


def exemplified(question: Question) -> set[object]:
    """Every answer, outcome, severity and category that occurs in the examples."""
    found: set[object] = set()
    for example in question.examples:
        parts = example.answer if isinstance(example.answer, list) else [example.answer]
        for part in parts:
            found |= {v for v in part.values() if v} if isinstance(part, dict) else {part}
    return found


def choosable(question: Question) -> set[object]:
    return {value for value, _, _ in question.legend()} | (
        {NA} if getattr(question, "not_applicable", False) else set()
    )


@EVERY
def test_everything_that_can_be_chosen_has_an_example(protocol: Protocol) -> None:
    for question in protocol.questions.values():
        assert len(question.examples) >= 2, question.id
        # the questions asked of each translation have examples of their own
        assert question.nested or choosable(question) <= exemplified(question), question.id
        for example in question.examples:
            assert len(example.because) > 10
            question.check(example.answer, example.item())


@EVERY
def test_everything_that_can_be_chosen_has_a_meaning(protocol: Protocol) -> None:
    for question in protocol.questions.values():
        if isinstance(question, Scale | Slider | Spans):
            assert all(meaning for _, _, meaning in question.legend()), question.id


@EVERY
def test_examples_show_what_the_judge_sees(protocol: Protocol) -> None:
    for stage in protocol.stages:
        for question in stage.questions:
            for example in question.examples:
                assert bool(example.source) == ("source" in stage.show), question.id
                shown = {"reference", "references"} & set(stage.show)
                assert bool(example.reference) == bool(shown), question.id


# Played

SENTENCES = ("The cat did not come home.", "Not home the cat came.", "", "猫没有回家。", "Cat.")


SUGGESTED = (Suggestion(severity="minor", missing=True),)
"""An omission before the first word: it fits every text, even an empty one."""


def play(protocol: Protocol) -> Iterator[tuple[Item, list[float]]]:
    count = {"one": 1, "two": 2, "all": 4}[protocol.systems]
    random = Random(protocol.name)
    for n, quality in enumerate((-0.5, 0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.5)):
        texts = [SENTENCES[(n + slot) % len(SENTENCES)] for slot in range(count)]
        about = Item(
            id=f"i{n}",
            document="d",
            segment=str(n),
            translations=tuple(
                Shown(system=f"m{k}", text=text, suggestions=SUGGESTED)
                for k, text in enumerate(texts)
            ),
            suggested=True,
            source="Die Katze kam nicht heim.",
            references={"r1": "The cat did not return."} if n % 2 else {},
            concepts=("the cat", "not", "home") if n else (),
            comprehension=(ReadingQuestion(ask="Who?", options=("cat", "dog"), answer=1),),
            tags={"genre": "tale"},
        )
        yield about, [quality, *(random.random() for _ in range(count - 1))]


@EVERY
def test_a_bot_plays_it_into_the_tables(protocol: Protocol) -> None:
    random = Random(5)
    tables: dict[str, list[dict[str, object]]] = {}
    for about, qualities in play(protocol):
        for _ in range(5):
            answers = protocol.simulate(about, qualities, random)
            assert protocol.check(answers, about) == answers
            for stage in range(len(protocol.stages)):
                until = {q.id for part in protocol.stages[: stage + 1] for q in part.questions}
                seen = {name: answer for name, answer in answers.items() if name in until}
                kept = protocol.check(seen, about, stage=stage)
                assert kept == {q.id: answers[q.id] for q in protocol.asked(answers, stage=stage)}
            for row in protocol.rows(answers, about):
                tables.setdefault(row.table, []).append(dict(row.values))
    questions = protocol.questions.values()
    announced = {table for question in questions for table in question.records}
    # only where a protocol shows suggestions
    if not any(getattr(question, "suggestions", "") for question in questions):
        announced -= {"suggestions"}
    assert set(tables) == announced
    for name, rows in tables.items():
        frame = conform(pl.DataFrame(rows, infer_schema_length=None), TABLES[name])
        assert frame.height == len(rows)
        assert frame["genre"].unique().to_list() == ["tale"]


RANGES = {
    "tapet-adequacy": (1, 7),
    **dict.fromkeys(("tapet-adequacy-5", "ldc-adequacy", "ldc-fluency", "tcstar"), (1, 5)),
    **dict.fromkeys(("source-adequacy", "informativeness"), (1, 5)),
    **dict.fromkeys(("heval", "application", "comprehension", "concepts"), (0, 1)),
    "meaning": (0, 4),
    "clarity": (0, 3),
    "semantic-adequacy": (-3, 3),
    "intelligibility": (1, 9),
    "fidelity": (0, 9),
    "da": (0, 100),
    "esa": (0, 100),
    "esa-ai": (0, 100),
    "esa-document": (0, 100),
    "sqm": (0, 6),
    "mqm": (-25, 0),
    "xsts": (1, 5),
    "xsts-rp": (1, 5),
    "acceptability": (0, 1),
    "contrastive-esa": (0, 100),
    "side-by-side-mqm": (-25, 0),
    "rankme": (1, 150),
}
UNSCORED = {"preference", "preference-4", "ranking", "post-edit", "best-worst"}


def test_scores_are_where_they_should_be() -> None:
    assert set(RANGES) | UNSCORED == set(SHIPPED)


@EVERY
def test_the_score_stays_in_its_range(protocol: Protocol) -> None:
    if protocol.name in UNSCORED:
        assert protocol.score is None
        return
    low, high = RANGES[protocol.name]
    random, scores = Random(5), []
    for about, qualities in play(protocol):
        for _ in range(10):
            answers = protocol.simulate(about, qualities, random)
            scores += protocol.scores(answers, about)
    given = [score for score in scores if score is not None]
    assert low <= min(given) < max(given) <= high
    assert max(given) == high


# What the specification says of each


def scale(name: str, question: str) -> Scale:
    found = protocols.load(name).questions[question]
    assert isinstance(found, Scale)
    return found


LABELS = [
    ("tapet-adequacy", "adequacy", range(7, 0, -1), ["All", "", "", "Half", "", "", "None"]),
    ("tapet-adequacy-5", "adequacy", range(5, 0, -1), ["All", "Much", "Half", "Little", "None"]),
    ("ldc-adequacy", "adequacy", range(5, 0, -1), ["All", "Most", "Much", "Little", "None"]),
    (
        "ldc-fluency",
        "fluency",
        range(5, 0, -1),
        ["Flawless", "Good", "Non-native", "Disfluent", "Incomprehensible"],
    ),
    ("tcstar", "fluency", range(5, 0, -1), ["Spotless", "", "", "", "Not understandable"]),
    ("tcstar", "adequacy", range(5, 0, -1), ["All the meaning", "", "", "", "Nothing in common"]),
    ("source-adequacy", "adequacy", range(5, 0, -1), ["All", "Most", "Much", "Little", "None"]),
    (
        "meaning",
        "meaning",
        range(4, -1, -1),
        [
            "Exactly the same meaning",
            "Almost the same meaning",
            "Partially the same meaning and no new information",
            "Partially the same meaning but misleading information is introduced",
            "Totally different meaning",
        ],
    ),
    (
        "clarity",
        "clarity",
        range(3, -1, -1),
        [
            "Meaning of the sentence is perfectly clear on first reading",
            "Meaning of the sentence is clear only after some reflection",
            "Some, although not all, meaning is able to be gleaned from the sentence with some "
            "effort",
            "Meaning of the sentence is not apparent, even after some reflection",
        ],
    ),
    (
        "semantic-adequacy",
        "adequacy",
        range(3, -4, -1),
        [
            "Completely adequate",
            "Somewhat adequate",
            "Tending towards adequate",
            "Neutral",
            "Tending towards inadequate",
            "Somewhat inadequate",
            "Completely inadequate",
        ],
    ),
    (
        "sqm",
        "quality",
        range(6, -1, -1),
        [
            "Perfect meaning and grammar",
            "",
            "Most meaning preserved and few grammar mistakes",
            "",
            "Some meaning preserved",
            "",
            "Nonsense/No meaning preserved",
        ],
    ),
]


@pytest.mark.parametrize(("name", "question", "values", "labels"), LABELS)
def test_points(name: str, question: str, values: range, labels: list[str]) -> None:
    points = scale(name, question).points
    assert [point.value for point in points] == list(values)
    assert [point.label for point in points] == labels


def test_points_of_the_long_scales() -> None:
    assert [p.value for p in scale("intelligibility", "intelligibility").points] == [
        *range(9, 0, -1)
    ]
    assert [p.value for p in scale("fidelity", "fidelity").points] == [*range(9, -1, -1)]


@pytest.mark.parametrize("name", ["tapet-adequacy", "tapet-adequacy-5"])
def test_tapet_never_shows_numbers_and_asks_again_after_the_top_three(name: str) -> None:
    protocol = protocols.load(name)
    adequacy = scale(name, "adequacy")
    assert not adequacy.show_numbers
    assert not any(re.search(r"\d", point.label) for point in adequacy.points)
    assert not re.search(r"\b[1-7]\b", protocol.guidelines)
    same = protocol.questions["same-meaning"]
    assert isinstance(same, Choice)
    assert same.answers() == ("yes", "no")
    top = [v for v in adequacy.answers() if len([*protocol.asked({"adequacy": v})]) == 2]
    assert top == list(adequacy.answers()[:3])
    assert same.wording(["references"]) == (
        "Does the system translation mean essentially the same as the reference translation?"
    )


def test_heval_has_the_papers_eleven_features() -> None:
    protocol = protocols.load("heval")
    words = """
        gender-number tense voice proper-nouns modifiers lexical-choice order punctuation fluency
        semantics overall
    """
    features = words.split()
    assert list(protocol.questions) == features
    assert protocol.score is not None
    assert list(protocol.score.questions) == features
    labels = ["Ideal", "Perfect", "Acceptable", "Partially acceptable", "Not acceptable"]
    for name in features:
        feature = scale("heval", name)
        assert [(p.value, p.label) for p in feature.points] == [
            *zip(range(4, -1, -1), labels, strict=True)
        ]
        assert feature.not_applicable


def test_semantic_adequacy_stands_beside_two_other_questions() -> None:
    assert list(protocols.load("semantic-adequacy").questions) == [
        *("adequacy", "understandability", "fluency")
    ]


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [("preference", ["a", "tie", "b"]), ("preference-4", ["a", "good", "bad", "b"])],
)
def test_preferences(name: str, outcomes: list[str]) -> None:
    question = protocols.load(name).questions["preference"]
    assert isinstance(question, Preference)
    assert list(question.labels) == outcomes


def test_sliders_spans_and_weights() -> None:
    slider = protocols.load("da").questions["adequacy"]
    assert isinstance(slider, Slider)
    assert (slider.low, slider.high) == (0, 100)
    esa = protocols.load("esa")
    assert [question.name for question in esa.questions.values()] == ["spans", "slider"]
    assert esa.score is not None
    assert esa.score.questions == ("score",)
    mqm = protocols.load("mqm").questions["errors"]
    assert isinstance(mqm, Spans)
    assert mqm.most == 5
    assert {severity.value: severity.weight for severity in mqm.severities} == {
        "major": 5,
        "minor": 1,
        "neutral": 0,
    }
    own = {category.value: category.weights for category in mqm.categories if category.weights}
    assert own == {"fluency/punctuation": {"minor": 0.1}, "non-translation": {"major": 25}}
    assert len(mqm.categories) == 22


SHOWN = {
    "tapet-adequacy": [["references", "translation"]],
    "tapet-adequacy-5": [["references", "translation"]],
    "ldc-adequacy": [["reference", "translation"]],
    "ldc-fluency": [["translation"]],
    "tcstar": [["translation"], ["reference", "translation"]],
    "preference": [["reference", "translation"]],
    "preference-4": [["reference", "translation"]],
    "ranking": [["source", "reference", "translation"]],
    "source-adequacy": [["source", "translation"]],
    "heval": [["source", "translation"]],
    "meaning": [["source", "translation"]],
    "clarity": [["translation"]],
    "semantic-adequacy": [["source", "translation"]],
    "intelligibility": [["translation"]],
    "fidelity": [["translation"], ["reference", "translation"]],
    "application": [["reference", "translation"]],
    "informativeness": [["translation"], ["reference", "translation"]],
    "comprehension": [["translation"]],
    "concepts": [["source", "translation"]],
    "post-edit": [["source", "translation"]],
    "da": [["reference", "translation"]],
    "sqm": [["context", "source", "translation"]],
    "esa": [["context", "source", "translation"]],
    "esa-ai": [["context", "source", "translation"]],
    "esa-document": [["source", "translation"]],
    "mqm": [["context", "source", "translation"]],
    "xsts": [["source", "translation"]],
    "xsts-rp": [["context", "source", "translation"]],
    "acceptability": [["source", "translation"]],
    "contrastive-esa": [["context", "source", "translation"]],
    "side-by-side-mqm": [["context", "source", "translation"]],
    "best-worst": [["source", "reference", "translation"]],
    "rankme": [["reference", "translation"]],
}
COLUMNS = ("contrastive-esa", "side-by-side-mqm", "rankme")


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_shown_and_how(name: str) -> None:
    protocol = protocols.load(name)
    assert [list(stage.show) for stage in protocol.stages] == SHOWN[name]
    screens = {"preference": "two", "preference-4": "two", "ranking": "all"}
    screens |= dict.fromkeys((*COLUMNS, "best-worst"), "all")
    assert protocol.systems == screens.get(name, "one")
    assert protocol.advance == ("kit" if name == "tcstar" else "item")
    assert protocol.unit == ("document" if name in ("comprehension", "esa-document") else "segment")
    assert protocol.final == (
        name not in ("sqm", "esa", "esa-ai", "esa-document", "mqm", "xsts-rp", *COLUMNS)
    )
    several = {"preference", "preference-4", "ranking", "heval", "mqm", "best-worst", "rankme"}
    assert protocol.one_system_per_segment == (name not in several)


@pytest.mark.parametrize("name", ["source-adequacy", "da", "fidelity"])
def test_the_wording_follows_what_is_shown(name: str) -> None:
    question = list(protocols.load(name).questions.values())[-1]
    beside_source = question.wording(["source", "translation"])
    beside_reference = question.wording(["reference", "translation"])
    assert re.search("source|original", beside_source)
    assert re.search("reference|human translation", beside_reference)


def test_the_docs_name_every_protocol_and_every_field_of_every_question() -> None:
    page = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    for name in protocols.names():
        assert f"| `{name}` |" in page
    for kind in QUESTIONS:
        _, _, rest = page.partition(f"### `{kind.name}`\n")
        section, _, _ = rest.partition("\n### ")
        assert section, kind.name
        own = {f.name for f in msgspec.structs.fields(kind)} - {
            f.name for f in msgspec.structs.fields(Question)
        }
        missing = [field for field in own if f"`{field}`" not in section]
        assert not missing, kind.name
    _, _, common = page.partition("## Questions\n")
    common, _, _ = common.partition("\n### ")
    for field in msgspec.structs.fields(Question):
        assert f"`{field.name}`" in common, field.name
    for field in msgspec.structs.fields(Protocol):
        assert f"`{field.name}`" in page, field.name
