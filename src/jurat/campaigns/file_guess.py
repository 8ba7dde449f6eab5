"""What uploaded files hold, guessed from their names and columns, for the coordinator to correct.

Plain text says nothing about itself, but people name their files: `source.es.txt`, `refA.en.txt`,
`news.alder.en.txt`. Columns of a table are guessed from their texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from jurat.errors import InputError
from jurat.testsets import Role, SetFile, recognise
from jurat.testsets.delimited import sample_columns

# ISO 639-1, in which nearly all file names write languages: two letters each.
_CODES = (
    "aaabafakamanarasavayazbabebgbhbibmbnbobrbscacechcocrcscucvcydadedvdzeeeleneoeseteufafffi"
    "fjfofrfygagdglgngugvhahehihohrhthuhyhziaidieigiiikioisitiujajvkakgkikjkkklkmknkokrkskukv"
    "kwkylalblglilnloltlulvmgmhmimkmlmnmrmsmtmynanbndnengnlnnnonrnvnyocojomorospapiplpsptqurm"
    "rnrorurwsascsdsesgsiskslsmsnsosqsrssstsusvswtatetgthtitktltntotrtstttwtyugukuruzvevivowa"
    "woxhyiyozazhzu"
)
CODES = frozenset(_CODES[n : n + 2] for n in range(0, len(_CODES), 2))
SOURCES = ("src", "source", "sources", "original", "orig", "input")
REFERENCE = re.compile(r"(?:reference|ref|human)s?(\d{1,3}|[a-z])?")
SYSTEMS = ("system", "systems", "sys", "output", "outputs", "mt", "hyp", "hypothesis")
DOCUMENTS = ("doc", "docs", "document", "documents", "docid", "docids")
# Parts of a name, as people separate them; `es-en` is two languages.
PARTS = re.compile(r"[^\W_]+")
NUMBER = re.compile(r"[-+]?[\d.,]+%?")


class FileGuess(NamedTuple):
    """What files seem to hold."""

    roles: dict[str, Role]
    """By file; files that say it themselves have none."""
    columns: dict[str, dict[str, Role]]
    """Of columns whose headings do not say it, by file and heading."""
    source_language: str
    target_language: str


def guess_files(files: Sequence[SetFile], known: Mapping[str, Role | None]) -> FileGuess:
    """What new files hold that have no role yet; `known` are the roles of the files before."""
    plain = [file.name for file in files if file.role is None and _is_plain(file)]
    words = {name: _words(name) for name in plain}
    shared = set.intersection(*map(set, words.values())) if len(words) > 1 else set()
    taken = {(role.kind, role.name) for role in known.values() if role}
    named = {name: _role(name, parts, shared) for name, parts in words.items()}
    if foreign := _in_another_language(words, named, known):
        named[foreign] = Role("source")
    roles: dict[str, Role] = {}
    for name, role in named.items():
        # only one file can be the source, or a system of this name
        others = (role, Role("system", PurePosixPath(name).stem))
        free = [one for one in others if (one.kind, one.name) not in taken]
        if free:
            taken.add((free[0].kind, free[0].name))
            roles[name] = free[0]
    columns = {file.name: guess_columns(file) for file in files if file.name not in roles}
    source, target = _languages(words, roles)
    found = {name: own for name, own in columns.items() if own}
    return FileGuess(roles, found, source, target)


def guess_columns(file: SetFile) -> dict[str, Role]:
    """The roles of columns whose headings do not say them: numbers are ignored, texts systems.

    Words by which files are recognised as source and references count in headings, too.
    """
    columns = sample_columns(file)
    found: dict[str, Role] = {}
    has_source = any(one.holds and one.holds.holds == "source" for one in columns)
    for column in columns:
        if column.holds is None and column.heading:
            role = _column_role(column.heading, column.text.strip())
            # the first that is called so: `source_text` comes before `source_domain`
            if role.kind == "source" and has_source:
                role = Role("system", column.heading)
            has_source = has_source or role.kind == "source"
            found[column.heading] = role
    return found


def _column_role(heading: str, text: str) -> Role:
    if not text or NUMBER.fullmatch(text):
        return Role("ignore")
    role = _role(heading, PARTS.findall(heading), set())
    return role if role.kind in ("source", "reference") else Role("system", heading)


def _is_plain(file: SetFile) -> bool:
    """Whether a file is plain text: named so, or by its language, such as `alder.en`."""
    try:
        return recognise(file).name == "plain"
    except InputError:
        return file.ending in CODES and b"\0" not in file.data[:1024]


def _words(name: str) -> list[str]:
    path = PurePosixPath(name)
    # the ending is a word too, since it may be a language: `source.es`
    text = path.stem if path.suffix.lower() == ".txt" else path.name
    return PARTS.findall(text)


def _role(name: str, parts: Sequence[str], shared: set[str]) -> Role:
    for part in parts:
        word = part.lower()
        if word in SOURCES:
            return Role("source")
        if word in DOCUMENTS:
            return Role("documents")
        if found := REFERENCE.fullmatch(word):
            own = part[found.start(1) :] if found[1] else ""
            return Role("reference", own or _own(parts, shared, {part}) or part)
    # a word that only says that it is a system, before the system's name
    named = [p for p in parts if p.lower() not in CODES and p not in shared]
    kind = {part for part in named[:1] if part.lower() in SYSTEMS}
    own = _own(parts, shared, kind) or _own(parts, shared, set())
    return Role("system", own or PurePosixPath(name).stem)


def _in_another_language(
    words: Mapping[str, Sequence[str]],
    roles: Mapping[str, Role],
    known: Mapping[str, Role | None],
) -> str:
    """The one file that is in another language than all others, where none is named the source."""
    if any(role.kind == "source" for role in (*roles.values(), *filter(None, known.values()))):
        return ""
    files: dict[str, list[str]] = {}
    for name, parts in words.items():
        codes = {part.lower() for part in parts if part.lower() in CODES}
        if len(codes) == 1 and roles[name].kind != "documents":
            files.setdefault(codes.pop(), []).append(name)
    single = [names[0] for names in files.values() if len(names) == 1]
    # of two files in two languages nobody can tell which is the source
    found = single[0] if len(files) == 2 and len(single) == 1 else ""
    return found if found and roles[found].kind == "system" else ""


def _own(parts: Sequence[str], shared: set[str], without: set[str]) -> str:
    """What is left of a file's name without languages and what all names have."""
    kept = [p for p in parts if p.lower() not in CODES and p not in shared and p not in without]
    return "-".join(kept)


def _languages(words: Mapping[str, Sequence[str]], roles: Mapping[str, Role]) -> tuple[str, str]:
    """The languages of the source and of most other files; empty where names do not say them."""
    source = ""
    others: Counter[str] = Counter()
    for name, parts in words.items():
        codes = [part.lower() for part in parts if part.lower() in CODES]
        kind = roles[name].kind if name in roles else ""
        if len(codes) == 2 and codes[0] != codes[1]:
            source = source or codes[0]
            others[codes[1]] += 1
        elif codes and kind == "source":
            source = codes[-1]
        elif codes and kind in ("reference", "system"):
            others[codes[-1]] += 1
    target = others.most_common(1)[0][0] if others else ""
    return source, target
