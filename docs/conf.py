"""How Sphinx builds the documentation: `make docs`."""

from __future__ import annotations

import sys
import tomllib
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from docs import api  # noqa: E402

project = "Jurat"
release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Jurat"
smartquotes = False
add_module_names = False
toc_object_entries = False


class ResolveTypes(SphinxPostTransform):
    """Link the types in a signature to their entries, if they have one.

    Sphinx would look for each of twenty thousand names in the whole list of entries, which takes
    a minute, and would warn of every name that several modules use. Here a name is that of the
    same module, or one that only one module uses, or it is not a link.
    """

    default_priority = 5  # before Sphinx resolves them

    def run(self, **_: Any) -> None:
        """Resolve all of a page."""
        for node in list(self.document.findall(pending_xref)):
            if node.get("refdomain") == "py" and node.hasattr("refspecific"):
                del node["refspecific"]
                target = self._entry(node["reftarget"], node.get("py:module"))
                if target:
                    node["reftarget"] = target
                else:
                    node.replace_self(node.children)

    def _entry(self, name: str, module: str | None) -> str | None:
        found = self._entries.get(name.rpartition(".")[2], [])
        same = f"{module}.{name}"
        if name in found or same in found:
            return name if name in found else same
        return found[0] if len(found) == 1 else None

    @cached_property
    def _entries(self) -> dict[str, list[str]]:
        """Full names by the last part of the name."""
        entries: dict[str, list[str]] = defaultdict(list)
        for name, entry in self.env.domains.python_domain.objects.items():
            if entry.objtype in {"class", "data", "exception"}:
                entries[name.rpartition(".")[2]].append(name)
        return entries


def setup(app: Sphinx) -> None:
    """Write the pages of the API reference, and know the languages of all code blocks."""
    api.write(ROOT / "src" / "jurat", HERE / "api")
    app.add_post_transform(ResolveTypes)
    for language in ("csv", "tsv"):
        app.add_lexer(language, TextLexer)
