"""Real translations beside the project, and texts that break tokenizers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st


class Corpus(NamedTuple):
    """Hypotheses and the references of each."""

    hypotheses: list[str]
    references: list[list[str]]

    @property
    def streams(self) -> Any:
        """The references as sacreBLEU wants them: all first ones, all second ones or nothing."""
        most = max(map(len, self.references))
        return [
            [texts[n] if n < len(texts) else None for texts in self.references] for n in range(most)
        ]

    def first(self, size: int) -> "Corpus":
        """Some of it, where all of it takes the peer too long."""
        return Corpus(self.hypotheses[:size], self.references[:size])


def columns(path: Path, *names: str) -> list[list[str]]:
    """Columns of a table with tabs."""
    header, *rows = (line.split("\t") for line in path.read_text("utf-8").rstrip("\n").split("\n"))
    return [[row[header.index(name)] for row in rows] for name in names]


SETS = {
    "wmt23 NLLB": ("wmt23_metrics_ende/texts_en-de.tsv", "NLLB_Greedy", ["refA"]),
    "two references": ("multiref_eten/et-en.tsv", "mt", ["ref1", "ref2"]),
    "wmt14 sys1": ("wmt14_hien/hi-en.outputs.tsv", "sys1", ["ref"]),
}
"""File, column of the hypotheses and columns of the references: German, and English from two
languages, with one reference and with two."""


def corpus(shared: Path, name: str) -> Corpus:
    """A set of real translations."""
    file, system, references = SETS[name]
    hypotheses, *texts = columns(shared / file, system, *references)
    return Corpus(hypotheses, [list(row) for row in zip(*texts, strict=True)])


PIECES = (
    *"ab .,.,--'’/09५٣½①",
    *"中。、，।\u2014€+$_é\u0301क्षा\u200d🙂\u2a6d\u2f81\U00020000",
    *" \t\n\r\x1c\x85\u2001\u2028\u3000\u200b\ufeff\x00\ud800",
    *("<skipped>", "-\n", "&quot;", "&amp;", "&lt;", "&gt;", "3.14", "1,000", "2010-2014", "..."),
)
"""What tokenizers treat in their own ways."""

strange = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
anything = st.text(st.characters(), max_size=8)
texts = strange | anything
pairs = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=6)
"""Hypotheses with one to three references."""


def made(pairs: Sequence[tuple[str, list[str]]]) -> Corpus:
    """A corpus of made-up pairs."""
    return Corpus([text for text, _ in pairs], [references for _, references in pairs])
