"""Whether high or low scores of a metric are the good ones."""

from __future__ import annotations

import re
from functools import cache

from jurat.metrics.metric import metrics

# Error metrics that Jurat does not compute.
OUTSIDE = frozenset(("cer", "terp"))
_BREAK = re.compile(r"[^\w+]|_")


@cache
def error_metrics() -> frozenset[str]:
    """The names of metrics that count errors, so that lower is better."""
    return OUTSIDE | {kind.name for kind in metrics() if not kind.higher_better}


def counts_errors(label: str) -> bool:
    """Whether a metric counts errors, by how its name begins: `TER-refA`, `ter:no_punct=true`."""
    small = label.lower()
    # Every beginning that ends at a break: `TER`, `TER-refA`, `ter`.
    ends = [*(found.start() for found in _BREAK.finditer(small)), len(small)]
    return any(small[:end] in error_metrics() for end in ends)
