"""The rules that always hold, whatever is planned and whoever comes when: as properties."""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from jurat.campaigns import Screen
from jurat.errors import InputError
from jurat.store import Store
from tests.campaigns.sample_campaigns import NAME, SYSTEMS, Setting, make_set, plan, task

LESSON = make_set(1, 2, kind="lesson")
LEASE, PAUSE = 60, 20
SITES = ("site-of-cedar", "north")
PROTOCOLS = ("ldc-fluency", "ldc-adequacy", "preference", "tcstar")

KITS = st.sampled_from([{"documents": 1}, {"segments": 1}, {"segments": 3}])
POLICIES = st.sampled_from(["first-available", "by-group", "adaptive"])


@st.composite
def tasks(draw: st.DrawFn, number: int, lesson: bool) -> dict[str, Any]:
    protocol = draw(st.sampled_from(PROTOCOLS))
    required = {
        "tutorial": draw(st.integers(0, 1)) if lesson else 0,
        "evaluation": draw(st.integers(0, 2)),
    }
    return task(
        protocol,
        wanted=draw(st.integers(1, 2)),
        kits=dict(draw(KITS)),
        required=required,
        policy=draw(POLICIES),
        judges=draw(st.sampled_from(["", "native == 'yes'"])),
    ) | {"name": f"task-{number}"}


@st.composite
def plans(draw: st.DrawFn) -> dict[str, Any]:
    lesson = draw(st.booleans())
    some = [draw(tasks(n, lesson)) for n in range(draw(st.integers(1, 3)))]
    more: dict[str, Any] = {"tutorial": "tutorial.jsonl"} if lesson else {}
    if draw(st.booleans()):
        more["sitting"] = {"items": draw(st.integers(1, 4)), "pause_minutes": PAUSE}
    own_site = draw(st.sampled_from(["include", "avoid"]))
    seed = draw(st.integers(0, 99))
    return plan(*some, own_site=own_site, lease_minutes=LEASE, seed=seed, **more)


ACTIONS = ["decide"] * 12 + ["return", "give back", "redo", "go on", "rest", "leave"]
VISITS = st.lists(st.tuples(st.integers(0, 7), st.sampled_from(ACTIONS)), max_size=90)


@contextmanager
def running(declared: dict[str, Any]) -> Iterator[Setting]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jurat.db"
        path.write_bytes(empty())
        with Store.open(str(path)) as store:
            yield begun(Setting(store), declared)


@cache
def empty() -> bytes:
    """A store with its tables, which take their time to be made."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jurat.db"
        Store.open(str(path)).close()
        return path.read_bytes()


def begun(setting: Setting, declared: dict[str, Any]) -> Setting:
    setting.create(declared, set=make_set(2, 2), tutorial=LESSON)
    for n in range(8):
        setting.judges(1, site=SITES[n % 2], tags={"native": "yes" if n % 4 else "no"})
    # whether it can be finished is another question: whoever comes gets what they may
    for phase in setting.store.campaign(NAME).phases:
        place = (NAME, phase.task, phase.phase)
        setting.store.set_phase(*place, "started", author="boss", now=setting.watch())
    return setting


def visit(setting: Setting, judge: int, action: str) -> None:
    """What a judge does, or a coordinator about them."""
    account = setting.store.judges(NAME)[judge]
    if action in ("give back", "redo"):
        campaigns = setting.service.campaigns
        repair = campaigns.redo if action == "redo" else campaigns.give_back
        with suppress(InputError):  # to do again what they know the reference of
            repair(NAME, account.pin, author="boss", reason="r")
        return
    if action in ("rest", "leave"):
        setting.watch.pass_by(60 * (PAUSE if action == "rest" else LEASE + 1))
        return
    step = setting.service.judging.next(NAME, account.id, go_on=action == "go on")
    if isinstance(step, Screen):
        setting.decide(account.id, step, go_on=action == "go on")


def simple(*protocols: str, **more: Any) -> dict[str, Any]:
    """A plan in which one judge, left alone, would soon break a rule that does not hold."""
    some = [
        task(name, wanted=1, kits={"documents": 1}, required={"tutorial": 0, "evaluation": 2})
        | {"name": f"task-{n}", "judges": ""}
        for n, name in enumerate(protocols)
    ]
    return plan(*some, **{"own_site": "include", "lease_minutes": LEASE, "seed": 1} | more)


def by_judge(setting: Setting) -> dict[str, list[Any]]:
    found = defaultdict(list)
    for one in setting.decisions():
        found[one.judge].append(one)
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans(), VISITS)
@example(simple("ldc-adequacy", "ldc-fluency"), [(1, "go on")] * 12)
@example(simple("ldc-adequacy", own_site="avoid"), [(0, "go on")] * 12)
@example(simple("ldc-adequacy"), [(1, "go on")] * 12)
def test_whoever_comes_when(declared, visits):
    with running(declared) as setting:
        for judge, action in visits:
            visit(setting, judge, action)
        accounts = {account.pin: account for account in setting.store.judges(NAME)}
        wanted_and_never_more(setting, declared)
        one_system_per_segment(setting)
        for pin, decisions in by_judge(setting).items():
            tutorials_first_and_once(declared, decisions)
            nothing_that_is_not_for_him(declared, accounts[pin], decisions)
            fluency_without_the_reference(decisions)
            rests_in_time(declared, decisions)


def wanted_and_never_more(setting: Setting, declared) -> None:
    wanted = {each["name"]: each["wanted"] for each in declared["tasks"]}
    counted = [d for d in setting.decisions() if d.phase == "evaluation" and d.status == "valid"]
    by_step = Counter((d.task, d.kit, d.position) for d in counted)
    assert all(count <= wanted[place[0]] for place, count in by_step.items())
    # each of them another judge
    assert len({(d.task, d.kit, d.position, d.judge) for d in counted}) == len(counted)
    for phase in setting.service.monitoring.progress(NAME).phases:
        assert phase.phase == "tutorial" or phase.open + phase.done <= phase.wanted


def one_system_per_segment(setting: Setting) -> None:
    """Also with kits that were given back: what was seen was seen."""
    seen = defaultdict(set)
    for one in setting.decisions():
        if len(one.item.translations) == 1:
            place = (one.judge, one.task, one.phase, one.item.document, one.item.segment)
            seen[place].add(one.item.translations[0].system)
    assert all(len(systems) == 1 for systems in seen.values())


def tutorials_first_and_once(declared, decisions) -> None:
    for each in declared["tasks"]:
        own = [d for d in decisions if d.task == each["name"]]
        lessons = [d for d in own if d.phase == "tutorial" and d.status == "valid"]
        assert len({d.kit for d in lessons}) <= each["required"]["tutorial"]
        first = next((d.number for d in own if d.phase == "evaluation"), None)
        if first is not None and each["required"]["tutorial"]:
            done = [d for d in own if d.phase == "tutorial" and d.number < first]
            assert done


def nothing_that_is_not_for_him(declared, account, decisions) -> None:
    natives = {each["name"] for each in declared["tasks"] if each["judges"]}
    if account.tags["native"] == "no":
        assert not [d for d in decisions if d.task in natives and d.phase == "evaluation"]
    if declared["own_site"] == "avoid":
        systems = {t.system for d in decisions for t in d.item.translations}
        own = {s for s in SYSTEMS if account.site == f"site-of-{s}"}
        assert not systems & own


def fluency_without_the_reference(decisions) -> None:
    """What is read without help is of documents whose references they have not seen."""
    known: set[tuple[str, str]] = set()
    for one in decisions:
        if "fluency" in one.answers and one.phase == "evaluation" and not one.item.control:
            assert (one.item.document, one.item.segment) not in known
        if one.item.references and "fluency" not in one.answers and one.revision == 1:
            known.add((one.item.document, one.item.segment))


def rests_in_time(declared, decisions) -> None:
    limits = declared.get("sitting")
    run = 1
    for one, after in pairwise(decisions):
        paused = (after.decided_at - one.decided_at).total_seconds() >= 60 * PAUSE
        run = 1 if paused else run + 1
        assert limits is None or run <= limits["items"]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans(), st.lists(st.integers(0, 7), max_size=80))
def test_tasks_come_in_their_order(declared, visits):
    """Where nobody leaves a kit for too long, nor goes on beyond what is required."""
    with running(declared | {"lease_minutes": 100_000}) as setting:
        for judge in visits:
            visit(setting, judge, "decide")
            setting.watch.pass_by(60 * PAUSE)
        places = [
            (each["name"], phase)
            for each in declared["tasks"]
            for phase in ("tutorial", "evaluation")
        ]
        required = {each["name"]: each["required"] for each in declared["tasks"]}
        for decisions in by_judge(setting).values():
            order = [places.index((d.task, d.phase)) for d in decisions]
            assert order == sorted(order)
            kits = Counter((t, p) for t, p, _ in {(d.task, d.phase, d.kit) for d in decisions})
            assert all(count <= required[t][p] for (t, p), count in kits.items())
