"""A choice: one of several large targets, each with its key."""

from jurat.web.judge.inputs import Picked


class ChoiceInput(Picked):
    """Radio buttons."""

    name = "choice"
