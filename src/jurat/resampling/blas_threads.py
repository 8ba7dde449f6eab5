"""One thread for BLAS, the library behind numpy's products.

Its threads wait for each other busily: a second one gains nothing on matrices of the size that
statistics have, and took nine times the processor time in tests of all pairs of systems.
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import Any

_controllers: dict[bool, Any] = {}
"""What sets the threads, before and after scipy is loaded: to look for them takes milliseconds."""


def one_blas_thread() -> AbstractContextManager[Any]:
    """Hold BLAS to one thread while the block runs, and give back what there was after it.

    Blocks may be nested. The setting belongs to the process: where threads run such blocks at the
    same time, a block around all of them keeps the first that ends from resetting it.
    """
    from threadpoolctl import ThreadpoolController

    # scipy brings a BLAS of its own, which is found only once it is loaded.
    known = "scipy.linalg" in sys.modules
    if known not in _controllers:
        _controllers[known] = ThreadpoolController()
    limit: AbstractContextManager[Any] = _controllers[known].limit(limits=1, user_api="blas")
    return limit
