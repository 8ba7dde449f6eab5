"""Before the door: an address from which much goes wrong waits before each further try.

Accounts lock by themselves (`entrance`), but somebody who guesses PINs meets no account, and every
try costs the server a slow hash. Here he gets no more than a try a second. No address is locked: a
class of judges behind it waits a little, and is sent away only while many tries wait there already.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address

import msgspec

from jurat.campaigns.auth import LOCK, Locked
from jurat.campaigns.context import Clock

# Wrong tries, and new accounts, from one address that nobody has to wait for.
FREE = 100
# Between two tries from an address that has had more.
PACE = timedelta(seconds=1)
# Of waiting; who would have to wait longer is told to come back.
LONGEST = timedelta(seconds=10)
# That are remembered; of more, those from which nothing was heard for longest are forgotten.
ADDRESSES = 10_000


class _Caller(msgspec.Struct):
    """What is known of an address."""

    last: datetime
    tries: int = 0
    turn: datetime | None = None


class Doorstep:
    """Who has to wait; for one thread, and for one process: another counts for itself."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._callers: dict[str, _Caller] = {}

    def turn(self, address: str) -> timedelta:
        """How long somebody waits before his try; `Locked` where too many wait there already."""
        now, caller = self._clock(), self._callers.get(network(address))
        if caller is None or caller.tries < FREE or now - caller.last > LOCK:
            return timedelta()
        turn = max(caller.turn or now, now)
        if turn - now > LONGEST:
            raise Locked(1)
        caller.turn = turn + PACE
        return turn - now

    def note(self, address: str) -> None:
        """One more wrong try, or one more new account."""
        now, name = self._clock(), network(address)
        caller = self._callers.pop(name, None)
        if caller is None or now - caller.last > LOCK:
            caller = _Caller(last=now)
        caller.tries, caller.last = caller.tries + 1, now
        self._callers[name] = caller  # the latest stands last
        if len(self._callers) > ADDRESSES:
            del self._callers[next(iter(self._callers))]


def network(address: str) -> str:
    """What one customer has: an address, or of the newer kind a whole range of them."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64)
    return str(found)
