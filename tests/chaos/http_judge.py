"""A judge over HTTP who keeps trying, as the page's script does, until a decision is stored."""

from __future__ import annotations

import http.client
import json
import re
import threading
from random import Random
from urllib.parse import urlsplit

from jurat.campaigns.accounts import Slip
from tests.chaos.history import History, Key

STEP = re.compile(r'data-key="([^"/]+)/(\d+)"')
FORM_KEY = re.compile(r'name="form_key" value="([^"]*)"')
QUESTION = "adequacy"
SECONDS = 30
"""How long a response may take: a server waits 20 seconds for a busy store."""
PAUSE = 0.2
"""Seconds until the next try; a browser waits longer."""
REVISED = 0.1
"""The share of decisions that are changed once more."""


class HttpJudge(threading.Thread):
    """Judges until `stop` is set; what is sent and told goes into the history.

    They read each item for `reading` seconds before they decide.
    """

    def __init__(
        self,
        url: str,
        campaign: str,
        slip: Slip,
        history: History,
        stop: threading.Event,
        *,
        reading: float = 0,
    ) -> None:
        super().__init__(daemon=True)
        self._reading = reading
        self._host = urlsplit(url).netloc
        self._base = f"/c/{campaign}/"
        self._slip = slip
        self._history = history
        self._stopped = stop
        self._chance = Random(slip.pin)
        self._connection: http.client.HTTPConnection | None = None
        self._cookie = ""

    def run(self) -> None:
        """Log in and judge again and again, whatever fails."""
        while not self._stopped.is_set():
            try:
                self._work()
            except (OSError, http.client.HTTPException):
                self._lose_connection()
            self._stopped.wait(PAUSE)
        if self._connection:
            self._connection.close()

    def _lose_connection(self) -> None:
        """Note that there was no response, and connect anew for the next request."""
        self._history.receive(0)
        if self._connection:
            self._connection.close()
        self._connection = None

    def _work(self) -> None:
        """Log in where need be, and decide until the kit ends or a response is no longer clear."""
        if not self._cookie:
            self._request("GET", f"{self._base}link/{self._slip.token}")
        status, page = self._request("GET", f"{self._base}judge?go-on=1")
        form_key, step = FORM_KEY.search(page), STEP.search(page)
        if status in (401, 403):
            self._cookie = ""
        while status == 200 and form_key and step and not self._stopped.is_set():
            assignment, position = step[1], int(step[2])
            self._history.ask(self._slip.pin, assignment, position)
            self._stopped.wait(self._reading)
            step = self._decide(assignment, position, form_key[1])

    def _decide(self, assignment: str, position: int, form_key: str) -> re.Match[str] | None:
        """Send a decision until it is stored or refused; the next step, if one came with it."""
        told = self._send(Key(assignment, position, 1), form_key)
        if told is None:
            return None
        if self._chance.random() < REVISED:
            self._send(Key(assignment, position, 2), form_key)
        return STEP.search(str(told.get("html", "")))

    def _send(self, key: Key, form_key: str) -> dict[str, object] | None:
        """The step that follows; None where the decision was refused."""
        answers = {QUESTION: self._chance.randint(0, 100)}
        body = {**key._asdict(), "answers": answers, "go_on": True}
        self._history.send(key, self._slip.pin, answers)
        while not self._stopped.is_set():
            try:
                status, told = self._request("POST", f"{self._base}api/decide", body, form_key)
            except (OSError, http.client.HTTPException):
                # it may be stored or not: sent again, it must be stored once
                self._lose_connection()
                self._stopped.wait(PAUSE)
                continue
            if status == 200:
                self._history.acknowledge(key)
                found = json.loads(told)["next"]
                return dict(found)
            if status < 500:
                return None
            self._stopped.wait(PAUSE)
        return None

    def _request(
        self, method: str, path: str, body: object = None, form_key: str = ""
    ) -> tuple[int, str]:
        """Status and text of a response; raises `OSError` or `HTTPException` without one."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._host, timeout=SECONDS)
        headers = {"Cookie": self._cookie, "x-form-key": form_key}
        sent = json.dumps(body) if body is not None else None
        self._connection.request(method, path, sent, headers)
        response = self._connection.getresponse()
        told = response.read().decode()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie" and value.startswith("jurat="):
                self._cookie = value.partition(";")[0]
        self._history.receive(response.status, told)
        return response.status, told
