"""What adjudicators do: judge again, blindly, where judges differ."""

from __future__ import annotations

from collections.abc import Mapping

from jurat.campaigns import contests
from jurat.campaigns.contests import Case, Contest
from jurat.campaigns.running import Running


class Adjudicating(Running):
    """The adjudicators' side of the service, and the coordinators' view of it."""

    def contested(self, campaign: str, task: str, *, more_than: float = 1) -> list[Contest]:
        """For coordinators: the items whose judgments differ by more than so much."""
        protocol = self.protocol(campaign, task)
        decisions = (d for d in self.store.decisions(campaign) if d.task == task)
        settled = self.store.adjudications(campaign)
        return contests.contested(decisions, settled, protocol, more_than=more_than)

    def cases(
        self, campaign: str, adjudicator: str, task: str, *, more_than: float = 1
    ) -> list[Case]:
        """For an adjudicator: the same without systems' names, and without who said what."""
        self._admitted(campaign, adjudicator, "adjudicator")
        protocol = self.protocol(campaign, task)
        found = self.contested(campaign, task, more_than=more_than)
        return [contests.case(contest, protocol) for contest in found]

    def adjudicate(
        self,
        campaign: str,
        adjudicator: str,
        task: str,
        key: str,
        answers: Mapping[str, object],
        *,
        reason: str = "",
    ) -> int:
        """Settle a case; the judges' own answers stay beside it."""
        account = self._admitted(campaign, adjudicator, "adjudicator")
        protocol = self.protocol(campaign, task)
        place, item = contests.found(self.store.kits(campaign, task=task), key)
        return self.store.adjudicate(
            campaign,
            *place,
            answers=protocol.check(answers, item),
            author=account.pin,
            reason=reason,
            now=self._clock(),
        )
