"""docs/oracles.md: published beside recomputed, as the tests found them.

`python -m tests.oracles.page` writes it.
"""

from tests import ROOT
from tests.oracles.golden import DATASETS, Answer, Row, answers, golden

PAGE = ROOT / "docs" / "oracles.md"
INTRODUCTION = """# Other people's numbers

Every row is a number that somebody published about data that are free to use, or that another
program computed from them, and what Jurat's commands make of the same data. The table is made by
the tests (`make oracles`), which fail where a number leaves its tolerance. "does not follow" marks
numbers in print that the published data do not give; there Jurat is compared with a recomputation.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *(_section(dataset) for dataset in DATASETS)])


def _section(dataset: str) -> str:
    given = answers(dataset)
    lines = [_line(row, given[row.id]) for row in golden(dataset) if row.id in given]
    head = ["| number | published | Jurat | within | source |", "|---|---|---|---|---|"]
    return "\n".join([f"## {dataset}\n", *head, *lines, ""])


def _line(row: Row, answer: Answer) -> str:
    published = row.published if row.reproduces else f"{row.published} (does not follow)"
    if row.kind == "computed":
        published = f"{row.recomputed} (computed)"
    cells = (f"{row.id}: {row.statistic}", published, _told(answer), row.tolerance, row.source)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _told(answer: Answer) -> str:
    parts = answer if isinstance(answer, tuple) else (answer,)
    return " / ".join(part if isinstance(part, str) else _number(part) for part in parts)


def _number(value: float) -> str:
    """Six digits, and no more than a comparison of two machines bears."""
    if 0 < abs(value) < 1e-6:
        return f"{value:.2g}" if abs(value) > 1e-12 else "0"
    return f"{value:.6g}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
