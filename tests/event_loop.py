"""Coroutines awaited from tests that are not asynchronous themselves."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Value = TypeVar("Value")


def awaited(work: Coroutine[Any, Any, Value]) -> Value:
    """The value of a coroutine, from an event loop in a thread of its own.

    Playwright leaves a loop running in the thread of the tests, in which no other can be started.
    """
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()
