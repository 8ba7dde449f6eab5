"""The translation, to be mended in place."""

from jurat.web.judge.inputs.text import TextInput


class PostEditInput(TextInput):
    """A field that already holds the translation."""

    name = "post-edit"
    template = "post-edit"
    same = False
