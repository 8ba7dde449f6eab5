"""The files of a kind of question for the page: template, script and style.

A class names a file in the package where that class is defined. A subclass that names none inherits
the file, also across packages.
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
    """A file, by its package and its name there."""

    package: str
    name: str

    @property
    def address(self) -> str:
        """The address under which templates are loaded and static files are served.

        It contains the package, so that two kinds that share a script load it once.
        """
        return f"questions/{self.package}/{self.name}"

    @property
    def content(self) -> Traversable | None:
        """The file; None if it does not exist."""
        # a module outside any package has no folder for files
        found = files(self.package).joinpath(self.name) if self.package else None
        return found if found and found.is_file() else None


def input_file(kind: type[Question], use: Use) -> InputFile | None:
    """The template, script or style of a kind; None if it has none."""
    name: str = getattr(kind, use)
    package = sys.modules[defining_class(kind, use).__module__].__package__ or ""
    return InputFile(package, name) if name else None


def defining_class(kind: type[Question], attribute: str) -> type:
    """The class that defines an attribute of a kind: itself or one of its bases."""
    return next(cls for cls in kind.__mro__ if attribute in vars(cls))


def same_for_every_item(kind: type[Question]) -> bool:
    """Whether the empty form of a kind is the same for every item, and can be cached.

    What a base class says of its own template does not apply to the template of a subclass.
    """
    order = kind.__mro__
    said, drawn = (defining_class(kind, name) for name in ("same_for_every_item", "template"))
    # a class earlier in the order of resolution is the more special one
    return kind.same_for_every_item and order.index(said) <= order.index(drawn)


@cache
def check_input(kind: type[Question]) -> None:
    """Raise `InputError` for a kind that cannot be shown on a page.

    Its files must exist in the packages of the classes that name them. Without a template of its
    own, it must list the answers for the radio buttons.
    """
    from jurat.protocols.questions import Question

    # what the base class has is only a place for what kinds define
    needed = ("template", "legend", "answers")
    if all(defining_class(kind, name) is Question for name in needed):
        message = (
            f"'{kind.name}' cannot be shown on a page: {kind.__name__} needs a template, or a "
            "method answers() that lists the choices"
        )
        raise input_error(message, field="kind")
    for use in USES:
        named = input_file(kind, use)
        if named and named.content is None:
            where = f"the package '{named.package}'" if named.package else "no package"
            class_name = defining_class(kind, use).__name__
            message = (
                f"'{kind.name}' cannot be shown on a page: {class_name} names the {use} "
                f"'{named.name}', and there is no such file in {where}"
            )
            raise input_error(message, field="kind")
