"""The life of a campaign: created, audited, changed, started, stopped, closed, archived."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, BinaryIO, Literal

import msgspec

from jurat import __version__
from jurat.campaigns import judge_tasks, preregistration, update
from jurat.campaigns.accounts import account_by_pin
from jurat.campaigns.archive_check import check_archive
from jurat.campaigns.config import CampaignPlan, Fetch, read_plan, stored_plan
from jurat.campaigns.create import CampaignDefinition, campaign_files, new_campaign
from jurat.campaigns.media_files import media_contents
from jurat.campaigns.preregistration import Frozen, PlannedRow
from jurat.campaigns.screens import revealed
from jurat.campaigns.service_context import AGING, ServiceContext
from jurat.campaigns.update import Lock
from jurat.errors import input_error, raise_problems, unknown_name
from jurat.kits.audit_findings import Audit, Finding, NotReady
from jurat.kits.eligibility import unaided
from jurat.model import File, Judge, Phase, TestSet
from jurat.protocols import Protocol
from jurat.store import Account, AuditEntry, Campaign, PhaseRecord, Restored, StoredDecision
from jurat.store.progress import CampaignCounts
from jurat.store.records import PhaseState
from jurat.yamlfile import dump

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.imported_campaign import MovedCampaign
    from jurat.campaigns.judgment_feed import Feed
    from jurat.formats import ImportedCampaign

Action = Literal["start", "stop", "close"]
# The action of the audit log for a start in spite of findings.
STARTED_ANYWAY = "start anyway"
# Actions of the audit log after which judgments no longer count.
EXCLUDING = ("give back", "redo")
# Why a campaign is started with too few judges where nobody had to say it.
BY_REGISTRATION = "judges register themselves"
_STATES: dict[Action, PhaseState] = {"start": "started", "stop": "stopped", "close": "closed"}


class Campaigns:
    """The part of the service with which coordinators create and run campaigns."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store

    # What there is

    def all(self) -> list[Campaign]:
        """All campaigns of the store, the oldest first."""
        return list(self._store.campaigns())

    def counts(self) -> list[CampaignCounts]:
        """Judgments made and wanted, judges and last judgment of every campaign, oldest first."""
        return self._store.campaign_counts()

    def get(self, campaign: str) -> Campaign:
        """A campaign as it is stored, with its current configuration."""
        return self._store.campaign(campaign)

    def plan(self, campaign: str) -> CampaignPlan:
        """The configuration of a campaign, at most two seconds old."""
        return self._context.plan(campaign)

    def definition(self, campaign: str) -> CampaignDefinition:
        """The plan of a campaign with its protocols and test sets."""
        return self._context.definition(campaign)

    def protocol(self, campaign: str, task: str) -> Protocol:
        """The protocol of a task as it was when the campaign was created; raises `InputError`."""
        return self._context.protocol(campaign, task)

    def test_set(self, campaign: str) -> TestSet:
        """The campaign's test set."""
        return self._context.definition(campaign).test_set

    def tutorial(self, campaign: str) -> TestSet | None:
        """The test set of its tutorials; None where it has none."""
        return self._context.definition(campaign).tutorial

    def age(self, campaign: str) -> timedelta:
        """The time since the store was last asked for a newer configuration."""
        return self._context.age(campaign)

    def created(self, campaign: str) -> datetime:
        """When a campaign was created."""
        return self._context.campaign(campaign).version.created

    def is_loaded(self, campaign: str) -> bool:
        """Whether this process has the campaign in memory."""
        return self._context.is_loaded(campaign)

    def refreshed_plan(self, campaign: str) -> CampaignPlan:
        """The configuration, for which the store is asked again before it is too old to be used."""
        # Asked while nobody waits; see `AGING`.
        if self.age(campaign) >= AGING:
            return self._context.refresh(campaign).plan
        return self.plan(campaign)

    # From the beginning to the end

    def create(
        self,
        declaration: File,
        fetch: Fetch,
        *,
        author: str,
        tell: Callable[[str], object] = lambda _: None,
    ) -> Campaign:
        """Create a campaign from its `campaign.yaml`; raises `InputError` with all problems.

        `fetch` gives the files that the declaration names. `tell` is called with what should be
        known of them, such as how many suggestions belong to a translation.
        """
        new = new_campaign(read_plan(declaration), fetch, tell)
        self._store.create(new, author=author, now=self._context.now())
        return self._store.campaign(new.name)

    def move(
        self, found: ImportedCampaign, tables: Mapping[str, pl.DataFrame], *, author: str
    ) -> MovedCampaign:
        """Create a campaign that was running in another tool, with what was judged there.

        What is returned has the only copy of the judges' passwords and links. Raises `InputError`.
        """
        from jurat.campaigns.imported_campaign import move

        now = self._context.now()
        made = move(found, tables, now=now)
        self._store.create_running(made.new, made.judges, made.past, author=author, now=now)
        return made

    def audit(self, campaign: str) -> Audit:
        """Coverage, hours and findings for the judges that the campaign has."""
        seconds = judge_tasks.seconds_by_task(self._store.progress(campaign))
        kits = self._store.kits(campaign)
        definition = self._context.definition(campaign)
        return definition.audit(kits, self._judges(campaign), seconds=seconds)

    def obstacles(self, campaign: str, audit: Audit, tasks: Container[str]) -> list[Finding]:
        """What keeps tasks from being started, but for what they were started with before."""
        accepted: set[str] = set()
        for entry in self._store.logged(campaign, STARTED_ANYWAY):
            assert isinstance(entry.details, dict)
            accepted.update(map(str, entry.details["findings"]))
        found = (one for one in audit.obstacles if not one.task or one.task in tasks)
        return [one for one in found if str(one) not in accepted]

    def change_phases(
        self,
        campaign: str,
        action: Action,
        *,
        author: str,
        task: str | None = None,
        phase: Phase | None = None,
        reason: str = "",
        anyway: str = "",
        ask: bool = False,
    ) -> list[tuple[str, Phase]]:
        """Start, stop or close phases: all, those of a task, or one; returns which.

        Raises `InputError` where a campaign to be started cannot be finished, unless `anyway` says
        why it is started nevertheless, such as for a pilot; or where all is closed. With `ask` it
        is refused without a reason also where more judges can register themselves.
        """
        chosen = self._open_phases(campaign, task, phase)
        # What cannot be finished must not be started: judges would work in vain.
        if action == "start":
            tasks = {record.task for record in chosen}
            self._check_start(campaign, tasks, anyway, author, ask=ask)
        for record in chosen:
            self._store.set_phase(
                campaign,
                record.task,
                record.phase,
                _STATES[action],
                author=author,
                now=self._context.now(),
                reason=reason,
            )
        return [(record.task, record.phase) for record in chosen]

    def _check_start(
        self, campaign: str, tasks: Container[str], anyway: str, author: str, *, ask: bool
    ) -> None:
        """Raise `NotReady` where tasks cannot be finished; with a reason, log it instead."""
        audit = self.audit(campaign)
        obstacles = self.obstacles(campaign, audit, tasks)
        refused = obstacles if ask else [one for one in obstacles if one.severity == "error"]
        if refused and not anyway:
            raise NotReady(refused)
        if obstacles:
            found = [str(one) for one in obstacles]
            details = {"reason": anyway or BY_REGISTRATION, "findings": found}
            now = self._context.now()
            self._store.log(campaign, STARTED_ANYWAY, author=author, now=now, details=details)

    def _open_phases(
        self, campaign: str, task: str | None, phase: Phase | None
    ) -> list[PhaseRecord]:
        """The phases meant that are not closed."""
        found = self._store.campaign(campaign).phases
        if task is not None and task not in {record.task for record in found}:
            raise unknown_name("task", task, dict.fromkeys(record.task for record in found))
        meant = [p for p in found if task in (None, p.task) and phase in (None, p.phase)]
        if not meant:
            raise input_error(f"there is no {phase} here", value=phase)
        if all(record.state == "closed" for record in meant):
            raise input_error("this was closed, for good", code="closed-for-good")
        return [record for record in meant if record.state != "closed"]

    def freeze(
        self,
        campaign: str,
        *,
        author: str,
        exclusions: str = "none",
        analysis: str = "",
        stopping: str = "",
        again: bool = False,
    ) -> Frozen:
        """Record what is planned with a hash; raises `InputError` if it was, unless `again`.

        An empty `stopping` is what the tasks want; an empty `analysis` is a report's.
        """
        if not again and (before := self.frozen(campaign)):
            raise input_error(f"this campaign was {before}; --again records another plan")
        made = preregistration.freeze(
            self.definition(campaign),
            now=self._context.now(),
            exclusions=exclusions,
            analysis=analysis or f"jurat report with its defaults, version {__version__}",
            stopping=stopping,
            decisions=sum(p.decisions for p in self._store.progress(campaign).phases),
        )
        details = msgspec.to_builtins(made)
        self._store.log(
            campaign, preregistration.ACTION, author=author, now=made.at, details=details
        )
        return made

    def frozen(self, campaign: str) -> Frozen | None:
        """What was recorded last; None if nothing was."""
        found = preregistration.recorded(self.audit_log(campaign))
        return found[-1] if found else None

    def planned_and_done(self, campaign: str) -> list[PlannedRow]:
        """The recorded plan beside what was done; nothing without a plan."""
        found = self.frozen(campaign)
        phases = self._store.progress(campaign).phases
        return (
            list(preregistration.compared(found, self.definition(campaign), phases))
            if found
            else []
        )

    # Changes while it runs

    def locked(self, campaign: str) -> dict[str, Lock]:
        """The fields that can no longer be changed, such as `test_set` or `tasks.1.wanted`."""
        return update.locked_fields(self.plan(campaign), self._store.progress(campaign).phases)

    def update(
        self, campaign: str, parameters: Mapping[str, object], *, author: str
    ) -> CampaignPlan:
        """Change parameters by their names, such as `guest` or `tasks.1.required.evaluation`.

        None removes one, so that its default holds. Raises `InputError` for what is locked. All
        processes see the change within two seconds.
        """
        stored = self._store.campaign(campaign)
        before = stored_plan(stored.declaration)
        content = update.redeclared(stored.declaration, parameters)
        after = update.read_plan(content)
        changes = update.changed_fields(before, after)
        if not changes:
            return before
        phases = self._store.progress(campaign).phases
        raise_problems(update.refusals(changes, after, self.locked(campaign), phases))
        if update.affects_running_tasks(changes, phases):
            kits, judges = list(self._store.kits(campaign)), self._judges(campaign)
            definition = self._context.definition(campaign)
            raise_problems(update.new_audit_errors(definition, after, kits, judges))
        self._store.redeclare(
            campaign,
            content,
            title=after.title,
            # Refused by the store if somebody else has changed it meanwhile.
            after=stored.edition,
            author=author,
            now=self._context.now(),
            details=changes,
        )
        return self._context.refresh(campaign).plan

    def give_back(
        self,
        campaign: str,
        pin: str,
        *,
        author: str,
        reason: str,
        task: str | None = None,
        finished: bool = True,
    ) -> int:
        """Offer a judge's kits to the others; returns how many. Old rows stay, marked excluded.

        With `finished=False` only the kits that the judge has not completed.
        """
        return self._store.give_back(
            campaign,
            self._judge(campaign, pin, task).id,
            task=task,
            author=author,
            reason=reason,
            finished=finished,
            now=self._context.now(),
        )

    def redo(
        self, campaign: str, pin: str, *, author: str, reason: str, task: str | None = None
    ) -> int:
        """Have a judge do their kits again from the start; returns how many. Old rows stay, marked.

        Raises `InputError` for a task read without references whose references they know by now.
        """
        judge = self._judge(campaign, pin, task)
        own = (one for one in self._store.decisions(campaign) if one.judge == judge.pin)
        for name in _seen_references(own, self._context.definition(campaign).protocols):
            if task in (None, name):
                why = "the judge has seen the references meanwhile; give the kits back instead"
                raise input_error(f"task {name}: {why}", field="task")
        now = self._context.now()
        return self._store.redo(
            campaign, judge.id, task=task, author=author, reason=reason, now=now
        )

    def exclusions(self, campaign: str) -> list[AuditEntry]:
        """Whose judgments were excluded, by whom, when and why, the latest first."""
        entries = [one for action in EXCLUDING for one in self._store.logged(campaign, action)]
        some = [one for one in entries if isinstance(one.details, dict) and one.details["kits"]]
        return sorted(some, key=lambda one: one.at, reverse=True)

    def _judge(self, campaign: str, pin: str, task: str | None) -> Account:
        """The account of a judge, after a check that there is such a task."""
        if task is not None:
            self.protocol(campaign, task)
        return account_by_pin(self._store, campaign, pin)

    def _judges(self, campaign: str) -> list[Judge]:
        """The judges who can be given kits."""
        return [
            one.judge for one in self._store.judges(campaign) if one.role == "judge" and one.active
        ]

    def delete(self, campaign: str, *, author: str) -> None:
        """Delete a campaign with its accounts and judgments; write an archive before."""
        self._store.delete_campaign(campaign, author=author, now=self._context.now())
        self._context.forget(campaign)

    # What leaves the store, or comes into it

    def tables(self, campaign: str) -> dict[str, pl.DataFrame]:
        """All judgments as long tables, by the table's name."""
        from jurat.campaigns.export import JudgmentTables

        return JudgmentTables(
            self._store, campaign, self._context.definition(campaign).protocols
        ).tables()

    def export_tables(self, campaign: str) -> dict[str, pl.DataFrame]:
        """What an export has: people's tables, those of models apart, and questionnaires."""
        from jurat.campaigns.model_judges import ModelJudges
        from jurat.campaigns.questionnaires import QuestionnaireAnswers

        models = ModelJudges(self._context)
        apart = {f"models.{name}": frame for name, frame in models.tables(campaign).items()}
        if apart:
            apart["models.requests"] = models.log_table(campaign)
        asked = QuestionnaireAnswers(self._context).table(campaign)
        personal = {"questionnaires": asked} if asked.height else {}
        return {**self.tables(campaign), **apart, **personal}

    def tables_with_models(self, campaign: str, *, spans: bool) -> dict[str, pl.DataFrame]:
        """The long tables of people and model judges; the column `judge_kind` tells them apart.

        Without model judges there is no such column. `spans`: also in tables other than judgments
        and preferences, whose readers do not tell them apart.
        """
        from jurat.campaigns.model_judge_tables import with_models
        from jurat.campaigns.model_judges import ModelJudges

        return with_models(
            self.tables(campaign), ModelJudges(self._context).tables(campaign), every=spans
        )

    def tables_with_texts(self, campaign: str) -> dict[str, pl.DataFrame]:
        """The long tables, the texts that were judged as `translations`, and languages as tags.

        `work` has what judges are still to judge, and `questions` what they are asked, also where
        nothing is judged yet.
        """
        from jurat.campaigns.export import translations, with_languages
        from jurat.campaigns.question_table import question_table
        from jurat.campaigns.unjudged_translations import work_left

        tables = self.tables(campaign)
        kits, people = list(self._store.kits(campaign)), self._store.judges(campaign)
        wanted = {one.name: one.wanted for one in self.plan(campaign).tasks}
        left = work_left(campaign, kits, people, wanted=wanted, tables=tables)
        work = {"work": left} if left.height else {}
        told = with_languages({**tables, **work}, self.test_set(campaign))
        asked = question_table(self._context.definition(campaign).protocols.values())
        beside = {"questions": asked} if asked.height else {}
        return {**told, **beside, "translations": translations(kits)}

    def judgments_after(self, campaign: str, number: int, *, most: int) -> Feed:
        """Rows of the decisions after one, by its number; for scripts that follow a campaign."""
        from jurat.campaigns.judgment_feed import feed

        protocols = self._context.definition(campaign).protocols
        return feed(self._store, campaign, protocols, after=number, most=most)

    def stamp(self, campaign: str) -> str:
        """A word that is another one after any change to the campaign."""
        return self._store.stamp(campaign)

    def files(self, campaign: str) -> dict[str, bytes]:
        """The campaign's declaration and the files it names, from which it can be created again."""
        declaration = self._store.campaign(campaign).declaration
        made, files = campaign_files(declaration, self._context.definition(campaign))
        media = media_contents(self._store, campaign, self.plan(campaign).media)
        return {"campaign.yaml": dump(made).encode(), **files, **media}

    def audit_log(self, campaign: str) -> list[AuditEntry]:
        """Everything that was done to a campaign, oldest first."""
        return list(self._store.audit_log(campaign))

    def archive(self, campaign: str, file: BinaryIO) -> None:
        """Write the whole campaign, with accounts and judgments, to a file for another store."""
        self._store.archive(campaign, file, now=self._context.now())

    def backup(self, file: BinaryIO) -> None:
        """Write the whole store to a file."""
        self._store.backup(file, now=self._context.now())

    def restore(self, file: BinaryIO) -> Restored:
        """Read a backup into an empty store, or an archive; raises `InputError`."""
        return self._store.restore(file)

    def open_archive(self, file: BinaryIO, *, author: str = "") -> Restored:
        """Read an archive of a campaign from anywhere; all of it is checked before.

        With an author, the audit logs of the campaigns record who opened the archive. Raises
        `InputError`, also where an answer is none that its protocol allows.
        """
        check_archive(file)
        found = self._store.restore(file)
        for campaign in found.campaigns if author else ():
            self._store.log(campaign, "open archive", author=author, now=self._context.now())
        return found


def _seen_references(
    decisions: Iterable[StoredDecision], protocols: Mapping[str, Protocol]
) -> list[str]:
    """Tasks to be read without help in which a judge, by all they decided, knows a reference."""
    read: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    known: set[tuple[str, str]] = set()
    for one in decisions:
        protocol, segment = protocols[one.task], (one.item.document, one.item.segment)
        if one.item.references and "references" in revealed(protocol, one.stage, one.item):
            known.add(segment)
        if one.status != "excluded" and unaided(protocol):
            read[one.task].add(segment)
    return [task for task, segments in read.items() if segments & known]
