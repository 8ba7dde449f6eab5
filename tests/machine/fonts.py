"""Find out whether this machine can show the scripts that the tests show."""

import shutil
import subprocess
import sys

from tests.machine import Missing

LANGUAGES = {"ar": "Arabic", "hi": "Hindi", "zh-cn": "Chinese"}


def find() -> None:
    """Raise Missing unless there is a font for each of the languages."""
    if sys.platform != "linux":  # other systems come with fonts for all of them
        return
    lister = shutil.which("fc-list")
    absent = [name for code, name in LANGUAGES.items() if not (lister and _fonts(lister, code))]
    if absent:
        raise Missing(f"no fonts for {', '.join(absent)}: install fontconfig and the Noto fonts")


def _fonts(lister: str, language: str) -> str:
    command = [lister, f":lang={language}", "family"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
