"""All campaigns side by side: each with its state and how far it is."""

import re

from tests.campaigns.setting import plan, task
from tests.web.visiting import Visitor, Website, words


def rows(ada: Visitor, query: str = "") -> list[str]:
    page = ada.get(query).text
    table = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [words(row) for row in re.split("</tr>", table) if row.strip()]


def test_every_campaign_with_how_far_it_is(site: Website, ada: Visitor):
    site.setting.create(plan(task("da")) | {"name": "second", "title": "Another"})
    judges = site.setting.judges(3)
    site.setting.start()
    done = site.setting.all_kits(judges[0].id)
    evaluated = sum(step.phase == "evaluation" for step in done)
    by_name = rows(ada, "?sort=name")
    assert by_name[0].startswith("Another Not started 0 / 12")
    assert by_name[1].startswith(f"Rating in spring Running {evaluated} / 12")
    assert "02/03/2026" in by_name[1]
    assert rows(ada, "?sort=-done") == by_name[::-1]
    site.service.act("try", "stop", author="boss")
    assert "Rating in spring Stopped" in rows(ada, "?sort=-name")[0]
