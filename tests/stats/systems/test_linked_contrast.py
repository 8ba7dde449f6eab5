"""Systems without common judges or documents are compared through a system that has both.

The oracle is arithmetic: where all else is balanced, least squares adds up the two differences.
"""

import numpy as np
import pytest

from jurat.stats.systems.expected_wins import SystemWins
from jurat.stats.systems.linked_contrast import LINKED
from jurat.stats.systems.pairwise import PairwiseP, SystemDifference
from jurat.stats.systems.win_counts import OTHER_SEVERITY
from tests.stats.systems.finding import only, results
from tests.stats.tables import evaluation

HEADER = "judge,document,segment,system,value"


def two_sites(*, link: bool = True) -> tuple[list[str], float]:
    """A table in which four stricter judges have other systems, and the difference a − c in it."""
    rng = np.random.default_rng(3)
    rows, sums = [], dict.fromkeys(("ab", "bc"), 0.0)
    for site, systems in (("north", "ab"), ("south", "bc")):
        for judge in range(4):
            for document in range(8):
                given = np.round(rng.normal(size=2) - 2 * (site == "south"), 2)
                sums[systems] += float(given[0] - given[1]) / 32
                rows += [
                    f"{site}{judge},d{document},{document},{system},{value}"
                    for system, value in zip(systems, given, strict=True)
                    if link or system != "b"
                ]
    return rows, sum(sums.values())


@pytest.mark.parametrize("what", ["judges", "documents"])
def test_systems_that_share_nothing_are_compared_through_one_that_shares_with_both(what):
    rows, expected = two_sites()
    if what == "documents":
        rows = [
            f"{document},{judge},{judge},{rest}"
            for judge, document, _, rest in (row.split(",", 3) for row in rows)
        ]
    table = evaluation("\n".join([HEADER, *rows]))
    found = results(SystemDifference, table, bootstrap=1)["system-difference"]
    difference = only(found, system_a="a", system_b="c")
    assert difference.value == pytest.approx(expected)
    assert difference.low < 0 < difference.high
    assert difference.note == LINKED


def test_without_such_a_system_the_headline_says_what_the_difference_assumes():
    rows, _ = two_sites(link=False)
    found = results(PairwiseP, evaluation("\n".join([HEADER, *rows])))["pairwise-p"]
    assert only(found, system_a="a", system_b="c").value < 0.05
    assert "judged by different judges: that holds only if" in found.headline


def test_two_systems_alone_are_compared_on_what_they_share():
    # a has easy sentences of its own, and is worse by 1 or 2 on those that both have
    rows = [f"x,e{n},e{n},a,{9 + n % 3}" for n in range(80)]
    rows += [
        f"x,d{n},d{n},{system},{5 + up + n % 2 * up}"
        for n in range(30)
        for system, up in (("a", 0), ("b", 1))
    ]
    found = results(SystemDifference, evaluation("\n".join([HEADER, *rows])), bootstrap=1)
    difference = only(found["system-difference"], system_a="b", system_b="a")
    assert difference.value == pytest.approx(1.5)
    assert LINKED not in difference.note


def test_the_headline_of_wins_over_other_judges_says_that_judges_differ():
    # two judges of each site have the system of their site alone, two that of both
    rows = [row for row in two_sites()[0] if (row[5] in "01") == (",b," not in row)]
    found = results(SystemWins, evaluation("\n".join([HEADER, *rows])), bootstrap=1)["system-wins"]
    assert found.headline.endswith(OTHER_SEVERITY)
