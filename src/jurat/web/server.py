"""Running the application: one process, or several over the same store."""

from __future__ import annotations

import gc
import os
import socket

import uvicorn
from starlette.applications import Starlette

from jurat.campaigns import Service
from jurat.campaigns.monitoring.mail import read_mail_server
from jurat.store import Store
from jurat.web.app import create_app

STORE = "JURAT_SERVE_STORE"
SECURE = "JURAT_SERVE_SECURE"
# How the processes of one server are told what to serve.
SMTP = "JURAT_SERVE_SMTP"


def serve(
    url: str, *, host: str, port: int, workers: int, secure: bool, quiet: bool, smtp: str = ""
) -> None:
    """Serve the campaigns of a store until stopped."""
    os.environ |= {STORE: url, SECURE: "1" if secure else "", SMTP: smtp}
    uvicorn.run(
        "jurat.web.server:application",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        access_log=False,
        server_header=False,
        date_header=False,
        log_level="warning" if quiet else "info",
        proxy_headers=True,
        timeout_graceful_shutdown=10,
    )


def free_port(port: int) -> int:
    """The port, or another where somebody else has it."""
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return free_port(0)
        found: int = one.getsockname()[1]
        return found


def application() -> Starlette:
    """The application of one process."""
    store = Store.open(os.environ[STORE])
    smtp = os.environ.get(SMTP, "")
    mail_server = read_mail_server(smtp) if smtp else None
    secure = bool(os.environ.get(SECURE))
    return create_app(Service(store), secure=secure, mail_server=mail_server, settle=settle)


def settle() -> None:
    """Keep what is there now out of every search for garbage: it would stop all for long."""
    gc.collect()
    gc.freeze()
