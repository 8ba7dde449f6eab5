"""Tables for LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def latex_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numbers: Collection[str] = (),
    comment: str = "",
) -> str:
    """A `tabular` of plain texts, escaped; columns in `numbers` are aligned to the right."""
    shape = "".join("r" if name in numbers else "l" for name in columns)
    lines = [
        f"% {_one_line(comment)}",
        f"\\begin{{tabular}}{{{shape}}}",
        "\\toprule",
        _tex_row(columns),
        "\\midrule",
        *map(_tex_row, rows),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "–": "--",
        **{sign: f"\\{sign}" for sign in "&%$#_"},
    }
)


def latex_text(text: str) -> str:
    """A plain text, escaped and in one line."""
    return _one_line(text).translate(_TEX)


def _tex_row(cells: Sequence[str]) -> str:
    row = " & ".join(map(latex_text, cells)) + r" \\"
    # LaTeX would read a leading bracket or star as an option of the previous line
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def _one_line(text: str) -> str:
    return " ".join(text.split())
