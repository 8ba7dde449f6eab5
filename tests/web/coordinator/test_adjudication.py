"""What waits for an adjudicator, and what is settled, as a coordinator sees it."""

from pathlib import Path

from tests.campaigns.setting import NAME, plan, task
from tests.web.visiting import website, words


def test_the_queue(tmp_path: Path):
    with website(tmp_path) as site:
        rating = task(wanted=2, kits={"documents": 2}, one_system_per_segment=False)
        judges = site.setting.launch(plan(rating), judges=2)
        for judge, quality in zip(judges, (0.9, 0.4), strict=True):
            site.setting.all_kits(judge, quality)
        (slip,) = site.slips(1, role="coordinator")
        boss = site.visitor().follow(slip)
        said = words(boss.get("desk/adjudication").text)
        assert "12 cases to settle" in said
        assert "Nobody is an adjudicator yet." in said
        assert "40 · 90" in said
        assert "cedar" in said
        assert "0 cases to settle" in words(boss.get("desk/adjudication?more-than=50").text)
        wise, *_ = site.setting.judges(1, role="adjudicator")
        case, *_ = site.service.cases(NAME, wise.id, "rating")
        site.service.adjudicate(NAME, wise.id, "rating", case.key, {"adequacy": 70})
        said = words(boss.get("desk/adjudication?more-than=x").text)
        assert "11 cases to settle" in said
        assert "One is settled" in said
