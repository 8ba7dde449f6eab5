"""Running the application: one process, or several over the same store."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread, Timer
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette

from jurat.campaigns import Service
from jurat.store import Store
from jurat.web.app import ADJUDICATOR, COORDINATOR, create_app
from jurat.web.http_limits import KEEP_ALIVE_SECONDS, LimitedProtocol
from jurat.web.logs import configure_logs, log_format_of
from jurat.web.webhook_sender import start_sending

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.mail import MailServer

# Environment variables by which `serve` tells its worker processes what to serve: uvicorn starts
# them afresh and calls `application` without arguments.
STORE = "JURAT_SERVE_STORE"
SECURE = "JURAT_SERVE_SECURE"
SMTP = "JURAT_SERVE_SMTP"
LOG_FORMAT = "JURAT_SERVE_LOG_FORMAT"
ROOT_PATH = "JURAT_SERVE_ROOT_PATH"

# Seconds after which a thread that computes lets another one go on, by default 5 ms. A group of
# decisions on PostgreSQL waits for a dozen answers: after each, while hundreds of requests arrive,
# it would wait so long for the event loop. With 1 ms half as many decisions more were stored.
SWITCH_SECONDS = 0.001
# Seconds after the start when a server imports what it left out: the first requests, which have
# often waited for the server, are answered by then.
IMPORT_AFTER = 1.0


def serve(
    url: str,
    *,
    host: str,
    port: int,
    workers: int,
    secure: bool,
    smtp: str = "",
    log_format: str = "text",
    metrics_port: int = 0,
    root_path: str = "",
) -> None:
    """Serve the campaigns of a store until stopped."""
    os.environ |= {
        STORE: url,
        SECURE: "1" if secure else "",
        SMTP: smtp,
        LOG_FORMAT: log_format,
        ROOT_PATH: root_path,
    }
    configure_logs(log_format_of(log_format))
    if metrics_port:
        from jurat.web.prometheus import serve_metrics

        serve_metrics(metrics_port, url)
    uvicorn.run(
        "jurat.web.server:application",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        # addresses contain the tokens of personal links, and a line for each decision costs time
        access_log=False,
        server_header=False,
        date_header=False,
        log_config=None,
        log_level="warning",
        # Behind a proxy, the client's address, by which failed logins are counted, and the scheme
        # are in headers of the proxy; uvicorn believes them from FORWARDED_ALLOW_IPS, by default
        # this machine.
        proxy_headers=True,
        http=LimitedProtocol,
        root_path=root_path,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        ws="none",  # Jurat has no web sockets, and their packages take time to import
        timeout_graceful_shutdown=10,
    )


def free_port(port: int) -> int:
    """The port, or any other free one if it is taken."""
    with socket.socket() as one:
        # otherwise the port of a server that has just been stopped would count as taken
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return free_port(0)
        found: int = one.getsockname()[1]
        return found


def application() -> Starlette:
    """The application of one process, over the store that `serve` named."""
    configure_logs(log_format_of(os.environ.get(LOG_FORMAT, "")))
    _end_with_parent()
    sys.setswitchinterval(SWITCH_SECONDS)
    store = Store.open(os.environ[STORE])
    app = create_app(
        Service(store),
        secure=bool(os.environ.get(SECURE)),
        mail_server=_mail_server(os.environ.get(SMTP, "")),
        settle=settle,
        at_stop=store.close,
        root_path=os.environ.get(ROOT_PATH, ""),
    )
    start_sending(app.state.site.service)
    # imported modules never become garbage: they are excluded from collection, which
    # `jurat serve` has switched off until here
    gc.freeze()
    gc.enable()
    rest = Timer(IMPORT_AFTER, import_rest)
    # a server that is stopped at once does not wait for it
    rest.daemon = True
    rest.start()
    return app


def _end_with_parent() -> None:
    """End this worker process when the one that started it has died, even if it was killed."""
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        # readable as soon as the parent has ended, in whatever way
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=watch, name="parent-watch", daemon=True).start()


def import_rest() -> None:
    """Import the deferred pages, so that the first coordinator does not wait; for a thread."""
    for package in (COORDINATOR, ADJUDICATOR):
        import_module(package)
    settle()


def _mail_server(url: str) -> MailServer | None:
    if not url:
        return None
    from jurat.campaigns.monitoring.mail import read_mail_server

    return read_mail_server(url)


def settle() -> None:
    """Exclude all present objects from garbage collection, whose pauses delay every request."""
    gc.collect()
    gc.freeze()
