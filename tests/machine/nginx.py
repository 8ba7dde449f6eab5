"""Find nginx on this machine, and run one before servers of Jurat as `deploy` configures it."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests import ROOT
from tests.machine import Missing

# Debian puts it where only root's PATH leads.
PLACES = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin"))
HOST = "127.0.0.1"


def find() -> str:
    """The program; raises Missing if there is none."""
    if program := shutil.which("nginx", path=PLACES):
        return program
    raise Missing("no nginx: install the package nginx-light")


@contextmanager
def running(
    folder: Path, servers: Sequence[str], *, tls: bool = False, under: str = ""
) -> Iterator[str]:
    """Run nginx before servers, each an address with its port; the address where it listens.

    With `tls`, the folder has the certificate `jurat.crt` and its key `jurat.key`. With `under`,
    Jurat is served under that path, as a comment in the configuration says.
    """
    port = free_port()
    own = _configuration(folder, servers, port, tls=tls, under=under)
    # a server that does not answer is what trials are about
    errors = f"error_log stderr crit; error_log {folder}/error.log;"
    process = subprocess.Popen([find(), "-c", str(own), "-g", errors])
    try:
        yield f"{'https' if tls else 'http'}://{HOST}:{port}"
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


def _configuration(
    folder: Path, servers: Sequence[str], port: int, *, tls: bool, under: str
) -> Path:
    """The configuration of `deploy`, with ports and certificates of a test."""
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    (line,) = re.findall(r"server jurat:8000.*;", text)
    # started by root, its workers would be of a user who cannot write to this folder
    user = "" if os.geteuid() else "user root;"
    for before, after in (
        (line, " ".join(line.replace("jurat:8000", one) for one in servers)),
        ("listen 443 ssl http2", f"listen {HOST}:{port}{' ssl http2' if tls else ''}"),
        ("certificates/", f"{folder}/"),
        ("location / {", f"location {under}/ {{"),
        ("proxy_pass http://jurat;", f"proxy_pass http://jurat{'/' if under else ''};"),
        ("worker_processes auto", f"{user} daemon off; pid {folder}/pid; worker_processes 1"),
    ):
        assert before in text
        text = text.replace(before, after)
    if not tls:
        text = re.sub(r"ssl_\w+ .*;", "", text)
    # where nginx puts what it cannot hold in memory, which only root may do at its usual place
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    path = folder / "nginx.conf"
    path.write_text(re.sub(r"http \{", f"http {{ {temporary}", text, count=1))
    return path
