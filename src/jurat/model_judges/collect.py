"""Asks a model about the open items of a campaign, several at a time, and stores each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime
from functools import partial
from random import Random
from threading import Event
from typing import NamedTuple

import msgspec

from jurat.campaigns import Service
from jurat.campaigns.model_judges import ModelTask
from jurat.campaigns.screens import item_screens
from jurat.errors import InputError, input_error
from jurat.model_judges.answer import in_words, read_answers
from jurat.model_judges.endpoint import Endpoint, EndpointFault, Message, Prices, Usage
from jurat.model_judges.prompt import SYSTEM, VERSION, check_answerable, stage_prompt
from jurat.store import NewModelAnswer

# Times that a model is asked again after an answer that the protocol does not accept.
CORRECTIONS = 2
# Items in a row without an answer after which nobody is asked any more.
MOST_IN_VAIN = 5
# The first wait in seconds before another attempt; it doubles each time, up to the longest.
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0


class Collected(NamedTuple):
    """What one run brought."""

    answered: int = 0
    in_vain: int = 0
    before: int = 0
    """Answers that were stored before and not asked for again."""
    left: int = 0
    """Items that were not asked about."""
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float | None = None
    problems: tuple[str, ...] = ()
    """What went wrong, each message once."""


class Collector(msgspec.Struct, kw_only=True):
    """How a model is asked; `clock` counts seconds, and `sleep` waits for some."""

    service: Service
    campaign: str
    judge: str
    model: str
    endpoint: Endpoint
    sleep: Callable[[float], object]
    clock: Callable[[], float]
    seed: int = 1
    temperature: float = 0.0
    parameters: Mapping[str, object] = {}
    retries: int = 5
    prices: Prices | None = None
    parallel: int = 4
    _stop: Event = msgspec.field(default_factory=Event)
    _failures: list[ModelTask] = msgspec.field(default_factory=list)
    """What got no answer since the last that did."""

    @property
    def settings(self) -> dict[str, object]:
        """What makes this judge another one if it changes; stored with every answer."""
        sent = {"seed": self.seed, "temperature": self.temperature, **self.parameters}
        return {"model": self.model, "prompt": VERSION, **sent}

    def run(
        self,
        *,
        task: str | None = None,
        limit: int | None = None,
        on_answer: Callable[[NewModelAnswer], None] = lambda _: None,
    ) -> Collected:
        """Ask about what is open, at most `limit` items; every answer is stored as it comes.

        Raises `InputError` for a task that models cannot answer, and where the endpoint refuses
        the request itself, such as for a wrong key.
        """
        judges = self.service.model_judges
        every = judges.tasks(self.campaign, only=task)
        for name in dict.fromkeys(one.task for one in every):
            check_answerable(name, self.service.campaigns.protocol(self.campaign, name))
        todo = judges.open_tasks(self.campaign, self.judge, self.settings, only=task)
        chosen = todo if limit is None else todo[:limit]
        made: list[NewModelAnswer] = []
        for answer in self._answers(chosen):
            judges.save(self.campaign, answer)
            on_answer(answer)
            made.append(answer)
        return _summary(made, before=len(every) - len(todo), open_before=len(todo))

    def _answers(self, chosen: Sequence[ModelTask]) -> Iterator[NewModelAnswer]:
        """The answers as they come, not in order; none after a fault that concerns them all."""
        self._stop.clear()
        self._failures.clear()
        with ThreadPoolExecutor(self.parallel) as pool:
            futures = [pool.submit(self._answer, one) for one in chosen]
            try:
                for future in as_completed(futures):
                    if (found := future.result()) is not None:
                        yield found
            finally:
                # also when interrupted: what is not yet asked is not asked any more
                self._stop.set()
                pool.shutdown(wait=True, cancel_futures=True)

    def _answer(self, one: ModelTask) -> NewModelAnswer | None:
        if self._stop.is_set():
            return None
        asked_at, start = self.service.clock(), self.clock()
        talk = _Talk(self, one)
        answers: dict[str, object] = {}
        error = ""
        try:
            answers = talk.answers()
        except EndpointFault as fault:
            if not fault.again:
                self._stop.set()
                raise input_error(str(fault), field="endpoint") from fault
            error = str(fault)
        except InputError as refused:
            error = f"no legal answer: {in_words(refused)}"
        # here, since whoever stores the answers may be behind
        if error:
            self._failures.append(one)
        else:
            self._failures.clear()
        if len(self._failures) >= MOST_IN_VAIN:
            self._stop.set()
        seconds = self.clock() - start
        return self._recorded(
            one, talk, answers=answers, error=error, asked_at=asked_at, seconds=seconds
        )

    def _recorded(
        self,
        one: ModelTask,
        talk: _Talk,
        *,
        answers: Mapping[str, object],
        error: str,
        asked_at: datetime,
        seconds: float,
    ) -> NewModelAnswer:
        prices = self.prices
        tokens = (talk.prompt_tokens, talk.answer_tokens)
        cost = sum(n * p for n, p in zip(tokens, prices, strict=True)) / 1e6 if prices else None
        return NewModelAnswer(
            judge=self.judge,
            model=self.model,
            task=one.task,
            kit=one.kit,
            index=one.index,
            swapped=one.swapped,
            settings=self.settings,
            messages=talk.messages,
            answers={} if error else answers,
            error=error,
            attempts=talk.attempts,
            prompt_tokens=tokens[0],
            answer_tokens=tokens[1],
            cost=cost,
            asked_at=asked_at,
            seconds=seconds,
        )

    def wait(self, attempt: int, fault: EndpointFault, random: Random) -> None:
        """Wait before another attempt: as long as the endpoint says, else twice as long each time.

        A part is random, so that parallel requests do not all come back at once.
        """
        longest = min(FIRST_WAIT * 2**attempt, LONGEST_WAIT)
        self.sleep(longest * random.uniform(0.5, 1.0) if fault.wait is None else fault.wait)

    @property
    def stopped(self) -> bool:
        """Whether no more attempts are made."""
        return self._stop.is_set()


class _Talk:
    """The messages about one item, all stages of it, and what they took."""

    def __init__(self, collector: Collector, one: ModelTask) -> None:
        self._collector = collector
        self._one = one
        self._random = Random(f"{collector.seed}|{one.key}")
        self.messages: list[Message] = [{"role": "system", "content": SYSTEM}]
        self.attempts = 0
        self.prompt_tokens = 0
        self.answer_tokens = 0

    def answers(self) -> dict[str, object]:
        """The checked answers to all stages; raises `EndpointFault` or `InputError`."""
        service, campaign = self._collector.service, self._collector.campaign
        protocol = service.campaigns.protocol(campaign, self._one.task)
        test_set = service.campaigns.test_set(campaign)
        given: dict[str, object] = {}
        screens = item_screens(self._one.item, protocol, task=self._one.task, phase="evaluation")
        for stage, screen in enumerate(screens):
            said = stage_prompt(screen, protocol, test_set, guidelines=not stage)
            self.messages.append({"role": "user", "content": said})
            read = partial(
                read_answers, protocol=protocol, item=self._one.item, stage=stage, earlier=given
            )
            given = {**given, **self._stage(read)}
        return given

    def _stage(self, read: Callable[[str], dict[str, object]]) -> dict[str, object]:
        """The answers to the last message; a model that answers nonsense is asked again."""
        for correction in range(CORRECTIONS + 1):
            text = self._ask()
            self.messages.append({"role": "assistant", "content": text})
            try:
                return read(text)
            except InputError as error:
                if correction == CORRECTIONS:
                    raise
                again = f"This cannot be used: {in_words(error)}. Answer again, JSON only."
                self.messages.append({"role": "user", "content": again})
        raise AssertionError("the last attempt returns or raises")

    def _ask(self) -> str:
        """The model's next message, after as many attempts as are allowed."""
        collector = self._collector
        sent = {
            "seed": collector.seed,
            "temperature": collector.temperature,
            **collector.parameters,
        }
        for attempt in range(collector.retries + 1):
            self.attempts += 1
            try:
                reply = collector.endpoint.ask(collector.model, self.messages, sent)
            except EndpointFault as fault:
                if not fault.again or attempt == collector.retries or collector.stopped:
                    raise
                collector.wait(attempt, fault, self._random)
                continue
            self._count(reply.usage)
            # half of a surrogate pair cannot be stored
            return reply.text.encode(errors="replace").decode()
        raise AssertionError("the last attempt returns or raises")

    def _count(self, usage: Usage) -> None:
        self.prompt_tokens += max(usage.prompt_tokens, 0)
        self.answer_tokens += max(usage.completion_tokens, 0)


def _summary(made: Sequence[NewModelAnswer], *, before: int, open_before: int) -> Collected:
    costs = [one.cost for one in made if one.cost is not None]
    return Collected(
        answered=sum(not one.error for one in made),
        in_vain=sum(bool(one.error) for one in made),
        before=before,
        left=open_before - len(made),
        prompt_tokens=sum(one.prompt_tokens for one in made),
        answer_tokens=sum(one.answer_tokens for one in made),
        cost=sum(costs) if costs else None,
        problems=tuple(dict.fromkeys(one.error for one in made if one.error)),
    )
