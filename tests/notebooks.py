"""Executes the notebooks of the documentation, and keeps their outputs.

Run as a program, it writes the notebooks anew with what their cells show.
"""

from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests import ROOT

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
# What differs between machines and runs, and says nothing.
CHANGING = ("execution", "language_info", "widgets")


def executed(path: Path) -> NotebookNode:
    """The notebook with the outputs of a run in a new kernel; raises what a cell raises."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=120, kernel_name="python3")
    client.execute()
    for part in (notebook, *notebook.cells):
        for name in CHANGING:
            part.metadata.pop(name, None)
    return notebook


if __name__ == "__main__":
    for path in NOTEBOOKS:
        nbformat.write(executed(path), path)
        print(path.relative_to(ROOT))
