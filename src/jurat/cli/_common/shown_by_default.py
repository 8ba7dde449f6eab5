"""What each analysing command prints by default, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jurat.cli._common.result_summary import Hint, Measure, Summary

if TYPE_CHECKING:
    from jurat.results import Result

AGREEMENT = Summary(
    statistics=(
        *("n-agreement", "agreement-difference", "fleiss-kappa", "krippendorff-alpha", "gwet-ac"),
        *("icc", "pearson-mean", "intra-agreement", "span-f1"),
    ),
    options={
        "fold": ("fold-agreement",),
        "against": ("agreement-difference",),
        "spans": ("span-f1", "span-severity-agreement"),
        "method": ("cohen-kappa", "fleiss-kappa-irrcac"),
    },
    headlines=("n-agreement", "fleiss-kappa", "krippendorff-alpha", "agreement-difference"),
    measures=(
        Measure("alpha (interval)", "krippendorff-alpha", {"scale": "interval"}),
        Measure("equal answers", "n-agreement", {"n": 0}),
        Measure("at most 1 apart", "n-agreement", {"n": 1}),
        Measure("Fleiss' kappa", "fleiss-kappa"),
        Measure("AC1", "gwet-ac", {"weights": "none"}),
        Measure("alpha (ordinal)", "krippendorff-alpha", {"scale": "ordinal"}),
        Measure("ICC(A,1), one judge", "icc", {"form": "A,1"}),
        Measure("Pearson's r of two judges", "pearson-mean"),
        Measure("equal, same judge again", "intra-agreement", {"n": 0}),
        Measure("kappa, same judge again", "intra-kappa"),
        Measure("marked characters", "span-f1"),
    ),
    hints=(
        Hint("--statistic cohen-kappa", "every pair of judges"),
        Hint("--statistic left-out-kappa", "whose absence would raise agreement"),
        Hint("--statistic item-spread", "the items that judges disagree about"),
        Hint("jurat diagnose …", "the judges who stand out", ("judge",)),
    ),
)

JUDGES = Summary(
    statistics=("judge-outlier", "judge-mean", "judge-difference", "judge-easy-share"),
    options={
        "easy": ("judge-easy-share",),
        "controls": ("judge-controls",),
        "method": ("judge-severity",),
    },
    headlines=("judge-outlier",),
    rows=("judge",),
    measures=(
        Measure("difference from others", "judge-difference"),
        Measure("p", "judge-p", shows="p"),
        Measure("mean", "judge-mean", shows="value"),
        Measure("easy below top", "judge-easy-share", shows="value"),
        Measure("found by", "judge-outlier", shows="found", found="way"),
    ),
    hints=(
        Hint("--statistic removal-rank", "the systems' ranks without them", ("system",)),
        Hint("--statistic judge-severity", "strict or lenient, whatever they judged"),
        Hint("--statistic judge-self-distance,judge-drift", "who is inconsistent, or changes"),
        Hint("--easy COLUMN=VALUE", "who rates easy items below the top"),
    ),
)

SYSTEMS = Summary(
    statistics=(
        *("system-score", "adjusted-score", "system-rank", "system-cluster", "system-wins"),
        "pairwise-p",
    ),
    options={
        "macro": ("macro-score",),
        "ties": ("system-best",),
        "ranks": ("rank-agreement",),
        "method": ("pairwise-p",),
    },
    headlines=("system-score", "system-wins", "pairwise-p"),
    rows=("system",),
    measures=(
        Measure("score", "system-score"),
        Measure("wins", "system-wins"),
        Measure("rank", "system-rank"),
        Measure("cluster", "system-cluster", shows="value"),
        Measure("adjusted score", "adjusted-score"),
    ),
    hints=(
        Hint("--statistic pairwise-p,system-difference", "every pair, with its test"),
        Hint("--statistic system-z", "judges' levels set aside", ("judge",)),
        Hint("--statistic document-score", "systems on each document", ("document",)),
        Hint("--by COLUMN", "the same for each domain, genre or language"),
    ),
)


def _one_pair(named: Mapping[str, Result]) -> bool:
    """Whether only two systems were compared."""
    tested = named.get("preference-p")
    return tested is not None and len(tested.estimates) == 1


_PREFERENCES = ("preference-count", "preference-wins", "preference-p", "preference-kappa")
_PREFERENCE_OPTIONS = {
    "judgments": ("order-agreement",),
    "protocol": ("order-agreement",),
    "without_ties": ("preference-agreement",),
}
_PREFERENCE_HINTS = (
    Hint("--statistic preference-agreement,cohen-kappa", "whether judges choose alike"),
    Hint("--statistic side-bias", "whether what is shown first wins"),
    Hint("jurat systems …", "all systems ranked by these comparisons"),
)

TWO_SYSTEMS = Summary(
    statistics=_PREFERENCES,
    options=_PREFERENCE_OPTIONS,
    headlines=("preference-wins", "preference-p", "preference-kappa"),
    rows=("outcome",),
    measures=(
        Measure("share", "preference-share"),
        Measure("decisions", "preference-count", shows="value"),
        Measure("for", "preference-share", shows="side"),
    ),
    hints=_PREFERENCE_HINTS,
    fits=_one_pair,
)

SEVERAL_SYSTEMS = Summary(
    statistics=_PREFERENCES,
    options=_PREFERENCE_OPTIONS,
    headlines=("preference-wins", "preference-p", "preference-kappa"),
    rows=("system_a", "system_b"),
    measures=(
        Measure("p (Holm)", "preference-p-adjusted", shows="p"),
        Measure("a preferred", "preference-wins"),
        Measure("ahead", "preference-p", shows="side"),
    ),
    order="lowest",
    hints=_PREFERENCE_HINTS,
)

BIAS = Summary(
    statistics=("group-mean", "cohen-kappa"),
    options={"texts": ("reference-similarity",), "metric": ("group-metric",)},
    headlines=("group-mean", "group-mean-p", "cohen-kappa", "group-p"),
    rows=("group",),
    measures=(Measure("mean", "group-mean"),),
    hints=(
        Hint("--statistic group-difference,group-difference-p", "every two groups"),
        Hint("--statistic cohen-kappa", "agreement within and across references"),
        Hint("--statistic segment-spread", "the segments that differ most"),
        Hint("--texts FILE", "how similar the references are"),
    ),
)

FATIGUE = Summary(
    statistics=("quality-fall", "slice-agreement", "slice-sd", "slice-seconds", "slice-trend"),
    headlines=("quality-fall", "slice-trend", "slice-agreement"),
    rows=("slice",),
    measures=(
        Measure("mean score", "slice-mean"),
        Measure("kappa, same group", "slice-agreement", {"weights": "linear", "pairs": "within"}),
        Measure("kappa, all pairs", "slice-agreement", {"weights": "linear", "pairs": "all"}),
        Measure("SD", "slice-sd", shows="value"),
        Measure("seconds", "slice-seconds", shows="value"),
    ),
    hints=(
        Hint("--statistic slice-trend,slice-trend-p", "what rises or falls steadily, with tests"),
        Hint("--slices 10", "finer slices"),
        Hint("--group COLUMN", "judges who saw different references apart"),
    ),
)

TIME = Summary(
    statistics=("seconds-mean", "seconds-of-system", "seconds-of-judge", "hours-worked"),
    options={
        "length": ("seconds-of-length", "seconds-per-length"),
        "parts": ("seconds-share",),
        "estimated": ("seconds-ratio",),
    },
    headlines=("seconds-mean", "seconds-of-judge", "seconds-of-system", "hours-worked"),
    measures=(
        Measure("mean seconds of a decision", "seconds-mean"),
        Measure("median seconds", "seconds-median"),
        Measure("mean seconds up to the cap", "seconds-capped"),
        Measure("decisions beyond the cap", "seconds-over"),
        Measure("hours in all", "hours-worked"),
        Measure("hours expected", "hours-estimated"),
    ),
    hints=(
        Hint("--statistic seconds-of-judge", "who is slow, and who is fast", ("judge",)),
        Hint("--statistic seconds-of-length --length COLUMN", "how much longer long items take"),
        Hint("jurat fatigue …", "whether judges speed up as they go on"),
    ),
    lacking=(
        "No column tells how long decisions took: name it with --columns seconds=…, or their "
        "start and end with --columns shown_at=…,decided_at=…."
    ),
)

HEVAL = Summary(
    statistics=("heval-score", "heval-feature", "heval-ranks"),
    options={"compared": ("heval-correlation",), "construct": ("heval-construct",)},
    headlines=("heval-score", "heval-feature"),
    rows=("system",),
    measures=(
        Measure("HEval score", "heval-score", {"judge": None}),
        Measure("best on", "system-best", {"judge": None}),
    ),
    order="highest",
    hints=(
        Hint("--statistic heval-feature", "every feature of every system"),
        Hint("--statistic heval-construct", "kinds of sentence", ("construct",)),
        Hint("--with QUESTION", "whether scores go with adequacy or fluency"),
        Hint("--level document", "a score for each document"),
    ),
)

METAEVAL = Summary(
    statistics=(
        *("metric-pearson", "metric-consistency", "metric-acceq", "metric-spa"),
        "metric-coverage",
    ),
    options={
        "compare": ("metric-better-p",),
        "permutations": ("metric-better-p",),
        "method": ("metric-better-p",),
        "step": ("metric-scale",),
        "kendall": ("metric-kendall",),
        "undefined": ("metric-spearman",),
        "texts": ("metric-undifferentiated",),
    },
    headlines=("metric-consistency", "metric-pearson", "metric-spa", "metric-coverage"),
    rows=("metric",),
    measures=(
        Measure("consistency", "metric-consistency", {"judge": None}),
        Measure("r segments", "metric-pearson", {"level": "segment"}),
        Measure("r systems", "metric-pearson", {"level": "system"}),
        Measure("SPA", "metric-spa", shows="value"),
        Measure("acc-eq", "metric-acceq", shows="value"),
    ),
    order="highest",
    hints=(
        Hint("--statistic metric-better-p", "whether one metric is better than another"),
        Hint("--statistic metric-threshold", "how large a difference must be to mean something"),
        Hint("--statistic metric-kendall,metric-spearman", "rank correlations"),
        Hint("--statistic metric-left-out", "whether one system decides"),
    ),
)

MODEL_JUDGES = Summary(
    statistics=(
        *("model-pearson", "model-severity", "model-length-bias", "model-position-bias"),
        *("model-preference-agreement", "alt-test", "ppi-score"),
    ),
    headlines=("model-pearson", "people-pearson", "model-preference-agreement", "model-severity",
               "model-position-bias", "alt-test-winning-rate", "ppi-score"),
    rows=("model",),
    measures=(
        Measure("r with people", "model-pearson"),
        Measure("same preference", "model-preference-agreement"),
        Measure("severity", "model-severity"),
        Measure("first preferred", "model-position-bias"),
        Measure("consistent", "model-consistency", shows="value"),
        Measure("length", "model-length-bias", shows="value"),
        Measure("winning rate", "alt-test-winning-rate", shows="value"),
    ),
    options={"epsilon": ("alt-test-p",)},
    hints=(
        Hint("--statistic ppi-score,ppi-people-score", "systems by people and model", ("system",)),
        Hint("--statistic alt-test-p", "the model against each person"),
        Hint("--statistic people-pearson", "how well one person agrees with the others"),
    ),
)  # fmt: skip

SUGGESTIONS = Summary(
    statistics=("suggestion-fate", "suggestion-score", "suggestion-agreement"),
    headlines=(
        *("suggestion-fate", "suggestion-added", "suggestion-score", "suggestion-errors"),
        "suggestion-agreement",
    ),
    measures=(
        Measure("kept", "suggestion-fate", {"fate": "kept"}),
        Measure("changed", "suggestion-fate", {"fate": "changed"}),
        Measure("removed", "suggestion-fate", {"fate": "removed"}),
        Measure("added", "suggestion-added"),
        Measure("score, with − without", "suggestion-score", {"suggestions": "difference"}),
        Measure("errors, with − without", "suggestion-errors", {"suggestions": "difference"}),
    ),
    hints=(
        Hint("--statistic judge-suggestion-fate", "what each judge kept, changed and removed"),
        Hint("--statistic suggestion-agreement", "every coefficient, with less without"),
        Hint("jurat agreement … --by suggested", "agreement with and without"),
    ),
)

PLANNING = Summary(
    statistics=("plan-segments", "stable-ranking"),
    headlines=("plan-segments", "stable-ranking"),
    measures=(
        Measure("of every system", "plan-segments"),
        Measure("", "plan-documents"),
        Measure("of each translation", "plan-judgments"),
        Measure("", "plan-judges"),
        Measure("", "plan-kits"),
        Measure("in all", "plan-decisions"),
        Measure("of all judges", "plan-hours"),
        Measure("found with the wanted power", "plan-difference"),
    ),
    hints=(
        Hint("--statistic plan-power,plan-interval", "precision with fewer or more segments"),
        Hint("--statistic plan-deviation", "the variances behind it"),
        Hint("--from FILE", "variances from your judgments"),
    ),
)


def _looked_at_order(named: Mapping[str, Result]) -> bool:
    """Whether it was asked which neighbours in the order are settled."""
    settled = named.get("order-settled")
    return settled is not None and not settled.reason


STOPPING = Summary(
    statistics=("order-settled",),
    headlines=("order-settled",),
    rows=("system_a", "system_b"),
    measures=(
        Measure("difference", "order-difference"),
        Measure("probability", "order-probability", shows="value"),
        Measure("settled", "order-settled", shows="value"),
        Measure("more judgments", "more-judgments", shows="value"),
    ),
    fits=_looked_at_order,
)


def of_scores(results: Sequence[Result]) -> Summary:
    """The summary of `jurat score`: a column for each metric that was computed."""
    metrics = dict.fromkeys(str(e.by["metric"]) for r in results for e in r.estimates)
    references = {e.by.get("reference") for r in results for e in r.estimates if r.name == _SCORE}
    return Summary(
        statistics=(),
        headlines=(_SCORE,),
        rows=("reference", "system") if len(references) > 1 else ("system",),
        measures=tuple(Measure(metric, _SCORE, {"metric": metric}) for metric in metrics),
        hints=(
            Hint("--statistic metric-difference,metric-p", "every two systems, with the test"),
            Hint("--level segment", "a score for each segment"),
            Hint("--out scores.csv", "all scores as a table, for jurat metaeval"),
        ),
    )


_SCORE = "metric-score"

# By the folder of `jurat.stats`; of several, the first that fits is shown.
SUMMARIES: Mapping[str, tuple[Summary, ...]] = {
    "agreement": (AGREEMENT,),
    "bias": (BIAS,),
    "fatigue": (FATIGUE,),
    "heval": (HEVAL,),
    "judges": (JUDGES,),
    "metaeval": (METAEVAL,),
    "model_judges": (MODEL_JUDGES,),
    "planning": (STOPPING, PLANNING),
    "preferences": (TWO_SYSTEMS, SEVERAL_SYSTEMS),
    "suggestions": (SUGGESTIONS,),
    "systems": (SYSTEMS,),
    "time": (TIME,),
}
