"""A campaign in preparation on a server, for scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from jurat.api_types import CampaignDetails
from jurat.api_types.drafts import DraftDetails, TestSetChoice, TutorialChoice

if TYPE_CHECKING:
    from jurat.library.client import RemoteCampaign, Server


class RemoteDraft:
    """A campaign in preparation on a server."""

    def __init__(self, server: Server, draft: str) -> None:
        self._server = server
        self.id = draft
        self._path = f"/drafts/{quote(draft, safe='')}"

    def __repr__(self) -> str:
        return f"<draft {self.id!r} of {self._server!r}>"

    def details(self) -> DraftDetails:
        """What is declared, with everything that is wrong or missing."""
        return self._server.get(self._path, DraftDetails)

    def update(self, **fields: object) -> DraftDetails:
        """Set fields: `update(title="Spring", **{"tasks.1.wanted": 3})`; None removes one."""
        return self._server.change("PATCH", self._path, fields, DraftDetails)

    def upload(
        self,
        *files: str | Path,
        part: Literal["test_set", "tutorial", "protocol", "declaration"] = "test_set",
    ) -> DraftDetails:
        """Add files; a declaration is a campaign.yaml, which replaces all fields."""
        return self._server.upload(f"{self._path}/files/{part}", files, DraftDetails)

    def remove(self, file: str) -> None:
        """Delete a file."""
        self._server.send("DELETE", f"{self._path}/files/{quote(file, safe='')}")

    def make_tutorial(self, *documents: str) -> DraftDetails:
        """Move documents of the test set to the tutorial."""
        body = TutorialChoice(documents=documents)
        return self._server.change("POST", f"{self._path}/tutorial", body, DraftDetails)

    def select(self, **conditions: Any) -> DraftDetails:
        """Reduce the test set by `systems`, `documents`, `first` and `where`."""
        body = TestSetChoice(**conditions)
        return self._server.change("POST", f"{self._path}/selection", body, DraftDetails)

    def declaration(self) -> bytes:
        """The draft as a campaign.yaml."""
        return self._server.send("GET", f"{self._path}/campaign.yaml")[0]

    def create(self) -> RemoteCampaign:
        """Create the campaign; the draft is gone then."""
        made = self._server.change("POST", f"{self._path}/campaign", None, CampaignDetails)
        return self._server.campaign(made.name)

    def discard(self) -> None:
        """Delete the draft with its files."""
        self._server.send("DELETE", self._path)
