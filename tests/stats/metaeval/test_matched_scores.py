"""Judgments and scores of the same translations find each other."""

import numpy as np
import pytest

from jurat.errors import InputError
from jurat.stats.metaeval.matched_scores import AVERAGED, GIVEN, WHOLE, match_scores
from jurat.tables import Intake
from tests.stats.metaeval.asking import asked, only, results

JUDGED = "document,segment,system,value\nd,1,a,1\nd,2,a,2\ne,1,a,3\n"


def test_by_document_and_segment():
    scores = "document,segment,system,m\ne,1,a,30\nd,1,a,10\nd,3,a,9\n"
    one = only(JUDGED, scores, allow_unmatched=True)
    assert one.scores[0, :, 0].tolist() == pytest.approx([10, np.nan, 30], nan_ok=True)
    assert one.covered.tolist() == [2]


def test_by_segment_where_only_one_table_has_documents():
    one = only(
        "document,segment,system,value\nd,1,a,1\ne,2,a,3\n", "segment,system,m\n2,a,5\n1,a,4\n"
    )
    assert one.scores[0, :, 0].tolist() == [4, 5]


@pytest.mark.parametrize(
    ("judged", "scores", "words"),
    [
        (
            JUDGED,
            "segment,system,m\n1,a,1\n",
            "segment '1' is in several documents, and the scores",
        ),
        (
            "segment,system,value\n1,a,1\n",
            "document,segment,system,m\nd,1,a,1\ne,1,a,1\n",
            "is in several documents, and the judgments",
        ),
        ("segment,system,value\n1,a,1\n", "segment,system,m\n7,a,1\n", "no score is of a transl"),
        ("segment,system,value\n1,a,1\n", "segment,system,m\n1,z,1\n", "systems a and z"),
        ("segment,value\n1,3\n", "segment,system,m\n1,a,1\n1,b,2\n", "which of 2 systems"),
        ("segment,system,value\n1,a,3\n1,b,2\n", "segment,m\n1,1\n", "which of 2 systems"),
    ],
)
def test_what_does_not_fit_is_said(judged, scores, words):
    with pytest.raises(InputError, match=words):
        match_scores(*asked(judged, scores))


@pytest.mark.parametrize(
    ("judged", "scores"),
    [
        ("segment,value\n1,3\n2,4\n", "segment,m\n1,5\n2,6\n"),
        ("segment,value\n1,3\n2,4\n", "segment,system,m\n1,mt,5\n2,mt,6\n"),
        ("segment,system,value\n1,mt,3\n2,mt,4\n", "segment,m\n1,5\n2,6\n"),
    ],
)
def test_a_single_system_need_not_be_named(judged, scores):
    one = only(judged, scores)
    assert one.scores[0, :, 0].tolist() == [5, 6]


def test_an_item_is_a_segment_where_nothing_else_is_told():
    intake = Intake(columns="item=doc+seg,value=rating,system=mt")
    judged = "doc,seg,mt,rating\nd,1,a,1\nd,1,b,2\n"
    one = only(judged, "doc,seg,mt,m\nd,1,a,5\nd,1,b,6\n", intake=intake)
    assert one.scores[0].tolist() == [[5, 6]]


def test_whole_systems_and_segments_in_one_table():
    judged = "segment,system,value\n1,a,1\n2,a,2\n1,b,5\n"
    scores = "segment,system,metric,value\n1,a,m,10\n2,a,m,20\n1,b,m,7\n,a,m,99\n,b,m,98\n1,a,n,3\n"
    one = only(judged, scores)
    assert one.system_scores(0)[0].tolist() == [99, 98]
    assert one.system_scores(0)[1] == GIVEN
    values, source = one.system_scores(1)
    assert source == AVERAGED
    assert values.tolist() == pytest.approx([3, np.nan], nan_ok=True)


def test_scores_of_whole_systems_say_nothing_of_a_split():
    judged = "segment,system,value,kind\n1,a,1,x\n2,a,2,y\n"
    scores = "segment,system,metric,value\n1,a,m,10\n2,a,m,20\n,a,m,99\n"
    parts = match_scores(*asked(judged, scores, intake=Intake(by=("kind",))))
    assert [one.system_scores(0) for one in parts] == [([10], AVERAGED), ([20], AVERAGED)]


def test_error_rates_are_turned_in_comparisons():
    one = only(
        "segment,system,value\n1,a,1\n1,b,2\n", "segment,system,TER,BLEU\n1,a,0.5,1\n1,b,0.2,3\n"
    )
    assert one.oriented[:, 0].tolist() == [[-0.5, -0.2], [1, 3]]
    assert one.margins(0).tolist() == pytest.approx([-0.3])
    assert one.scores[0, 0].tolist() == [0.5, 0.2]


def test_what_rounding_leaves_is_no_difference():
    one = only(
        "segment,system,value\n1,a,1\n1,b,2\n", f"segment,system,m\n1,a,{0.1 + 0.2!r}\n1,b,0.3\n"
    )
    assert one.margins(0).tolist() == [0]


def test_metrics_with_several_references_are_named_by_them():
    scores = "segment,system,reference,metric,value\n1,a,r1,BLEU,1\n1,a,r2,BLEU,2\n1,a,r1,TER,3\n"
    one = only("segment,system,value\n1,a,1\n", scores)
    assert one.metrics == ("BLEU-r1", "BLEU-r2", "TER")


def test_words_are_no_ratings():
    evaluation, settings = asked("segment,system,value\n1,a,good\n", "segment,system,m\n1,a,1\n")
    assert match_scores(evaluation, settings) == ()


def test_people_who_judged_whole_systems_take_all_segments_of_a_metric():
    scores = "segment,system,m\n1,a,1\n2,a,4\n1,b,3\n"
    one = only("system,value\na,3\nb,5\n", scores)
    assert one.system_scores(0)[0].tolist() == [2.5, 3]
    assert one.system_scores(0)[1] == WHOLE


def test_judged_documents_have_the_mean_of_their_segments_or_their_own_score():
    judged = "document,system,value\nd,a,3\ne,a,5\n"
    segments = "document,segment,system,m\nd,1,a,1\nd,2,a,4\ne,1,a,3\n"
    assert only(judged, segments).scores[0, :, 0].tolist() == [2.5, 3]
    own = f"{segments}d,,a,7\ne,,a,8\n,,a,9\n"
    one = only(judged, own)
    assert one.scores[0, :, 0].tolist() == [7, 8]
    assert one.system_scores(0) == ([9], GIVEN)


def test_scores_of_documents_meet_the_mean_of_judged_segments():
    judged = "document,segment,system,value\nd,1,a,3\nd,2,a,5\n"
    one = only(judged, "document,system,m\nd,a,7\n")
    assert one.human.means is not None
    assert one.human.means.tolist() == [[4]]
    assert one.scores.tolist() == [[[7]]]


class TestRowsWithoutAPartner:
    JUDGED = "segment,system,value\n" + "".join(f"{3 * n},a,{n % 5}\n" for n in range(1, 11))

    def scores(self, ids, system="a"):
        return "segment,system,m\n" + "".join(f"{n},{system},{n}\n" for n in ids)

    def test_numbers_by_position_are_refused_with_the_remedy(self):
        with pytest.raises(InputError) as caught:
            only(self.JUDGED, self.scores(range(1, 11)))
        told = str(caught.value)
        assert "only 3 of 10 judged translations have scores" in told
        assert "3 of 10 scored translations were judged" in told
        assert "numbered by position" in told
        assert "--allow-unmatched" in told

    def test_eight_of_ten_are_enough(self):
        one = only(self.JUDGED, self.scores([*range(9, 31, 3), 1, 2, 100]))
        assert one.join[:3] == (10, 11, 8)
        with pytest.raises(InputError, match="only 7 of 10"):
            only(self.JUDGED, self.scores([*range(12, 31, 3), 1, 2, 4, 100]))

    def test_what_the_larger_side_has_more_of_is_no_matter(self):
        assert only(self.JUDGED, self.scores(range(1, 100))).join.matched == 10
        assert only(self.JUDGED, self.scores([3, 6])).join[:3] == (10, 2, 2)

    def test_other_systems(self):
        judged = "segment,system,value\n1,a,1\n1,b,2\n1,c,3\n"
        scores = "segment,system,m\n1,a,1\n1,x,2\n1,y,3\n"
        with pytest.raises(InputError, match="only 1 of the 3 systems"):
            only(judged, scores)
        assert only(judged, scores, allow_unmatched=True).join.matched == 1

    def test_splits_are_counted_together(self):
        judged = "segment,system,kind,value\n1,a,x,1\n2,a,x,2\n3,a,y,3\n4,a,y,4\n"
        evaluation, settings = asked(
            judged, "segment,system,m\n1,a,1\n2,a,2\n3,a,3\n4,a,1\n", intake=Intake(by=("kind",))
        )
        assert [one.join[:3] for one in match_scores(evaluation, settings)] == [(2, 4, 2)] * 2

    def test_texts_of_other_segments(self):
        scores, texts = self.scores(range(3, 31, 3)), "segment\ta\n1\tx\n2\ty\n"
        evaluation, settings = asked(self.JUDGED, scores, texts=texts.replace("\t", ","))
        with pytest.raises(InputError, match="0 of 10 judged translations have a text"):
            results("metric-undifferentiated", evaluation, settings)
