"""Writes docs/checklists.md from the declaration that also gives the answers."""

from pathlib import Path

from jurat.report.checklists import CHECKLISTS, origins
from jurat.report.study_details import ASKED, LONGEST

PAGE = Path(__file__).parents[2] / "docs" / "checklists.md"
HEAD = f"""# Checklists

[`jurat report --paper`](report.md#for-a-paper) fills in the Responsible NLP checklist of ARR, the
checklist of NeurIPS and the datasheet HEDS 3.0: with what the judgments and the campaign tell, and
with the section `report` of [campaign.yaml](campaigns.md#campaign-yaml). What nobody said is *not
answered*. The answers are a draft: authors sign them.

Questions are put in short words here. Their numbers are those of [ARR's
page](https://aclrollingreview.org/responsibleNLPresearch/) as updated for October 2024, of the
sixteen items of NeurIPS, and of the [web form of HEDS 3.0](https://nlp-heds.github.io/), whose
subordinate questions, such as 1.3.1.1 or 3.1.3.1, are answered together. Venues change their forms:
compare them before you submit.

```yaml
report:
  recruitment: Students of translation, by a notice at the university.
  pay: 15 euros an hour; the minimum wage is 12.82.
  ethics: Approved by the ethics committee of the faculty, number 2026-17.
  preregistration: no
```

Each word is a text of at most {LONGEST:,} letters. They can be changed at any time.

| word | says |
|---|---|
"""


def content() -> str:
    """The whole page."""
    words = "".join(f"| `{name}` | {asked} |\n" for name, asked in ASKED.items())
    parts = [HEAD + words]
    for checklist in CHECKLISTS:
        rows = "".join(
            f"| {item.number} | {item.asks} | {origins(item)} |\n" for item in checklist.items
        )
        parts.append(
            f"## {checklist.title}\n\n| item | question | where the answer comes from |\n"
            f"|---|---|---|\n{rows}"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(content(), "utf-8")
