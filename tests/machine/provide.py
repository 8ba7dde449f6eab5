"""Install the parts that the tests need where that is possible, and say what is missing where not.

Run by `make test` as `python -m tests.machine.provide`.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from tests.chaos import clock
from tests.machine import Missing, chromium, fonts, java, nginx, pearmut, postgres


@dataclass(frozen=True)
class Part:
    """Something real that tests run against, and Debian's packages that bring it."""

    purpose: str
    find: Callable[[], object]
    packages: tuple[str, ...]

    def problem(self) -> str:
        """Why the part is missing, or nothing if it is here."""
        try:
            self.find()
        except Missing as missing:
            return str(missing)
        return ""


PARTS = (
    Part("the store's tests on PostgreSQL", postgres.find, ("postgresql",)),
    Part("the tests of the pages in a browser", chromium.find, ("chromium-headless-shell",)),
    Part(
        "pages and pictures in Hindi, Chinese and Arabic",
        fonts.find,
        ("fontconfig", "fonts-noto-core", "fonts-noto-cjk"),
    ),
    Part("the tests behind a reverse proxy", nginx.find, ("nginx-light", "openssl")),
    Part("the trials with jumps of the clock", clock.find, ("libfaketime",)),
    Part("the parity of METEOR with its original", java.find, ("default-jre-headless",)),
    # not one of Debian's: `pearmut.install` has it from the registry of Python's packages
    Part("the files that Pearmut itself loads", pearmut.find, ()),
)


def missing() -> list[Part]:
    """The parts that this machine does not have."""
    return [part for part in PARTS if part.problem()]


def can_install() -> bool:
    """Whether Debian's packages can be installed here, now."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(packages: list[str]) -> None:
    """Install Debian's packages; where that fails, apt-get says why."""
    print(f"Installing {' '.join(packages)}", flush=True)
    words = ("install", "-y", "--no-install-recommends", *packages)
    # A new machine has no package lists, and an old one's may be out of date: then, once more.
    if not apt(*words, errors=subprocess.DEVNULL):
        apt("update")
        apt(*words)


def apt(*words: str, errors: int | None = None) -> bool:
    """Run apt-get without its chatter; whether it succeeded."""
    command = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0", *words]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = subprocess.DEVNULL
    done = subprocess.run(command, env=environment, stdout=quiet, stderr=errors, check=False)
    return done.returncode == 0


def describe(parts: list[Part]) -> str:
    """A block of words, hard to overlook, on what is missing, what for, and how to get it."""
    lines = [f"  {part.problem()}\n    needed for {part.purpose}" for part in parts]
    packages = " ".join(name for part in parts for name in part.packages)
    rule = "=" * 100
    how = f"  On Debian, as root: apt-get install {packages}"
    return "\n".join([rule, "MISSING: tests that need these parts do not run", *lines, how, rule])


def main() -> int:
    """Provide the parts; the exit code is 1 only where a missing part would be a failure."""
    pearmut.install()
    parts = missing()
    if (packages := [name for part in parts for name in part.packages]) and can_install():
        install(packages)
        parts = missing()
    if parts:
        print(describe(parts), file=sys.stderr, flush=True)
    return int(bool(parts) and os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main())
