"""The files with which a kind of question is answered on a page: template, script and style.

A class names a file, and the file lies in the package in which that class is defined. A subclass
that names none inherits the file from there, also across packages.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple

from jurat.errors import input_error

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from jurat.protocols.questions import Question

Use = Literal["template", "script", "style"]
USES: tuple[Use, ...] = ("template", "script", "style")


class InputFile(NamedTuple):
    """A file by the package that holds it and its name there."""

    package: str
    name: str

    @property
    def address(self) -> str:
        """Under which templates are loaded and static files are served.

        The package is a part of it, so that two kinds that share a script load it once.
        """
        return f"questions/{self.package}/{self.name}"

    @property
    def content(self) -> Traversable | None:
        """The file itself; None where there is no such file."""
        # a module that lies in no package has no folder of its own to put files into
        found = files(self.package).joinpath(self.name) if self.package else None
        return found if found and found.is_file() else None


def input_file(kind: type[Question], use: Use) -> InputFile | None:
    """The template, script or style of a kind; None where it names none."""
    name: str = getattr(kind, use)
    package = sys.modules[definer(kind, use).__module__].__package__ or ""
    return InputFile(package, name) if name else None


def definer(kind: type[Question], attribute: str) -> type:
    """The class from which a kind has an attribute: itself or one of its bases."""
    return next(cls for cls in kind.__mro__ if attribute in vars(cls))


def same_for_every_item(kind: type[Question]) -> bool:
    """Whether the unanswered form of a kind can be cached.

    What a base class says of its own template is not true of a template that came after it.
    """
    order = kind.__mro__
    said, drawn = (definer(kind, name) for name in ("same_for_every_item", "template"))
    return kind.same_for_every_item and order.index(said) <= order.index(drawn)


@cache
def check_input(kind: type[Question]) -> None:
    """Raise an `InputError` for a kind that no page could show.

    Its files must be in the packages of the classes that name them; where it names no template, it
    must list the answers for which there are radio buttons.
    """
    if len({definer(kind, name) for name in ("template", "legend", "answers")}) == 1:
        message = (
            f"'{kind.name}' cannot be shown on a page: {kind.__name__} needs a template, or a "
            "method answers() that lists what can be chosen"
        )
        raise input_error(message, field="kind")
    for use in USES:
        named = input_file(kind, use)
        if named and named.content is None:
            where = f"the package '{named.package}'" if named.package else "no package"
            class_name = definer(kind, use).__name__
            message = (
                f"'{kind.name}' cannot be shown on a page: {class_name} names the {use} "
                f"'{named.name}', and there is no such file in {where}"
            )
            raise input_error(message, field="kind")
