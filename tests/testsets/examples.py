"""Test sets to try formats on: one that has everything, and endless others."""

from hypothesis import strategies as st

from jurat.errors import InputError, Problem
from jurat.model import Document, ReadingQuestion, Segment, System, Tags, TestSet, Translation
from jurat.testsets import Role, SetFile, read_test_set


def segment(
    number: str, *, easy: bool = False, tags: Tags | None = None, concepts: tuple[str, ...] = ()
) -> Segment:
    """A segment with a source, two references and two systems."""
    return Segment(
        id=number,
        source=f'Fuente «{number}» & <b>más</b> "x"',
        references={"A": f"First {number}", "B": f"Second {number}'s"},
        translations={
            "cedar": Translation(f"Cedar {number}", {"easy": "yes"} if easy else {}),
            "birch pro": Translation(f"शुभ {number} 你好 مرحبا"),
        },
        tags=tags or {},
        concepts=concepts,
    )


def everything() -> TestSet:
    """A test set that has all that a test set can have."""
    question = ReadingQuestion(ask="Who?", options=("he", "she"), answer=2)
    market = Document(
        id="market",
        segments=(
            segment("1", easy=True, tags={"input": "ASR"}, concepts=("price: low",)),
            segment("2"),
        ),
        source_language="es",
        tags={"genre": "news", "origlang": "pt", "domain": "economy"},
        comprehension=(question,),
    )
    train = Document(id="train", segments=(segment("1"),), source_language="hi")
    return TestSet(
        name="all",
        source_language="mul",
        target_language="en",
        documents=(market, train),
        systems=(
            System(name="cedar", site="north", tags={"limited corpus": "yes"}),
            System(name="birch pro", kind="human", reference="B"),
        ),
        references=("A", "B"),
    )


def faults_of(*files: SetFile, format: str | None = None) -> list[Problem]:  # noqa: A002
    """What is wrong with these files; fails if nothing is."""
    try:
        read_test_set(files, format=format)
    except InputError as error:
        return list(error.problems)
    raise AssertionError("no fault was found")


def plain(kind: str, text: str, name: str = "", file: str = "") -> SetFile:
    """A plain text file in a role."""
    role = Role(kind, name)  # type: ignore[arg-type]
    return SetFile(file or f"{kind}{name}.txt", text.encode(), role)


# Characters that may stand in a text, of every length in UTF-8; no controls, no surrogates.
_LETTERS = st.one_of(
    st.sampled_from(
        "abc XYZ&<>\"';:=,|{}[]()/\\`#%@!?-–—«»\u00a0\u0085\u2028\u200d你好न’😀e\u0301"
    ),
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"]),
)


def _text(most: int, allowed: str = "") -> st.SearchStrategy[str]:
    letters = _LETTERS if not allowed else st.one_of(_LETTERS, st.sampled_from(allowed))
    blanks = "\ufeff\u200b"
    return (
        st.text(letters, min_size=1, max_size=most)
        .filter(lambda text: "\ufeff" not in text)
        .map(lambda text: text.strip().strip(blanks).strip())
        .filter(lambda text: bool(text) and text == text.strip(blanks).strip())
    )


TEXTS = _text(30)
NAMES = _text(8).filter(lambda name: ":tag:" not in name)


TAGS = st.dictionaries(NAMES, TEXTS, max_size=2)


@st.composite
def odd_sets(draw: st.DrawFn) -> TestSet:
    """Test sets that every format can hold: odd texts and names, documents and segments."""
    names = draw(st.lists(NAMES, min_size=2, max_size=4, unique_by=str.lower))
    cut = draw(st.integers(1, len(names) - 1))
    references, systems = names[:cut], names[cut:]
    has_source = draw(st.booleans())
    documents = tuple(
        Document(
            id=document,
            segments=tuple(
                Segment(
                    id=number,
                    source=draw(TEXTS) if has_source else None,
                    references={name: draw(TEXTS) for name in references},
                    translations={name: Translation(draw(TEXTS), draw(TAGS)) for name in systems},
                    tags=draw(TAGS),
                )
                for number in draw(st.lists(NAMES, min_size=1, max_size=2, unique=True))
            ),
        )
        for document in draw(st.lists(NAMES, min_size=1, max_size=2, unique=True))
    )
    return TestSet(
        documents=documents,
        systems=tuple(System(name=name) for name in systems),
        references=tuple(references),
    )
