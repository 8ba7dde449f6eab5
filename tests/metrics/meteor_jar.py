"""The original program of METEOR, which a package from elsewhere carries; it needs Java."""

import re
import subprocess
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jurat.metrics.meteor_languages import Abbreviations
from tests.machine import java

JAR = Path(str(files("pycocoevalcap.meteor") / "meteor-1.5.jar"))
NAMES = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "cs": "czech",
    "ru": "russian",
}
CODES = {"cs": "cz"}
"""Where the program's code of a language is another than ISO's."""
UTF_8 = ("-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8")
QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1G")


@dataclass(frozen=True)
class Scores:
    """What the program prints: a score for each segment, and that of the whole."""

    segments: list[float]
    corpus: float


def run(*words: str | Path, text: str = "") -> str:
    """What one of the jar's programs prints."""
    command = [java.find(), *UTF_8, *QUICK, "-cp", JAR, *words]
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def score(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *options: str | Path,
    folder: Path,
) -> Scores:
    """The scores of hypotheses, each with the same number of references."""
    test, truth = folder / "test.txt", folder / "references.txt"
    test.write_text("".join(f"{text}\n" for text in hypotheses), "utf-8")
    truth.write_text("".join(f"{text}\n" for texts in references for text in texts), "utf-8")
    printed = run("Meteor", test, truth, "-r", str(len(references[0])), *options)
    found = [float(number) for number in re.findall(r"^Segment \d+ score:\t(\S+)", printed, re.M)]
    assert len(found) == len(hypotheses)
    final = re.search(r"^Final score:\s+(\S+)", printed, re.M)
    assert final
    return Scores(found, float(final[1]))


def stems(language: str, words: Sequence[str]) -> dict[str, str]:
    """The program's stems of words."""
    printed = run("Stemmer", language, text="".join(f"{word}\n" for word in words))
    return dict(zip(words, printed.split(), strict=True))


def normalised(language: str, texts: Sequence[str]) -> list[list[str]]:
    """The words of texts as the program's tokenizer cuts them."""
    code = CODES.get(language, language)
    program = "edu.cmu.meteor.util.Normalizer"
    printed = run(program, code, "true", text="".join(f"{text}\n" for text in texts))
    return [line.split(" ") if line else [] for line in printed.split("\n")[:-1]]


def part(name: str) -> str:
    """A text that is in the jar."""
    with zipfile.ZipFile(JAR) as jar:
        return jar.read(name).decode("utf-8")


def function_words(language: str) -> frozenset[str]:
    """The program's list of function words."""
    return frozenset(part(f"function/{NAMES[language]}.words").split())


def abbreviations(language: str) -> Abbreviations:
    """The program's list of abbreviations."""
    rows = [line.split() for line in part(f"nonbreaking/{NAMES[language]}.prefixes").split("\n")]
    kinds = {row[0]: row[1:] for row in rows if row and not row[0].startswith("#")}
    numbers = {word for word, mark in kinds.items() if "#NUMERIC_ONLY#" in mark}
    return Abbreviations(frozenset(kinds.keys() - numbers), frozenset(numbers))
