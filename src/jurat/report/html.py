"""HTML and SVG as text: elements, attributes and escaped words."""

from __future__ import annotations

from html import escape


def words(text: object) -> str:
    """A text as the content of an element."""
    return escape(str(text), quote=False)


def element(name: str, content: str = "", **attributes: object) -> str:
    """An element with content that is HTML already; None leaves an attribute out, True names it.

    `class_` is the attribute class, and underscores in other names are hyphens.
    """
    given = "".join(_attribute(key, value) for key, value in attributes.items())
    return f"<{name}{given}>{content}</{name}>"


def _attribute(name: str, value: object) -> str:
    # XML's spelling of the two SVG attributes that have capitals is kept
    key = name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {key}" if value is True else f' {key}="{escape(str(value))}"'


def paragraph(text: object, class_: str | None = None) -> str:
    """A paragraph of plain words."""
    return element("p", words(text), class_=class_)


def table(
    columns: list[str],
    rows: list[list[str]],
    *,
    numeric: frozenset[str] = frozenset(),
    label: str = "Table",
) -> str:
    """A table of plain words; the first column heads its rows, numbers stand to the right."""
    kinds = ["num" if name in numeric else None for name in columns]
    heads = "".join(
        element("th", words(name), scope="col", class_=kind)
        if name
        else element("td", "", class_=kind)
        for name, kind in zip(columns, kinds, strict=True)
    )
    body = "".join(
        element(
            "tr",
            "".join(
                element("th", words(cell), scope="row", class_=kind)
                if not n and cell
                else element("td", words(cell), class_=kind)
                for n, (cell, kind) in enumerate(zip(row, kinds, strict=True))
            ),
        )
        for row in rows
    )
    inner = element("table", f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody>")
    # A wide table scrolls by itself, and the keyboard has to reach it for that.
    return element("div", inner, class_="scroll", tabindex=0, role="group", aria_label=label)
