"""Studies whose published numbers Jurat recomputes: `jurat reproduce` and the tests use the same.

A module answers for a part of a study: `DATASET` names the data set, and `recomputed(data)` yields
the ids of rows of its golden.csv with the numbers that Jurat's commands give.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Study(NamedTuple):
    """A paper or a release, its data set, and how it is read for a report."""

    title: str
    dataset: str
    """The name of the folder, as the project's own tests have it."""
    modules: tuple[str, ...]
    files: tuple[str, ...] = ()
    """What `jurat report` reads; none where no judgments were published."""
    options: tuple[str, ...] = ()
    headings: Mapping[str, str] = MappingProxyType({})
    """What the report calls columns of the files."""


# In the order of the paper, which numbers them.
HEVAL_FEATURES = (
    *("gender-number", "tense", "voice", "proper-nouns", "modifiers", "lexical-choice"),
    *("order", "punctuation", "fluency", "semantics", "overall"),
)

STUDIES = {
    "esa2024": Study(
        "Kocmi et al. 2024: error span annotation (ESA)",
        "esa_wmt23",
        ("agreement_esa_wmt23", "systems_esa"),
        ("ESA-1.csv",),
        (
            *("--columns", "item=item+system,segment=item,shown_at=start,decided_at=end"),
            *("--questions", "score", "--where", "type == 'TGT'"),
        ),
    ),
    "fomicheva2016": Study(
        "Fomicheva & Specia 2016: reference bias in monolingual evaluation",
        "tradopad",
        ("tradopad_bias", "agreement_tradopad", "metrics_tradopad"),
        ("ratings.csv",),
        (
            *("--columns", "judge=judge_id,item=item_position,position=item_position,value=rating"),
            *("--group", "condition"),
        ),
    ),
    "guzman2015": Study(
        "Guzmán et al. 2015: eye-tracking of evaluators",
        "eyetracking_mono",
        ("eyetracking_consistency", "eyetracking_time"),
        ("mono.csv",),
        ("--columns", "item=segment+quality,seconds=focused_seconds,value=score"),
    ),
    "hamon2008": Study(
        "Hamon et al. 2008: kappas from their printed parts, and their rules on a made-up panel",
        "heval_tables",
        ("hamon_kappas",),
    ),
    "heval2013": Study(
        "Joshi et al. 2013: HEval",
        "heval_tables",
        ("heval_tables",),
        ("table13_features.csv",),
        ("--columns", "system=engine", "--questions", ",".join(HEVAL_FEATURES)),
        {f"f{n}": name for n, name in enumerate(HEVAL_FEATURES, 1)},
    ),
    "mqm-ted": Study(
        "Freitag et al. 2021: MQM of TED talks, English to German",
        "mqm_ted_ende",
        ("systems_mqm_ted",),
        ("errors_ende.tsv",),
        (
            *("--sum", "weight", "--columns", "judge=rater,document=doc,segment=seg_id"),
            "--lower-better",
        ),
    ),
    "sun2010": Study(
        "Sun 2010: shares of pairs from the counts that are printed",
        "heval_tables",
        ("sun_pairs",),
    ),
    "wmt16": Study(
        "Bojar et al. 2016: WMT16's rankings, Turkish to English and others",
        "wmt16_ranking",
        ("wmt16_ranking",),
        ("wmt16.tur-eng.csv",),
    ),
    "wmt22-da": Study(
        "Kocmi et al. 2022: WMT22's direct assessment, Livonian to English",
        "wmt22_da_lven",
        ("agreement_wmt22_da_lven", "systems_wmt22_da", "wmt22_da_controls"),
        ("lv-en.csv",),
        ("--columns", "value=raw", "--where", "type == 'SYSTEM' or type == 'REPEAT'"),
    ),
    "wmt23-metrics": Study(
        "Freitag et al. 2023: WMT23's metrics task, English to German",
        "wmt23_metrics_ende",
        ("metaeval_wmt23", "metrics_wmt23_ende"),
        ("segments_en-de.tsv",),
        ("--columns", "value=mqm,document=doc"),
    ),
}
