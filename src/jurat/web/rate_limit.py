"""Knocking at the door: whoever tries a password, or wants an account, does so in his turn."""

from __future__ import annotations

import asyncio
from typing import Any

from jurat.campaigns.auth import Refused
from jurat.web.context import Visit


async def knock(visit: Visit, attempt: Any, *arguments: Any) -> Any:
    """Try to come in, when it is the address's turn; `Refused` says why one may not."""
    address = await _turn(visit)
    try:
        return await visit.call(attempt, *arguments)
    except Refused:
        visit.service.rate_limit.count(address)
        raise


async def ask(visit: Visit, attempt: Any, *arguments: Any) -> Any:
    """Ask for something that costs the server as much as a try, and counts as one."""
    visit.service.rate_limit.count(await _turn(visit))
    return await visit.call(attempt, *arguments)


async def _turn(visit: Visit) -> str:
    client = visit.request.client
    address = client.host if client else ""
    await asyncio.sleep(visit.service.rate_limit.delay(address).total_seconds())
    return address
