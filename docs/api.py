"""The API reference, written from docstrings: a page for each package, a section for each module.

The source is read, not imported, so that the pages need no extra and take a second; docstrings
are Markdown, as the rest of the documentation is. What has no docstring, or a name that begins
with an underscore, is not for callers and has no entry.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LEFT_OUT = {"__main__", "cli", "migrations", "web"}
"""Parts of a name for no caller: commands explain themselves with --help, pages on the screen."""

Function = ast.FunctionDef | ast.AsyncFunctionDef

_SECTION = re.compile(r"(Args|Attributes|Example|Note|Raises|Returns|Yields):$")
_ENTRY = re.compile(r"([\w.*]+)(?: \([^)]*\))?: (.*)")


class Module(NamedTuple):
    """A module's full name, whether it is a package, and its source."""

    name: str
    is_package: bool
    tree: ast.Module


def write(source: Path, folder: Path) -> None:
    """Write the pages of the package at `source` to `folder`, and remove those of older names."""
    folder.mkdir(exist_ok=True)
    pages = dict(_pages(source))
    for old in set(folder.glob("*.md")) - {folder / name for name in pages}:
        old.unlink()
    for name, text in pages.items():
        path = folder / name
        # a page that is the same keeps its date, and is not built again
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _pages(source: Path) -> Iterator[tuple[str, str]]:
    packages: dict[str, list[Module]] = defaultdict(list)
    for module in sorted(_modules(source)):
        home = module.name if module.is_package else module.name.rpartition(".")[0]
        packages[home].append(module)
    for home, modules in packages.items():
        sections = (_section(module, level=1 if module.name == home else 2) for module in modules)
        yield f"{home}.md", "\n".join(line for section in sections for line in section)
    yield "index.md", _index([modules[0] for modules in packages.values()])


def _modules(source: Path) -> Iterator[Module]:
    for path in source.rglob("*.py"):
        name = _dotted(path, source)
        if not any(part in LEFT_OUT or part.startswith("_") for part in name.split(".")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield Module(name, path.name == "__init__.py", tree)


def _index(packages: list[Module]) -> str:
    purposes = {package.name: _markdown(package.tree).partition("\n")[0] for package in packages}
    entries = [f"- [{name}]({name}.md): {purpose}" for name, purpose in purposes.items()]
    toctree = ["```{toctree}", ":hidden:", "", *purposes, "```"]
    return "\n".join(["# API", "", *entries, "", *toctree, ""])


def _dotted(path: Path, source: Path) -> str:
    parts = path.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _section(module: Module, *, level: int) -> Iterator[str]:
    name, _, tree = module
    yield f"{'#' * level} {name}\n\n```{{py:module}} {name}\n```\n"
    yield _markdown(tree)
    exported = [f"- {{py:obj}}`~{target}`" for target in _exported(name, tree)]
    if exported:
        yield "\n".join(["Offers:\n", *exported, ""])
    yield from _members(tree.body, fence=8)


def _exported(name: str, tree: ast.Module) -> Iterator[str]:
    """Full names of what a package offers in `__all__` from its modules."""
    names = {name for node in tree.body for name in _offered(node)}
    # a package that loads its modules late imports their names for the type checker only
    later = [node for block in tree.body if isinstance(block, ast.If) for node in block.body]
    for node in (*tree.body, *later):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(name):
            for alias in node.names:
                if alias.name in names:
                    yield f"{node.module}.{alias.name}"


def _offered(node: ast.stmt) -> list[str]:
    """The names in `__all__`, if this is where it is assigned."""
    match node:
        case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
            return list(ast.literal_eval(value))
    return []


def _members(body: list[ast.stmt], *, fence: int, kind: str = "function") -> Iterator[str]:
    """The classes and functions of a module or, with `kind` "method", of a class."""
    last = {node.name: node for node in body if isinstance(node, ast.ClassDef | Function)}
    for name, node in last.items():  # of overloads, the last has the docstring
        if name.startswith("_") or not ast.get_docstring(node):
            continue
        if isinstance(node, ast.ClassDef):
            yield _class(node, fence)
        else:
            yield _function(node, fence, kind)


def _class(node: ast.ClassDef, fence: int) -> str:
    bases = [ast.unparse(base) for base in node.bases]
    inner = [
        f"Bases: {', '.join(f'`{base}`' for base in bases)}\n" if bases else "",
        _markdown(node),
        *_attributes(node.body, fence - 2),
        _operations(node.body),
        *_members(node.body, fence=fence - 2, kind="method"),
    ]
    return _directive("class", node.name, "\n".join(filter(None, inner)), fence)


def _attributes(body: list[ast.stmt], fence: int) -> Iterator[str]:
    """The annotated attributes of a class; the string below one tells what it is."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        if node.target.id.startswith("_"):
            continue
        below = after.value if isinstance(after, ast.Expr) else None
        told = below.value if isinstance(below, ast.Constant) else ""
        text = f":type: {ast.unparse(node.annotation)}\n\n{told if isinstance(told, str) else ''}"
        yield _directive("attribute", node.target.id, text, fence)


def _operations(body: list[ast.stmt]) -> str:
    """The store's operations: methods that are declared by the function that documents them."""
    lines = []
    for node in body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(
                    func=ast.Name(id="Read" | "Write" | "WriteSoon" | "Stream" as kind),
                    args=[ast.Attribute(value=ast.Name(id=module), attr=function)],
                ),
            ):
                target = f"{module.removesuffix('_')}.{function}"
                lines.append(f"- `{name}` ({kind}): {{py:obj}}`{target} <jurat.store.{target}>`")
    return "\n".join([*lines, ""]) if lines else ""


def _function(node: Function, fence: int, kind: str) -> str:
    decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
    if kind == "method" and decorators & {"property", "cached_property"}:
        returns = f":type: {ast.unparse(node.returns)}\n\n" if node.returns else ""
        return _directive("property", node.name, returns + _markdown(node), fence)
    arguments = node.args
    if kind == "method" and "staticmethod" not in decorators:
        (arguments.posonlyargs or arguments.args).pop(0)
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    flags = {"classmethod", "staticmethod"} & decorators
    options = "".join(f":{flag}:\n" for flag in sorted(flags))
    options += ":async:\n" if isinstance(node, ast.AsyncFunctionDef) else ""
    signature = f"{node.name}({ast.unparse(arguments)}){result}"
    return _directive(kind, signature, f"{options}\n{_markdown(node)}", fence)


def _directive(kind: str, signature: str, content: str, fence: int) -> str:
    ticks = "`" * fence
    return f"{ticks}{{py:{kind}}} {signature}\n{content}\n{ticks}\n"


def _markdown(node: ast.Module | ast.ClassDef | Function) -> str:
    """The docstring; a section such as `Args:` becomes a heading with a list."""
    lines: list[str] = []
    in_section = False
    for line in (ast.get_docstring(node) or "").splitlines():
        if section := _SECTION.match(line):
            lines += [f"**{section[1]}**", ""]
            in_section = True
        elif in_section and (entry := _ENTRY.fullmatch(line.strip())):
            lines.append(f"- `{entry[1]}`: {entry[2]}")
        elif in_section and line.startswith(" "):
            lines.append(f"  {line.strip()}" if lines[-1] else line.strip())
        else:
            in_section = in_section and not line
            lines.append(line)
    return "\n".join([*lines, ""])
