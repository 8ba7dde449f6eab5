"""Whether what a judge receives predicts what is hidden from them.

Every step that comes over HTTP becomes a `Sample`: the kit in which it came, its features (all that
is in the bytes but the words of texts) and the hidden truth. `find_leaks` looks for the single
feature that predicts a hidden property best. Its test is exact: labels are exchangeable within a
kit, so that the number of hits of a feature is a sum of hypergeometric variables. Over all tests of
a run the probability of a false alarm is at most `FALSE_ALARMS`, by Bonferroni's correction for
`MOST_TESTS`; and since everything is seeded, a run that passes once passes always.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import unescape
from math import comb
from typing import NamedTuple
from zlib import crc32

import numpy as np
from httpx2 import Response

from jurat.model import Item

FALSE_ALARMS = 1e-3
# Features times classes of hidden properties, over everything that is tested in a run.
MOST_TESTS = 1_000_000
# Standard deviations below which no exact probability is needed.
FAR = 4.0

# A word of a text: five Greek letters, which no page and no protocol uses. All texts of a test set
# for this module have words of this kind and equally many of them, so that sizes are comparable.
WORD = re.compile("[α-ω]{5}")
KEY = re.compile(r'data-key="([\w-]+)/(\d+)"')
# Beginning with a sign, the search passes over what cannot match many times sooner.
PLACE = re.compile(
    r'(["/])(?:(?<=data-key="\*/)\d+|(?<=data-position=")\d+|(?<=name="position" value=")\d+'
    r'|(?<=data-ahead=")\d+|(?<= value=")\d+(?=" aria)|(?<=judge/\*/)\d+'
    r'|(?<="form_key" value=")\w+)'
)
OF_ALL = re.compile(r"([0-9]+) of \d+")
TAG = re.compile(r"<(/?\w+)([^>]*)>")
NEIGHBOURS = 4
ATTRIBUTE = re.compile(r'([\w-]+)(?:="([^"]*)")?')
# What differs between responses by itself, and says nothing about their content.
OWN_HEADERS = {"date", "set-cookie"}


class Sample(NamedTuple):
    """One step as one judge received it."""

    kit: str
    features: Mapping[str, str]
    hidden: Mapping[str, str]


class Leak(NamedTuple):
    """A feature that predicts a hidden property better than chance."""

    property: str
    feature: str
    hits: int
    expected: float
    probability: float


def steps_in(response: Response) -> Iterator[tuple[str, int, dict[str, str]]]:
    """The assignment, position and features of every step in a response."""
    headers = {f"header {n}": v for n, v in response.headers.items() if n not in OWN_HEADERS}
    headers["status"] = str(response.status_code)
    headers["address"] = re.sub(r"\d+$", "#", re.sub(r"[\w-]{16,}", _kinds, response.url.path))
    if "json" not in response.headers.get("content-type", ""):
        found = re.search(r"<article.*?</article>", response.text, re.S)
        parts = [{"html": found[0]}] if found and "data-assignment" in found[0] else []
        headers["around"] = _shape(response.text.replace(found[0], "") if found else "")
    else:
        told = response.json()
        parts = told if isinstance(told, list) else [told.get("next") or {}]
        headers["fields"] = " ".join(told if isinstance(told, dict) else ["list"])
    # lengths of a whole response are those of its step only where it carries no more
    if len(parts) > 1:
        headers.pop("header content-length", None)
    for part in parts:
        if part.get("html") and (key := KEY.search(part["html"])):
            own = {"json": " ".join(part), "assignment": _kinds(key)}
            yield key[1], int(key[2]), {**headers, **own, **_features(part["html"], key[1])}


def _kinds(found: re.Match[str]) -> str:
    """An opaque id as its length."""
    return f"<{len(found[0].partition('/')[0])}>"


def _features(html: str, assignment: str) -> dict[str, str]:
    """All features of a step's HTML."""
    # the position is a feature of its own, and would make every page unlike all others
    plain = PLACE.sub(r"\1#", html.replace(assignment, "*"))
    return _markup(WORD.sub("w", OF_ALL.sub("#", plain)))


@lru_cache(maxsize=10_000)
def _markup(masked: str) -> dict[str, str]:
    """The features of HTML without the words of its texts."""
    found = {
        "shape": f"{crc32(masked.encode()):x}",
        "size": str(len(masked)),
        "words": str(masked.count("w")),
    }
    counts: dict[str, int] = {}
    tags = [(tag, dict(ATTRIBUTE.findall(inside))) for tag, inside in TAG.findall(masked)]
    marks = [f"{tag}.{attributes.get('class', '')}" for tag, attributes in tags]
    # which tags follow each other, so that a part that sometimes lacks a line is a feature
    for n in range(len(marks) - NEIGHBOURS + 1):
        found[f"has {' '.join(marks[n : n + NEIGHBOURS])}"] = "yes"
    for (tag, attributes), mark in zip(tags, marks, strict=True):
        for name in (tag, mark):
            counts[f"count {name}"] = counts.get(f"count {name}", 0) + 1
        for name, value in attributes.items():
            key = f"{tag}[{name}]"
            found[key] = f"{found.get(key, '')} {unescape(value)}"
            found[f"{key} {unescape(value)}"] = "yes"
    return found | {name: str(count) for name, count in counts.items()}


def _shape(html: str) -> str:
    """A page around its step, without what is the session's own."""
    return f"{crc32(WORD.sub('w', re.sub(r'[0-9A-Za-z_-]{16,}|[0-9]+', '#', html)).encode()):x}"


def hidden_truth(item: Item) -> dict[str, str]:
    """What a judge must not find out about an item, by property."""
    systems = [shown.system for shown in item.translations]
    return {
        **{f"system in slot {n}": name for n, name in enumerate(systems, 1)},
        **{f"human in slot {n}": str("human" in name) for n, name in enumerate(systems, 1)},
        "control": item.control,
    }


def find_leaks(samples: Sequence[Sample]) -> list[Leak]:
    """The features that predict a hidden property, the clearest first; empty if none does."""
    table = _Table(sorted(samples, key=lambda sample: sample.kit))
    controls = [sample.hidden["control"] for sample in table.samples]
    found: list[Leak] = []
    for name in sorted({name for sample in samples for name in sample.hidden} - {"control"}):
        labels = [sample.hidden.get(name, "") for sample in table.samples]
        found += table.leaks(name, labels, [True] * len(labels))
    first_time = [control != "repeat" for control in controls]
    for kind in ("easy", "degraded", "gold"):
        found += table.leaks(kind, [str(control == kind) for control in controls], first_time)
    # A repeat follows its original, so that it is always late: the order is not hidden there.
    late = [sample.features["order half"] == "second" for sample in table.samples]
    labels = [str(control == "repeat") for control in controls]
    found += table.leaks("repeat", labels, late, without="order")
    return sorted(found, key=lambda leak: leak.probability)


class _Table:
    """Samples by kit, with a column for each value of each feature that only some of them have."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples
        values: dict[tuple[str, str], list[int]] = {}
        for n, sample in enumerate(samples):
            for pair in sample.features.items():
                values.setdefault(pair, []).append(n)
        # several features often divide the samples alike: one of them is enough
        distinct: dict[tuple[int, ...], str] = {}
        for (name, value), places in sorted(values.items()):
            if len(places) < len(samples):
                distinct.setdefault(tuple(places), f"{name} = {value}")
        self.names = list(distinct.values())
        self.columns = np.zeros((len(samples), len(distinct)))
        for n, having in enumerate(distinct):
            self.columns[list(having), n] = 1

    def leaks(
        self, name: str, labels: Sequence[str], chosen: Sequence[bool], without: str = " "
    ) -> Iterator[Leak]:
        """The leaks of a property in the chosen samples.

        Labels that are empty or False are no class of their own; features whose names begin with
        `without` are left out.
        """
        rows = [n for n, taken in enumerate(chosen) if taken]
        classes = sorted({labels[n] for n in rows} - {"False", ""})
        if not classes or not self.names:
            return
        kits = np.array([self.samples[n].kit for n in rows])
        starts = np.flatnonzero(np.r_[True, kits[1:] != kits[:-1]])
        sizes = np.diff(np.r_[starts, len(kits)])[:, None]
        columns = self.columns[rows]
        truth = np.array([[float(labels[n] == one) for one in classes] for n in rows])
        shown, true = np.add.reduceat(columns, starts), np.add.reduceat(truth, starts)
        hits, expected = columns.T @ truth, (shown / sizes).T @ true
        spread = sizes**2 * np.maximum(sizes - 1, 1)
        variance = (shown * (sizes - shown) / spread).T @ (true * (sizes - true))
        far = hits - expected > FAR * np.sqrt(variance) + 1e-9
        for feature, label in zip(*np.nonzero(far), strict=True):
            if self.names[feature].startswith(without):
                continue
            tables = np.column_stack([sizes[:, 0], shown[:, feature], true[:, label]])
            often = int(hits[feature, label])
            chance = exact_tail(tables.astype(int).tolist(), often)
            if chance < FALSE_ALARMS / MOST_TESTS:
                told = f"{name} {classes[label]}"
                mean = float(expected[feature, label])
                yield Leak(told, self.names[feature], often, mean, chance)


def exact_tail(tables: Iterable[Sequence[int]], hits: int) -> float:
    """The probability of at least so many hits by chance.

    For each kit: the number of its steps, of those with the feature and of those in the class. The
    hits in a kit are hypergeometric, and their sum is a convolution.
    """
    total = np.ones(1)
    for size, shown, true in tables:
        ways = [comb(shown, k) * comb(size - shown, true - k) for k in range(min(shown, true) + 1)]
        total = np.convolve(total, np.array(ways, dtype=float) / comb(size, true))
    return float(total[hits:].sum())
