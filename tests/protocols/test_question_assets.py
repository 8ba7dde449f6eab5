"""Which kinds of question can be shown on a page."""

import pytest

from jurat.errors import InputError
from jurat.protocols.question_assets import check_input
from jurat.protocols.questions import Question


def test_a_kind_needs_a_template_or_answers_of_its_own():
    class Bare(Question, frozen=True, kw_only=True):
        name = "bare"

    with pytest.raises(InputError, match="needs a template"):
        check_input(Bare)


def test_a_kind_may_define_everything_itself():
    class Whole(Question, frozen=True, kw_only=True):
        name = "whole"
        template = ""

        def legend(self, *_):
            return ""

        def answers(self, *_):
            return ()

    check_input(Whole)
