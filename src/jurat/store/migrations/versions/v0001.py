"""The first schema, from which the oldest stores are migrated.

New stores are created from `jurat.store.schema`, so that no migration makes its tables.
"""

from __future__ import annotations

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Nothing: a store of this version has its tables."""
