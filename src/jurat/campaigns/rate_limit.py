"""The rate limit for logins: an address with many failures waits before each further attempt.

Accounts lock by themselves (`auth`), but somebody who guesses PINs meets no account, and every
attempt costs the server a slow hash: they get one attempt a second. No address is locked, since a
class of judges may share it: they wait a little, and are refused only while many are waiting.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address

import msgspec

from jurat.campaigns.auth import LOCK, Locked
from jurat.campaigns.service_context import Clock

# Failures and new accounts from one address before it has to wait.
FREE = 100
# The time between two attempts from an address with more failures.
PACE = timedelta(seconds=1)
# The longest wait; beyond it an attempt is refused.
LONGEST = timedelta(seconds=10)
# Addresses that are remembered; the least recently seen is forgotten first.
ADDRESSES = 10_000


class _Address(msgspec.Struct):
    """What is known of an address."""

    last: datetime
    attempts: int = 0
    next_free: datetime | None = None


class RateLimit:
    """Counts failures by address. One process counts for itself; not for several threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._addresses: dict[str, _Address] = {}

    def delay(self, address: str) -> timedelta:
        """How long the next attempt from an address has to wait; raises `Locked`."""
        now, known = self._clock(), self._addresses.get(network(address))
        if known is None or self.attempts(address) < FREE:
            return timedelta()
        turn = max(known.next_free or now, now)
        # further ahead than any turn is given: the clock was put back since
        if turn - now > LONGEST + 2 * PACE:
            turn = now
        if turn - now > LONGEST:
            raise Locked(1)
        known.next_free = turn + PACE
        return turn - now

    def attempts(self, address: str) -> int:
        """The failures and new accounts that count at present."""
        known = self._addresses.get(network(address))
        # the absolute value: a clock that was put back must not make a failure last for ever
        return known.attempts if known and abs(self._clock() - known.last) <= LOCK else 0

    def count(self, address: str) -> None:
        """Count a failure, or a new account."""
        now, name = self._clock(), network(address)
        known = self._addresses.pop(name, None)
        if known is None or abs(now - known.last) > LOCK:
            known = _Address(last=now)
        known.attempts, known.last = known.attempts + 1, now
        # a dict keeps the order of insertion: the first is the least recently seen
        self._addresses[name] = known
        if len(self._addresses) > ADDRESSES:
            del self._addresses[next(iter(self._addresses))]


def network(address: str) -> str:
    """What one customer has: an IPv4 address, or a /64 network of IPv6."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64)
    return str(found)
