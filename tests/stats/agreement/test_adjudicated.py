import pytest

from tests.stats.agreement.asking import estimates, one, results, value
from tests.stats.tables import evaluation

CSV = """judge,item,value,status
a,x,5,valid
b,x,7,valid
c,x,7,adjudicated
a,y,3,valid
b,y,4,valid
c,y,3,adjudicated
a,z,1,valid"""


def test_by_hand():
    asked = evaluation(CSV)
    # Distances 2, 0, 0, 1; z was not adjudicated.
    assert [value(asked, "adjudicated-agreement", judge="all", n=n) for n in range(3)] == [
        0.5,
        0.75,
        1,
    ]
    assert value(asked, "adjudicated-agreement", judge="a", n=1) == 0.5
    assert value(asked, "adjudicated-agreement", judge="b", n=1) == 1
    assert one(asked, "adjudicated-agreement", judge="all", n=0).n == 4


def test_words():
    words = CSV.replace(",5,", ",A,").replace(",7,", ",B,").replace(",3,", ",C,")
    words = words.replace(",4,", ",A,").replace(",1,", ",C,")
    found = estimates(evaluation(words), "adjudicated-agreement")
    assert [(e.by["judge"], e.value) for e in found] == [("all", 0.5), ("a", 0.5), ("b", 0.5)]


def test_nothing_adjudicated():
    found = one(evaluation("judge,item,value\na,x,1"), "adjudicated-agreement")
    assert (found.value, found.reason) == (None, "nothing was adjudicated")


def test_intervals():
    found = one(evaluation(CSV), "adjudicated-agreement", {"bootstrap": 50}, judge="all", n=0)
    assert found.low <= found.value <= found.high


def test_a_few_cases_that_all_agree_are_no_certainty():
    found = one(evaluation(CSV), "adjudicated-agreement", {"bootstrap": 50}, judge="b", n=1)
    # Wilson's lower end of 2 out of 2.
    assert (found.value, found.high) == (1, 1)
    assert round(found.low, 4) == 0.3424
    never = one(
        evaluation(CSV.replace("c,x,7", "c,x,1")),
        "adjudicated-agreement",
        {"bootstrap": 50},
        judge="b",
        n=0,
    )
    assert (never.value, never.low) == (0, 0)
    assert round(never.high, 4) == 0.6576


CSV_ADJUDICATED_DIFFERENCE = """judge,item,value,status
a,x,5,valid
b,x,7,valid
c,x,7,adjudicated
a,y,3,valid
b,y,4,valid
c,y,3,adjudicated
a,z,1,valid"""


def test_by_hand_of_adjudicated_difference():
    asked = evaluation(CSV_ADJUDICATED_DIFFERENCE)
    # Differences of a: −2 and 0, of b: 0 and +1; z was not adjudicated.
    told = {"a": (1, -1), "b": (0.5, 0.5), "all": (0.75, -0.25)}
    for judge, (distance, difference) in told.items():
        assert value(asked, "adjudicated-distance", judge=judge) == distance
        assert value(asked, "adjudicated-difference", judge=judge) == difference
    assert one(asked, "adjudicated-difference", judge="all").n == 4
    assert one(asked, "adjudicated-difference", judge="b").n == 2


def test_the_last_settlement_counts():
    asked = evaluation(f"{CSV_ADJUDICATED_DIFFERENCE}\nd,x,6,adjudicated")
    assert value(asked, "adjudicated-difference", judge="b") == 1


def test_a_single_case_has_no_interval():
    asked = evaluation("judge,item,value,status\na,x,5,valid\nb,x,7,valid\nc,x,6,adjudicated")
    found = estimates(asked, "adjudicated-distance", bootstrap=50)
    assert [(e.by["judge"], e.value, e.n, e.low) for e in found[1:]] == [
        ("a", 1, 1, None),
        ("b", 1, 1, None),
    ]


def test_intervals_of_adjudicated_difference():
    found = one(
        evaluation(CSV_ADJUDICATED_DIFFERENCE),
        "adjudicated-difference",
        {"bootstrap": 50},
        judge="all",
    )
    assert found.low <= found.value <= found.high
    assert found.low < found.high


@pytest.mark.parametrize(
    "csv",
    [
        "judge,item,value\na,x,1",
        "judge,item,value,status\na,x,A,valid\nc,x,B,adjudicated",
        "judge,item,value,status\na,x,1,valid\nc,y,2,adjudicated",
    ],
    ids=["nothing settled", "words", "something else settled"],
)
def test_where_no_score_was_settled_it_says_nothing(csv):
    told = {result.name for result in results(evaluation(csv))}
    assert not told & {"adjudicated-distance", "adjudicated-difference"}
