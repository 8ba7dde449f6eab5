"""Messages of coordinators to judges, and of judges to coordinators."""

from __future__ import annotations

from jurat.campaigns.accounts import account_by_pin
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import input_error
from jurat.store import AuditEntry
from jurat.store.messages import JudgeMessage

# Characters of a message.
LONGEST = 2000


class Messages:
    """The part of the service that lets coordinators and judges write to each other."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store

    def send(self, campaign: str, text: str, *, author: str, pin: str = "") -> None:
        """Show a text to a judge, or to all, on their overview. Raises `InputError`."""
        said = text.replace("\0", "").strip()
        if not said:
            raise input_error("the message is empty", field="text", code="empty-message")
        if len(said) > LONGEST:
            message = f"expected at most {LONGEST} characters, got {len(said)}"
            raise input_error(message, field="text", value=str(LONGEST), code="too-long")
        judge = account_by_pin(self._store, campaign, pin).id if pin else ""
        now = self._context.now()
        self._store.send_message(campaign, said, judge=judge, author=author, now=now)

    def all(self, campaign: str) -> list[JudgeMessage]:
        """All messages to judges, the latest first."""
        return list(reversed(self._store.messages(campaign)))

    def from_judges(self, campaign: str) -> list[AuditEntry]:
        """What judges have written to the coordinator, the latest first."""
        return list(reversed(self._store.logged(campaign, "feedback")))

    def unread(self, campaign: str, judge: str) -> list[JudgeMessage]:
        """What a judge is to read, in order; by the id of their account."""
        return list(self._store.unread_messages(campaign, judge))

    def dismiss(self, campaign: str, judge: str, message: str) -> None:
        """Show a message no more to a judge who has read it."""
        self._store.dismiss_message(campaign, judge, message, now=self._context.now())

    def withdraw(self, campaign: str, message: str, *, author: str) -> None:
        """Show a message to nobody any more."""
        now = self._context.now()
        self._store.withdraw_message(campaign, message, author=author, now=now)
