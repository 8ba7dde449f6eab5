"""What results call their parts, as a reader of pages knows it: `linear` is `linear weights`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from jurat.i18n import DEFAULT, languages

# Columns that name the rule by which a judge stands out.
WAYS = ("way", "way_a", "way_b")

# Headings of tables and titles of axes, by the name of the key.
HEADINGS: Mapping[str, str] = {
    "definition": "counted as",
    "kept": "scores of",
    "measure": "of what",
    "pairs": "pairs of judges",
    "scope": "answers of",
    "slice": "part of a judge's work, %",
    "towards": "side",
    "way": "by their",
    "way_a": "by their",
    "way_b": "and by their",
}

# Values of these keys; others are names of the data, and stand as they are.
VALUES: Mapping[str, Mapping[str, str]] = {
    "weights": {
        "none": "unweighted",
        "linear": "linear weights",
        "quadratic": "quadratic weights",
        "ordinal": "ordinal weights",
        "one-off": "off by one is equal",
    },
    "pairs": {
        "all": "all judges",
        "within": "same reference",
        "across": "different references",
        "source": "both saw the source",
    },
    "scope": {"inter": "two judges", "intra": "the same judge twice"},
    "definition": {"clean": "Jurat counts", "wmt": "WMT counts"},
    "grouping": {"none": "all at once", "item": "by segment", "system": "by system"},
    "kept": {"rest": "the other judges", "removed": "the judges found"},
    "outcome": {"tie": "no preference"},
    "side": {"found": "stands out"},
    "ties": {"with": "with ties", "without": "without ties"},
    "measure": {
        "sd": "spread of scores",
        "mean": "mean score",
        "seconds": "seconds",
        "distance": "distance from others",
        "agreement": "agreement",
    },
    "form": {
        "1,1": "1,1: one judge, others each time",
        "A,1": "A,1: one judge, same scores",
        "C,1": "C,1: one judge, same order",
        "1,k": "1,k: mean of all, others each time",
        "A,k": "A,k: mean of all, same scores",
        "C,k": "C,k: mean of all, same order",
        "b": "Kendall's τ-b",
        "c": "Stuart's τ-c",
    },
}

# What results measure, as the axis of a figure names it.
MEASURES: Mapping[str, str] = {
    "brennan-prediger": "Brennan and Prediger's kappa",
    "cohen-kappa": "Cohen's kappa",
    "conger-kappa": "Conger's kappa",
    "davidson-ties": "odds of a tie, to 2",
    "fleiss-expected": "agreement by chance",
    "fleiss-kappa": "Fleiss' kappa",
    "fleiss-observed": "agreement",
    "gwet-ac": "Gwet's AC",
    "PDP": "pairwise difference Pearson",
    "SPA": "soft pairwise accuracy",
    "icc": "intraclass correlation",
    "intra-distance": "distance of repeated answers",
    "intra-kappa": "kappa of repeated answers",
    "intra-pearson": "Pearson's r of repeated answers",
    "judge-controls": "share of control items passed",
    "judge-difference": "difference from others",
    "judge-distance": "distance from others",
    "judge-drift": "change from first to last",
    "judge-easy-share": "share of easy items rated lower",
    "judge-entropy": "entropy of answers, bits",
    "judge-infit": "inconsistency (infit)",
    "judge-longest-run": "equal answers in a row",
    "judge-middle-share": "share of answers in the middle",
    "judge-others-mean": "mean score of the others",
    "judge-outfit": "inconsistency (outfit)",
    "judge-pace": "pace",
    "judge-seconds": "median seconds",
    "judge-self-distance": "distance of repeated answers",
    "judge-severity": "severity, points",
    "kendall-mean": "mean of Kendall's τ",
    "kendall-w": "Kendall's W",
    "krippendorff-alpha": "Krippendorff's alpha",
    "kway-agreement": "share of groups that agree",
    "pearson-mean": "mean of Pearson's r",
    "scott-pi": "Scott's pi",
    "side-effect": "advantage of the side shown first",
    "span-count-distance": "difference of the numbers of errors",
    "span-f1": "F1 of marked characters",
    "span-f1-partial": "F1, half credit for other severities",
    "span-severity-agreement": "share of equal severities",
    "spearman-mean": "mean of Spearman's ρ",
}

# What the numbers of a table are, where neither its axis nor the list above says it.
NUMBERS: Mapping[str, str] = {
    "hours-worked": "hours",
    "judge-influence-ranks": "systems",
    "judge-outlier": "1: stands out",
    "metric-accuracy": "share of pairs",
    "metric-pairs": "pairs",
    "metric-threshold": "difference",
    "metric-threshold-share": "share of pairs",
    "outlier-overlap-side": "judges",
    "outliers-side": "judges",
    "overall-mean": "mean score",
    "preference-agree": "pairs",
    "preference-expected": "agreement by chance",
    "preference-observed": "share of pairs",
    "preference-pairs": "pairs",
    "preference-ties": "ties",
    "preference-total": "decisions",
    "quality-fall": "decisions",
    "removal-kendall": "Kendall's τ",
    "removal-mean": "mean score",
    "removal-pearson": "Pearson's r",
    "removal-rank": "rank",
    "removal-spearman": "Spearman's ρ",
    "removed-share": "share of judgments",
    "seconds-mean": "seconds",
    "seconds-median": "seconds",
    "seconds-over": "decisions",
    "segment-spread": "points apart",
}

# What results are that have no headline, where their method is a formula or too long for a line.
ABOUT: Mapping[str, str] = {
    "agreement-mean": "Share of equal answers, of judges, of pairs of judges and of systems",
    "davidson-ties": "How often equally strong systems tie: the odds of a tie to 2",
    "group-difference-p": "p-values of these differences, corrected by Holm's method",
    "judge-outlier": "1 where a rule names the judge, else 0",
    "judge-others-mean": "What the others gave to the same items, on average",
    "judge-p": "p-values of every judge and rule, corrected by Holm's method",
    "judge-pace": "Seconds in relation to the others' on the same items",
    "metric-accuracy": "Share of pairs of systems that the metric orders as people do",
    "metric-better-difference": "How far metrics differ",
    "metric-consistency-p": "p-values: does the metric go with the judge at all?",
    "metric-epsilon": "ε, the difference of scores up to which a tie fits people best",
    "metric-spearman-p": "p-values: does the metric go with the judge at all?",
    "metric-spearman-undefined": "Segments without a correlation: all judgments or scores tie",
    "metric-verdicts": "What judges decided, and what the metric says to it",
    "outlier-overlap": "Judges whom two rules name",
    "outlier-overlap-side": "Strict and lenient judges whom two rules name",
    "outliers": "How many judges each rule names",
    "outliers-side": "How many strict and lenient judges each rule names",
    "overall-mean": "Mean of all judges",
    "pairwise-p-these-judges": "p-values for these judges only, where documents alone vary",
    "preference-agree": "Pairs of decisions that agree",
    "preference-expected": "Agreement by chance",
    "preference-observed": "Share of pairs of decisions that agree",
    "preference-p-adjusted": "p-values corrected by Holm's method",
    "preference-p-these-judges": "p-values for these judges only, where documents alone vary",
    "preference-pairs": "Pairs of decisions that can be compared",
    "preference-share": "Share of all decisions",
    "preference-ties": "Ties behind the agreement by chance",
    "preference-total": "Decisions behind the agreement by chance",
    "removal-kendall": "How alike systems' scores are without these judges: Kendall's τ",
    "removal-mean": "Mean scores of the judges who are left, and of those left out",
    "removal-rank": "Systems' places with all judges and without some",
    "removal-spearman": "How alike systems' scores are without these judges: Spearman's ρ",
    "removed-share": "Share of the judgments that each rule would leave out",
    "side-bias-p": "p-value",
    "sign-test-adjusted": "p-values corrected by Holm's method",
    "slice-trend-p": "p-values of these changes",
}


# Keys whose values are ranges of numbers, such as 20-40.
RANGES = ("bin", "slice")
_RANGE = re.compile(r"^([\d.]+)-([\d.]+)$")


def heading(key: str) -> str:
    """The heading of a column, or the title of an axis."""
    return HEADINGS.get(key, key.replace("_", " "))


def value_words(key: str, value: object) -> str:
    """A value of a key in words; what is a name of the data stays."""
    if key == "series":
        return MEASURES.get(str(value), str(value))
    if key in WAYS:
        return way_words(value)
    if key in RANGES:
        return _RANGE.sub(r"\1–\2", str(value))
    return VALUES.get(key, {}).get(str(value), str(value))


@cache
def way_words(way: object) -> str:
    """The rule by which a judge stands out in words, such as `mid-scale answers` for `middle`."""
    return _ways().get(str(way), str(way))


@cache
def _ways() -> Mapping[str, str]:
    english = languages()[DEFAULT]
    start = "desk-way-"
    found = {
        key.removeprefix(start): str(english.say(key))
        for key in english.keys
        if key.startswith(start)
    }
    return {**found, "none": "nobody left out"}


# Parts of headlines about judges that name rules: in brackets with a p-value, with the number of
# judges that each finds, as the list of those that change something, and the one behind a number.
_NAMING = (
    re.compile(r"\([^()]* p [<=][^()]*\)"),
    re.compile(r"(?<= each way finds ).*"),
    re.compile(r"(?<= left out by one of these rules: ).*"),
    re.compile(r"(?<= those that a rule names correlate by at least ).*"),
)


def with_ways_in_words(headline: str) -> str:
    """A headline about judges in which the names of rules are words."""
    for part in _NAMING:
        headline = part.sub(lambda found: _each_way(found[0]), headline)
    return headline


def _each_way(text: str) -> str:
    names = "|".join(sorted(_ways(), key=len, reverse=True))
    named = re.compile(rf"(?<=[\s(,])(?:{names})(?= p [<=]| \d|,|\.$| and )|^(?:{names})(?=[ ,.])")
    return named.sub(lambda found: way_words(found[0]), text)
