"""The media of a campaign as they are served: part by part."""

from __future__ import annotations

from jurat.campaigns.service_context import ServiceContext
from jurat.store import MediaFile
from jurat.store.media import CHUNK_BYTES


class CampaignMedia:
    """The part of the service that gives out media."""

    def __init__(self, context: ServiceContext) -> None:
        self._store = context.store

    def file(self, campaign: str, digest: str) -> MediaFile:
        """A file by the hash of its content; raises `NoSuchFile`."""
        return self._store.media_file(campaign, digest)

    def part(self, campaign: str, digest: str, start: int, end: int) -> bytes:
        """Bytes of a file from `start`, up to the end of its piece or to `end` (excluded)."""
        number, offset = divmod(start, CHUNK_BYTES)
        piece = self._store.media_chunk(campaign, digest, number)
        return piece[offset : offset + end - start]
