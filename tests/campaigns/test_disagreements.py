"""The comparison of judgments keeps up with whatever happens to them."""

import pytest

from jurat.campaigns.disagreements import Disagreements, Place
from jurat.protocols import Protocol
from jurat.store import Store, StoreFailed
from tests.campaigns.sample_campaigns import NAME, Setting, plan, task


def protocols(setting: Setting) -> dict[str, Protocol]:
    """The protocols by task."""
    return {"rating": setting.service.campaigns.protocol(NAME, "rating")}


class Comparison:
    """One that was there from the start, beside one that reads everything."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._protocols = protocols(setting)
        self._kept = Disagreements(setting.store, NAME, self._protocols)

    def found(self) -> dict[Place, tuple[float, tuple[object, ...]]]:
        """Every item that two judges have judged, by both, which must agree."""
        kept = self._read(self._kept)
        fresh = Disagreements(self._setting.store, NAME, self._protocols)
        assert kept == self._read(fresh)
        return kept

    def _read(self, one: Disagreements) -> dict[Place, tuple[float, tuple[object, ...]]]:
        one.update()
        places = one.apart("rating", more_than=-1)
        judged = {place: one.judged(place) for place in places}
        return {place: (j.distance, j.answers) for place, j in judged.items() if j}


def test_whatever_happens_to_judgments_is_counted(setting: Setting) -> None:
    declared = task(wanted=3, kits={"documents": 1}, revise=True, one_system_per_segment=False)
    one, other, third = setting.launch(plan(declared), judges=3)
    comparison = Comparison(setting)
    assert comparison.found() == {}
    (first, *_) = setting.kit(one, 0.9)
    assert comparison.found() == {}
    setting.kit(other, 0.5)
    together = comparison.found()
    assert {distance for distance, _ in together.values()} == {40}
    sent = setting.sent(one, first, 0.2)
    assert setting.revise(one, sent, revision=2).decision
    assert sorted({distance for distance, _ in comparison.found().values()}) == [30, 40]
    setting.kit(third, 0.1)
    assert max(distance for distance, _ in comparison.found().values()) == 80
    pins = {account.id: account.pin for account in setting.store.judges(NAME)}
    campaigns = setting.service.campaigns
    campaigns.give_back(NAME, pins[third], author="boss", reason="too low")
    assert comparison.found().keys() == together.keys()
    campaigns.redo(NAME, pins[other], author="boss", reason="too quick")
    assert comparison.found() == {}
    setting.kit(other, 0.7)
    assert comparison.found().keys() == together.keys()
    setting.service.accounts.delete_data(NAME, pins[one], author="boss")
    assert comparison.found() == {}


def test_nothing_is_read_twice(setting: Setting) -> None:
    declared = task(wanted=2, kits={"documents": 1}, one_system_per_segment=False)
    one, other = setting.launch(plan(declared), judges=2)
    setting.kit(one)
    read: list[int] = []

    class Counting:
        """The store, which notes how many decisions it gives."""

        def __getattr__(self, name: str) -> object:
            return getattr(setting.store, name)

        def changes(self, campaign, known, take) -> None:
            def counted(news) -> None:
                found = list(news.decisions)
                read.append(len(found))
                take(news._replace(decisions=iter(found)))

            setting.store.changes(campaign, known, counted)

    store: Store = Counting()  # type: ignore[assignment]
    kept = Disagreements(store, NAME, protocols(setting))
    for _ in range(2):
        kept.update()
    made = len(setting.decisions())
    setting.kit(other)
    kept.update()
    assert read == [made, len(setting.decisions()) - made]


def test_a_service_that_is_closed_compares_nothing_any_more(setting: Setting) -> None:
    """The comparison of a million judgments would keep a server for a quarter of a minute."""
    declared = task(wanted=2, kits={"documents": 1}, one_system_per_segment=False)
    one, other = setting.launch(plan(declared), judges=2)
    setting.kit(one)
    adjudication = setting.service.adjudication
    assert adjudication.is_ready(NAME, timeout=60)
    setting.kit(other)
    setting.service.close()
    with pytest.raises(StoreFailed, match="ended"):
        adjudication.contested(NAME, "rating")
