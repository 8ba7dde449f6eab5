"""The service: everything that pages, commands and simulated judges do with campaigns."""

from __future__ import annotations

from jurat.campaigns.accounts import Accounts
from jurat.campaigns.adjudication import Adjudications
from jurat.campaigns.api_tokens import ApiTokens
from jurat.campaigns.coordinators import Coordinators
from jurat.campaigns.drafts import Drafts
from jurat.campaigns.export_files import ExportFiles
from jurat.campaigns.guest_tutorial import Guests
from jurat.campaigns.judging import Judging
from jurat.campaigns.lifecycle import Campaigns
from jurat.campaigns.media import CampaignMedia
from jurat.campaigns.messages import Messages
from jurat.campaigns.model_judges import ModelJudges
from jurat.campaigns.monitoring.status import Monitoring
from jurat.campaigns.platforms import Platforms
from jurat.campaigns.questionnaires import QuestionnaireAnswers
from jurat.campaigns.rate_limit import RateLimit
from jurat.campaigns.service_context import Clock, ServiceContext, utc_now
from jurat.campaigns.webhooks import Webhooks
from jurat.store import Store


class Service:
    """All that can be done with the campaigns of a store, in parts."""

    def __init__(self, store: Store, *, clock: Clock = utc_now) -> None:
        """For an open store; tests and simulated judges bring a clock of their own."""
        # Not public: pages and commands use the parts (tests/test_house.py checks this).
        self._store = store
        self.clock = clock
        context = ServiceContext(store, clock)
        self.campaigns = Campaigns(context)
        """Create, list, change, start, stop, close, audit, export, archive."""
        self.judging = Judging(context)
        """The judges' steps and decisions."""
        self.guests = Guests(context)
        """Tutorials without an account."""
        self.accounts = Accounts(context)
        """Judges and adjudicators: their accounts and logins."""
        self.messages = Messages(context)
        """What coordinators and judges write to each other."""
        self.questionnaires = QuestionnaireAnswers(context)
        """What judges say of themselves."""
        self.platforms = Platforms(context)
        """Judges from crowd platforms."""
        self.media = CampaignMedia(context)
        """Videos, recordings and images that judges are shown."""
        self.model_judges = ModelJudges(context)
        """Language models as judges: what they are asked, and what they answered."""
        self.coordinators = Coordinators(context)
        """Coordinators of the store: their accounts and logins."""
        self.api_tokens = ApiTokens(context, self.coordinators)
        """What lets coordinators' scripts use the HTTP API."""
        self.drafts = Drafts(context)
        """Drafts of campaigns."""
        self.adjudication = Adjudications(context)
        """Items on which judges disagree."""
        self.monitoring = Monitoring(context)
        """Progress, status, results, reminders."""
        self.exports = ExportFiles(self, context)
        """Downloads with all judgments."""
        self.webhooks = Webhooks(context, self.monitoring)
        """Requests to other programs when a campaign is finished or stuck."""
        self.rate_limit = RateLimit(clock)
        """Which addresses have to wait before they try to log in again."""

    def close(self) -> None:
        """Stop the threads and processes that it has started."""
        self.adjudication.close()
        self.monitoring.close()
        self.exports.close()

    def secret(self) -> bytes:
        """Random bytes that belong to the store, with which sessions are signed."""
        return self._store.secret()

    def check_readable(self) -> None:
        """Raise `StoreFault` where the store cannot be read."""
        self._store.campaigns()

    def check_writable(self) -> None:
        """Raise `StoreFault` where nothing can be stored, as on a full disk."""
        self._store.note_check(self.clock())
