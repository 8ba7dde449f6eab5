"""A scale: one of several large targets, each with its key."""

from jurat.web.judge.inputs import Picked


class ScaleInput(Picked):
    """Radio buttons."""

    name = "scale"
