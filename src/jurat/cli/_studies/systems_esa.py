"""ESA at WMT23: whether two protocols order the systems alike, and the scores themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jurat.cli._studies.command_output import Answer, command

DATASET = "esa_wmt23"
PROTOCOLS = {"ESA": "score", "ESAspans": "mqm_from_spans", "DASQM": "wmt_da_sqm"}


def recomputed(data: Path) -> Iterator[tuple[str, Answer]]:
    """The 2028 items that ESA-1 and WMT's own scores have in common."""
    printed = command(
        "systems",
        data / "ESA-1.csv",
        data / "wmt_scores.csv",
        *("--questions", "score,mqm_from_spans,n_spans,wmt_mqm,wmt_da_sqm"),
        *("--where", "not in_2028 == 0"),
        *("--statistic", "score-correlation,system-score"),
    )
    for name, question in PROTOCOLS.items():
        of = {"level": "system", "question_a": question, "question_b": "wmt_mqm"}
        if question == "wmt_da_sqm":
            of |= {"question_a": "wmt_mqm", "question_b": question}
        yield (
            f"sys-{name}-spearman",
            printed.value("score-correlation", coefficient="spearman", **of),
        )
        yield (
            f"sys-{name}-acc",
            100 * printed.value("score-correlation", coefficient="accuracy", **of),
        )
    for id_, question in (("mean-ESA1", "score"), ("spans-ESA1", "n_spans")):
        rows = printed.rows("system-score", question=question)
        judged = sum(row["n"] for row in rows)
        assert judged == 2028
        yield id_, sum(row["value"] * row["n"] for row in rows) / judged
