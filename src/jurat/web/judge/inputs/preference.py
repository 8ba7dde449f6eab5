"""A preference: one of several large targets, each with its key."""

from jurat.web.judge.inputs import Picked


class PreferenceInput(Picked):
    """Radio buttons."""

    name = "preference"
