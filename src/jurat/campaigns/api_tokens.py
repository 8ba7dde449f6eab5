"""Tokens of the HTTP API: made by coordinators, shown once, limited to scopes and in time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import get_args

import msgspec

from jurat.api_types import Scope
from jurat.campaigns import auth
from jurat.campaigns.auth import Refused
from jurat.campaigns.coordinators import Coordinators
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import input_error, unknown_name
from jurat.store.api_tokens import ApiToken

SCOPES: tuple[Scope, ...] = get_args(Scope)
# What every token begins with, so that one in the wrong place is recognised.
PREFIX = "jurat_"
# Days for which a token is good where nothing is said, and at most.
DAYS, MOST_DAYS = 90, 366
# Characters of a token's name.
LONGEST = 100
# The use of a token is noted once in this time, since each note is a write.
NOTED = timedelta(hours=1)


class NewToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token that was just made; its secret is shown this once."""

    secret: str
    stored: ApiToken


class ApiTokens:
    """The part of the service that lets coordinators' scripts in."""

    def __init__(self, context: ServiceContext, coordinators: Coordinators) -> None:
        self._store = context.store
        self._now = context.now
        self._coordinators = coordinators

    def add(
        self,
        coordinator: str,
        name: str,
        scopes: Iterable[str],
        *,
        author: str,
        days: int = DAYS,
    ) -> NewToken:
        """Make a token for the coordinator with a name; raises `InputError`.

        What is returned is the only copy of the secret.
        """
        tidy = " ".join(name.split())
        if not 1 <= len(tidy) <= LONGEST or not tidy.isprintable():
            message = f"a token needs a name of 1 to {LONGEST} characters"
            raise input_error(message, field="name", value=name, code="token-name")
        chosen = set(scopes)
        for scope in chosen.difference(SCOPES):
            raise unknown_name("scope", scope, SCOPES, field="scopes")
        if not chosen:
            raise input_error("a token needs a scope", field="scopes", code="token-scope")
        if not 1 <= days <= MOST_DAYS:
            message = f"a token is good for 1 to {MOST_DAYS} days"
            raise input_error(message, field="days", value=days, code="token-days")
        secret, now = f"{PREFIX}{auth.new_token()}", self._now()
        stored = self._store.add_api_token(
            self._coordinators.by_name(coordinator).id,
            name=tidy,
            scopes=tuple(one for one in SCOPES if one in chosen),
            token_hash=auth.hash_token(secret),
            expires=now + timedelta(days=days),
            author=author,
            now=now,
        )
        return NewToken(secret=secret, stored=stored)

    def all(self) -> list[ApiToken]:
        """All tokens, the latest first, also those that no longer work."""
        return list(reversed(self._store.api_tokens()))

    def revoke(self, token: str, *, author: str) -> ApiToken:
        """End a token, by its id; raises `NoSuchToken`."""
        return self._store.revoke_api_token(token, author=author, now=self._now())

    def admit(self, secret: str) -> ApiToken:
        """The token with this secret; raises `Refused` where it is none that works."""
        now, found = self._now(), self._store.api_token(auth.hash_token(secret))
        if found is None or not self.works(found, now):
            raise Refused(input_error("this token is not valid, or no longer valid").problems)
        if found.used is None or not timedelta() <= now - found.used < NOTED:
            self._store.note_api_token_use(found.id, now=now)
        return found

    def works(self, token: ApiToken, now: datetime | None = None) -> bool:
        """Whether a token lets a script in: not revoked, not expired, its owner not disabled."""
        if token.revoked or token.coordinator_disabled:
            return False
        return (now or self._now()) < token.expires
