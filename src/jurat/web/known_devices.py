"""Browsers from which a coordinator has logged in before: the account's lock does not bar them.

Anybody can lock an account by wrong passwords. Without this, a stranger could keep a coordinator
out for as long as they like; see "Device Cookies" of OWASP.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta

from itsdangerous import BadData, URLSafeSerializer
from starlette.responses import Response

from jurat.campaigns.auth import FAILURES
from jurat.campaigns.rate_limit import RateLimit
from jurat.campaigns.service_context import Clock

COOKIE = "jurat-device"
LASTING = timedelta(days=365)


class KnownDevices:
    """Signs the cookies of known browsers, and counts wrong passwords from each of them.

    One process counts for itself; not for several threads.
    """

    def __init__(self, secret: bytes, clock: Clock, path: str) -> None:
        self._signer = URLSafeSerializer(secret, salt="jurat.device")
        self._failures = RateLimit(clock)
        self._path = path

    def coordinator(self, cookies: Mapping[str, str]) -> str:
        """The id of the coordinator who knows this browser; empty after too many failures."""
        account, device = self._read(cookies)
        return account if self._failures.attempts(device) < FAILURES else ""

    def count_failure(self, cookies: Mapping[str, str]) -> None:
        """Count a wrong password from a browser that is known, by whoever uses it now."""
        account, device = self._read(cookies)
        if account:
            self._failures.count(device)

    def remember(self, response: Response, coordinator: str, *, secure: bool) -> None:
        """Set the cookie after a login."""
        response.set_cookie(
            COOKIE,
            str(self._signer.dumps([coordinator, secrets.token_urlsafe(12)])),
            max_age=int(LASTING.total_seconds()),
            path=self._path,
            secure=secure,
            httponly=True,
            samesite="lax",
        )

    def _read(self, cookies: Mapping[str, str]) -> tuple[str, str]:
        """The coordinator and the random name of the device; both empty without a valid cookie."""
        try:
            account, device = self._signer.loads(cookies.get(COOKIE, ""))
        except BadData:
            return "", ""
        return str(account), str(device)
