"""`Store`: every operation on campaigns, accounts and judgments, each one transaction.

An operation is declared once, as a `Read`, `LookUp`, `Write`, `WriteSoon` or `Stream` of a
function whose first argument is the `Session` of the transaction. On a store it is a method that
takes the other arguments; the function's docstring is its documentation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from functools import partial, update_wrapper
from types import TracebackType
from typing import BinaryIO, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from jurat.store import (
    accounts,
    assignments,
    campaign_deletion,
    judge_deletion,
    judgment_overrides,
    steps,
    store_settings,
)
from jurat.store import api_tokens as api_tokens_
from jurat.store import backup_archive as archive_
from jurat.store import campaign_drafts as campaign_drafts_
from jurat.store import campaigns as campaigns_
from jurat.store import change_feed as changes_
from jurat.store import coordinators as coordinators_
from jurat.store import decisions as decisions_

# With an underscore where an operation has the module's name, which would hide it below.
from jurat.store import decisions_over_time as activity_
from jurat.store import imported_campaign as imported_campaign_
from jurat.store import kits as kits_
from jurat.store import media as media_
from jurat.store import messages as messages_
from jurat.store import model_answers as model_answers_
from jurat.store import progress as progress_
from jurat.store import questionnaires as questionnaires_
from jurat.store.connect import open_database
from jurat.store.database import Database, Session
from jurat.store.records import Restored

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")


class Operation(ABC, Generic[P, T, R]):
    """A function on a `Session` as a method of `Store` that runs it in a transaction.

    `P` are the function's arguments after the session, `T` its result, `R` the method's result.
    """

    def __init__(self, function: Callable[Concatenate[Session, P], T]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type[Store], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, store: None, owner: type[Store]) -> Self: ...
    @overload
    def __get__(self, store: Store, owner: type[Store]) -> Callable[P, R]: ...
    def __get__(self, store: Store | None, owner: type[Store]) -> Self | Callable[P, R]:
        if store is None:
            return self
        # Kept in the instance, where it is found first: later calls do not come here.
        method: Callable[P, R] = update_wrapper(self.method(store._database), self._function)
        store.__dict__[self._name] = method
        return method

    @abstractmethod
    def method(self, database: Database) -> Callable[P, R]:
        """The operation on one database."""

    def _run_by(self, run: Callable[[Callable[[Session], T]], R]) -> Callable[P, R]:
        """A method that lets `run` call the function with a session and the method's arguments."""
        function = self._function

        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return run(lambda session: function(session, *args, **kwargs))

        return call


class Read(Operation[P, T, T]):
    """Reads from one snapshot."""

    def method(self, database: Database) -> Callable[P, T]:
        return self._run_by(database.read)


class LookUp(Operation[P, T, T]):
    """Reads by one statement, which needs no transaction."""

    def method(self, database: Database) -> Callable[P, T]:
        return self._run_by(database.look_up)


class Stream(Operation[P, Iterator[T], Iterator[T]]):
    """Reads row by row from one snapshot, which lasts as long as the iteration."""

    def method(self, database: Database) -> Callable[P, Iterator[T]]:
        return self._run_by(database.stream)


class Write(Operation[P, T, T]):
    """Changes something; it is on disk when the call returns.

    With `repeatable`, doing it twice is harmless: it is repeated if the connection breaks before
    its outcome is known.
    """

    def __init__(
        self, function: Callable[Concatenate[Session, P], T], *, repeatable: bool = False
    ) -> None:
        super().__init__(function)
        self._repeatable = repeatable

    def method(self, database: Database) -> Callable[P, T]:
        return self._run_by(partial(database.write, repeatable=self._repeatable))


class WriteSoon(Operation[P, T, Awaitable[T]]):
    """A repeatable `Write` for an event loop, which goes on while the disk is at work."""

    def method(self, database: Database) -> Callable[P, Awaitable[T]]:
        return self._run_by(database.write_soon)


class Store:
    """Campaigns with their kits, accounts and judgments; safe to use from many threads.

    Campaigns and tasks go by their names, judges and assignments by their opaque ids; times
    (`now`) are in UTC.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.address = database.address
        """Where another process opens the same store."""

    @classmethod
    def open(cls, url: str, *, create: bool = True) -> Self:
        """The store at a path, `sqlite:///path` or `postgresql://user:password@host/name`.

        A store that does not exist is created, unless `create` is false; an older schema is
        upgraded. Raises `NoSuchStore`, `NotAStore`, `StoreIsNewer`, `StoreUnreachable` or
        `DriverMissing`.
        """
        return cls(open_database(url, create=create))

    def close(self) -> None:
        """Finish the transactions under way and disconnect."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Campaigns
    create = Write(campaigns_.create)
    create_running = Write(imported_campaign_.create)
    campaigns = Read(campaigns_.every)
    campaign = Read(campaigns_.one)
    states = LookUp(campaigns_.states)
    version = Read(campaigns_.version)
    redeclare = Write(campaigns_.redeclare)
    test_set = Read(campaigns_.test_set)
    tutorial = Read(campaigns_.tutorial)
    kits = Stream(kits_.every)
    set_phase = Write(campaigns_.set_phase)
    log = Write(campaigns_.log)
    logged = Read(campaigns_.logged)
    audit_log = Read(campaigns_.audit_log)

    # Accounts
    add_judges = Write(accounts.add)
    judges = Read(accounts.every)
    judge = LookUp(accounts.by_id)
    judge_by_pin = Read(accounts.by_pin)
    judge_by_token = Read(accounts.by_token)
    judge_number = Read(accounts.number)
    change_judge = Write(accounts.change)
    login_attempted = Write(accounts.login_attempted)
    login_succeeded = Write(accounts.login_succeeded)
    end_session = Write(accounts.end_session)

    # Messages to judges
    send_message = Write(messages_.send)
    messages = Read(messages_.every)
    unread_messages = Read(messages_.unread)
    dismiss_message = Write(messages_.dismiss)
    withdraw_message = Write(messages_.withdraw)

    delete_judge_data = Write(judge_deletion.delete_data)

    # Questionnaires
    answer_questionnaire = Write(questionnaires_.answer, repeatable=True)
    answered_questionnaires = Read(questionnaires_.answered)
    questionnaire_answers = Read(questionnaires_.every)

    # Media
    media = Read(media_.every)
    media_file = Read(media_.by_digest)
    media_chunk = Read(media_.chunk)

    # Model judges
    add_model_answer = Write(model_answers_.add, repeatable=True)
    model_answers = Read(model_answers_.every)

    # Coordinators of the whole store
    keep_setup = Write(coordinators_.keep_setup)
    is_setup = Read(coordinators_.is_setup)
    add_first_coordinator = Write(coordinators_.add_first)
    add_coordinator = Write(coordinators_.add)
    coordinators = Read(coordinators_.every)
    coordinator = Read(coordinators_.by_id)
    coordinator_by_login = Read(coordinators_.by_login)
    coordinator_by_token = Read(coordinators_.by_token)
    change_coordinator = Write(coordinators_.change)
    coordinator_attempted = Write(coordinators_.login_attempted)
    coordinator_succeeded = Write(coordinators_.login_succeeded)
    end_coordinator_session = Write(coordinators_.end_session)
    site_log = Read(store_settings.site_log)
    claim = Write(store_settings.claim)
    note_check = Write(store_settings.note_check, repeatable=True)

    # Tokens of the HTTP API
    add_api_token = Write(api_tokens_.add)
    api_tokens = Read(api_tokens_.every)
    api_token = Read(api_tokens_.by_hash)
    revoke_api_token = Write(api_tokens_.revoke)
    note_api_token_use = Write(api_tokens_.note_use, repeatable=True)

    # Drafts of campaigns
    add_campaign_draft = Write(campaign_drafts_.begin)
    campaign_drafts = Read(campaign_drafts_.every)
    campaign_draft = Read(campaign_drafts_.one)
    campaign_draft_file = Read(campaign_drafts_.content)
    change_campaign_draft = Write(campaign_drafts_.change)
    drop_campaign_draft = Write(campaign_drafts_.drop)
    delete_campaign = Write(campaign_deletion.remove)

    # Judging: repeatable, since a decision that is stored already is only acknowledged again
    next_step = Write(steps.next_step, repeatable=True)
    step = Read(steps.step)
    ahead = Read(steps.ahead)
    save_answers = Write(steps.save_answers, repeatable=True)
    submit = Write(decisions_.submit, repeatable=True)
    submit_soon = WriteSoon(decisions_.submit)
    revise_soon = WriteSoon(decisions_.revise)
    recent = Read(decisions_.recent)

    # Corrections
    give_back = Write(judgment_overrides.give_back)
    redo = Write(judgment_overrides.redo)
    adjudicate = Write(judgment_overrides.adjudicate)

    # Results and progress
    decisions = Stream(decisions_.every)
    decisions_of_judge = Read(decisions_.of_judge)
    flagged = Read(decisions_.flagged)
    flag_count = Read(decisions_.flag_count)
    adjudications = Read(judgment_overrides.every_adjudication)
    stamp = Read(changes_.stamp)
    changes = Read(changes_.changes)
    certain_decisions = Read(changes_.certain_decisions)
    feed_limit = Read(changes_.feed_limit)
    contents = Read(kits_.contents)
    progress = Read(progress_.progress)
    paces = Read(progress_.paces)
    windows = Read(progress_.windows)
    open_places = Read(progress_.open_places)
    activity = Read(activity_.activity)
    first_and_last_decision = Read(activity_.first_and_last)
    offers = Read(assignments.offers)
    recent_seconds = Read(progress_.recent_seconds)
    campaign_counts = Read(progress_.campaign_counts)

    # Backups and archives
    backup = Read(archive_.backup)
    archive = Read(archive_.archive)

    def restore(self, file: BinaryIO) -> Restored:
        """Load a backup into an empty store, or an archive of a campaign whose name is free.

        The whole file is checked first, and all of it is stored or nothing. Raises `BadArchive`,
        `StoreNotEmpty` or `CampaignExists`.
        """
        # Checked before the transaction: nobody could judge while a large file is read.
        content = archive_.Archive.check(file)
        return self._database.write(lambda session: archive_.load(session, content))

    def secret(self) -> bytes:
        """The key with which all servers of this store sign what they hand to browsers."""
        return store_settings.secret(self._database).encode()
