"""Backups and archives: what went in comes out, and nothing hostile gets in."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from msgspec.structs import replace

from jurat.store import (
    BadArchive,
    CampaignExists,
    NewCoordinator,
    NewJudge,
    NoSuchCampaign,
    Step,
    Store,
    StoreNotEmpty,
    backup_archive,
)
from tests.store.empty_store import empty_store
from tests.store.samples import (
    LEASE,
    NOW,
    decide_and_turn,
    first,
    later,
    launch,
    make_campaign,
    make_kit,
    make_test_set,
    revise,
)

Lines = list[dict[str, Any]]


def fill(store: Store, name: str = "news") -> None:
    """A campaign in which everything has happened that can happen."""
    kits = [make_kit(n) for n in (1, 2, 3)] + [make_kit(1, phase="tutorial")]
    new = make_campaign(name, kits=kits, stages=2, advance="kit", wanted=2)
    judges = launch(store, replace(new, tutorial=make_test_set(1)), judges=5)
    for n, judge in enumerate(judges[:4]):
        turn = store.next_step(name, judge.id, first, now=NOW, lease=LEASE)
        for _ in range(4 * n):
            assert turn
            decided, turn = decide_and_turn(
                store,
                name,
                judge.id,
                turn.assignment,
                turn.position,
                {"q": "日本\0\u2028", "n": 1.5},
                choose=first,
                now=later(seconds=n),
                lease=LEASE,
                language="zh",
            )
        if turn and n == 3:
            revise(store, name, judge.id, decided.assignment, 1, {"q": 2}, revision=2, now=NOW)
            store.save_answers(
                name, judge.id, turn.assignment, turn.position, content=[1], now=NOW, lease=LEASE
            )
    store.redo(name, judges[2].id, author="boss", reason="again", now=NOW)
    store.give_back(name, judges[1].id, author="boss", reason="no", now=NOW)
    store.add_judges(name, [NewJudge(pin="late", pending=True)], author="boss", now=NOW)
    redeclare(store, name, {"name": name, "guest": True}, after=1)
    redeclare(store, name, {"name": name, "title": "日本"}, after=2)
    store.adjudicate(
        name, "adequacy", "evaluation", kit=1, index=0, answers={"q": 1}, author="a", now=NOW
    )
    store.next_step(name, judges[4].id, first, now=later(hours=5), lease=LEASE)
    to_all = store.send_message(name, "Ein\nGruß", author="boss", now=NOW)
    store.send_message(name, "One", judge=judges[0].id, author="boss", now=NOW)
    store.dismiss_message(name, judges[1].id, to_all, now=NOW)


def redeclare(store: Store, name: str, declaration: object, *, after: int) -> None:
    store.redeclare(
        name, declaration, title="t", after=after, author="boss", now=NOW, details={"guest": [0, 1]}
    )


def prepare(store: Store) -> None:
    """A store with coordinators, and the draft of a campaign."""
    new = NewCoordinator(name="Ada", login="ada", password_hash="h", token_hash="t")
    store.add_coordinator(new, author="boss", now=NOW)
    ada = store.coordinators()[0].id
    store.coordinator_attempted(ada, most=5, lock=LEASE, now=NOW)
    files = {"set.jsonl": bytes(range(256)), "ö/ref.txt": b""}
    store.add_campaign_draft({"title": "Spring", "tasks": [{}]}, author="Ada", now=NOW, files=files)
    store.add_campaign_draft({}, author="Ada", now=later(days=1))


def own(store: Store) -> list[object]:
    """All that belongs to the store and to no campaign."""
    files = [
        (file, store.campaign_draft_file(one.id, file.name))
        for one in store.campaign_drafts()
        for file in one.files
    ]
    return [store.coordinators(), store.campaign_drafts(), files, store.site_log()]


def everything(store: Store, name: str = "news") -> list[object]:
    """All that can be read of a campaign, without the numbers that are the store's own."""
    return [
        store.campaign(name),
        store.test_set(name),
        store.tutorial(name),
        store.judges(name),
        store.progress(name),
        store.audit_log(name),
        store.messages(name),
        store.stamp(name),
        [replace(one, number=0) for one in store.decisions(name)],
        [replace(one, number=0) for one in store.adjudications(name)],
    ]


def archived(store: Store, name: str = "news") -> bytes:
    file = io.BytesIO()
    store.archive(name, file, now=NOW)
    return file.getvalue()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """A second store, which is empty."""
    with empty_store(tmp_path / "other.db") as store:
        yield store


def test_there_and_back(store: Store, other: Store, tmp_path: Path) -> None:
    fill(other)
    data = archived(other)
    restored = store.restore(io.BytesIO(data))
    assert restored.campaigns == ("news",)
    assert restored.rows["kits"] == 4
    assert everything(store) == everything(other)
    with Store.open(str(tmp_path / "third.db")) as third:
        third.restore(io.BytesIO(archived(store)))
        assert everything(third) == everything(other)
        # both are new, and number their rows from 1; a PostgreSQL that served other tests does not
        assert archived(third) == data


def test_judging_goes_on_in_a_restored_campaign(store: Store, other: Store) -> None:
    fill(other)
    store.restore(io.BytesIO(archived(other)))
    for where in (store, other):
        for judge in where.judges("news"):
            turn: Step | None = where.next_step(
                "news", judge.id, first, now=later(hours=5), lease=LEASE
            )
            while turn:
                _, turn = decide_and_turn(
                    where,
                    "news",
                    judge.id,
                    turn.assignment,
                    turn.position,
                    {},
                    choose=first,
                    now=later(hours=5),
                    lease=LEASE,
                )
    progress = store.progress("news")
    assert progress == other.progress("news")
    assert [(phase.open, phase.done) for phase in progress.phases] == [(0, 6), (0, 2)]


def test_an_archive_comes_beside_other_campaigns(store: Store, other: Store) -> None:
    fill(store, "first")
    before = everything(store, "first")
    fill(other)
    store.restore(io.BytesIO(archived(other)))
    assert everything(store, "first") == before
    assert everything(store) == everything(other)
    fill(store, "third")
    with pytest.raises(CampaignExists, match="'news' already"):
        store.restore(io.BytesIO(archived(other)))
    assert everything(store) == everything(other)


def test_a_backup_holds_everything(store: Store, other: Store) -> None:
    for name in ("one", "two"):
        fill(store, name)
    prepare(store)
    file = io.BytesIO()
    store.backup(file, now=NOW)
    assert other.restore(file).campaigns == ("one", "two")
    for name in ("one", "two"):
        assert everything(other, name) == everything(store, name)
    assert own(other) == own(store)
    with pytest.raises(StoreNotEmpty, match="this one has campaigns: one, two"):
        store.restore(file)


def test_an_archive_takes_nothing_along_that_is_of_no_campaign(store: Store, other: Store) -> None:
    fill(store)
    prepare(store)
    with zipfile.ZipFile(io.BytesIO(archived(store))) as found:
        assert not {f"{name}.jsonl" for name in backup_archive.OWN} & {*found.namelist()}
    other.restore(io.BytesIO(archived(store)))
    assert own(other) == [(), (), [], ()]


def test_a_store_that_is_set_up_is_not_restored_over(store: Store, other: Store) -> None:
    file = io.BytesIO()
    other.backup(file, now=NOW)
    prepare(store)
    with pytest.raises(StoreNotEmpty, match="this one has coordinators"):
        store.restore(file)


NEWER = ("flag", "comment", "skipped")
"""Columns of decisions that came later."""


@pytest.mark.parametrize("kind", ["store", "campaign"])
def test_archives_of_the_first_format_are_read(kind: str, store: Store, other: Store) -> None:
    fill(other)

    def older(manifest: Any) -> None:
        manifest.update(version=1, kind=kind)
        for name in backup_archive.SINCE:
            del manifest["tables"][name]

    data = rewritten(
        archived(other),
        judges=lambda rows: [row.pop("pending") for row in rows],
        decisions=lambda rows: [row.pop(name) for row in rows for name in NEWER],
        manifest=older,
    )
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        newer = {f"{name}.jsonl" for name in backup_archive.SINCE}
        files = {name: made.read(name) for name in made.namelist() if name not in newer}
    store.restore(io.BytesIO(zipped(files)))
    assert store.campaign("news").edition == 1
    assert not any(judge.pending for judge in store.judges("news"))
    assert store.progress("news") == other.progress("news")


def test_an_empty_store_can_be_kept_too(store: Store, other: Store) -> None:
    file = io.BytesIO()
    store.backup(file, now=NOW)
    assert other.restore(file).campaigns == ()
    with pytest.raises(NoSuchCampaign):
        store.archive("news", io.BytesIO(), now=NOW)


def test_a_backup_while_judges_are_at_work(store: Store, other: Store) -> None:
    judges = launch(store, make_campaign(count=400, size=3), judges=3)
    stopped = Event()

    def work(judge: str) -> None:
        turn = store.next_step("news", judge, first, now=NOW, lease=LEASE)
        while turn and not stopped.is_set():
            _, turn = decide_and_turn(
                store,
                "news",
                judge,
                turn.assignment,
                turn.position,
                {},
                choose=first,
                now=NOW,
                lease=LEASE,
            )

    threads = [Thread(target=work, args=(judge.id,)) for judge in judges]
    for thread in threads:
        thread.start()
    files = [io.BytesIO() for _ in range(3)]
    for file in files:
        store.backup(file, now=NOW)
    stopped.set()
    for thread in threads:
        thread.join()
    # Each is whole in itself, or it would be refused.
    counts = [
        backup_archive.Archive.check(file).manifest.tables["decisions"].rows for file in files
    ]
    assert counts == sorted(counts)
    other.restore(files[-1])
    assert len(list(other.decisions("news"))) == counts[-1]


# Archives that somebody has meddled with


def rewritten(data: bytes, **changes: Callable[[Lines], object]) -> bytes:
    """An archive with other rows, and the checksums that belong to them."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        files = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(files["manifest.json"])
    for name, change in changes.items():
        if name == "manifest":
            change(manifest)
            continue
        lines = [json.loads(line) for line in files[f"{name}.jsonl"].splitlines()]
        change(lines)
        text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        files[f"{name}.jsonl"] = text
        digest = hashlib.sha256(text).hexdigest()
        manifest["tables"][name] = {"rows": len(lines), "sha256": digest}
    return zipped({**files, "manifest.json": json.dumps(manifest).encode()})


def zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def put(row: int, **values: object) -> Callable[[Lines], object]:
    return lambda lines: lines[row].update(values)


DEEP: object = 0
for _ in range(500):
    DEEP = [DEEP]

MEDDLED: dict[str, tuple[dict[str, Callable[..., object]], str]] = {
    "a newer format": (
        {"manifest": lambda m: m.update(version=backup_archive.VERSION + 1)},
        "newer Jurat",
    ),
    "another format": ({"manifest": lambda m: m.update(format="zip")}, "not a Jurat archive"),
    "no table": ({"manifest": lambda m: m["tables"].pop("kits")}, "not a Jurat archive"),
    "a wrong manifest": ({"manifest": lambda m: m.update(tables=3)}, "manifest cannot be read"),
    "a wrong checksum": (
        {"manifest": lambda m: m["tables"]["kits"].update(sha256="0")},
        "checksum differs",
    ),
    "a wrong count": (
        {"manifest": lambda m: m["tables"]["kits"].update(rows=1)},
        "checksum differs",
    ),
    "an unknown field": ({"kits": put(0, places=99)}, "unknown field `places`"),
    "a missing field": ({"kits": lambda rows: rows[0].pop("size")}, "missing required field"),
    "a wrong type": ({"kits": put(0, size="3")}, "Expected `int`"),
    "a huge number": ({"kits": put(0, number=2**40)}, "<= 2147483647"),
    "a huge id": ({"campaigns": put(0, id=2**60)}, "id"),
    "a time beyond all": ({"judges": put(0, created=2**62)}, "created"),
    "a strange state": ({"assignments": put(0, state="won")}, "Invalid enum value"),
    "a name that leads elsewhere": ({"campaigns": put(0, name="../../evil")}, "name"),
    "a name with a line end": ({"campaigns": put(0, name="news\n")}, "name"),
    "a strange role": ({"judges": put(0, role="king")}, "Invalid enum value"),
    "a NUL in a text": ({"judges": put(0, pin="a\0b")}, "pin"),
    "a key that is none": ({"judges": put(0, key="<script>")}, "key"),
    "an item that is none": ({"items": put(0, content={"id": "x"})}, "document"),
    "answers that are none": ({"decisions": put(0, answers=[1])}, "answers"),
    "a test set that is none": ({"campaigns": put(0, test_set={"documents": 1})}, "test_set"),
    "a row twice": ({"kits": lambda rows: rows.append(rows[0])}, "a second row"),
    "a decision twice": ({"decisions": lambda rows: rows.append(rows[0])}, "lacks decisions"),
    "a revision twice": (
        {"decisions": lambda rows: rows.append(next(r for r in rows if r["revision"] == 2))},
        "contains a row twice",
    ),
    "a PIN twice": ({"judges": put(0, pin="002")}, "contains a row twice"),
    "no campaign": ({"campaigns": lambda rows: rows.clear()}, "which does not exist"),
    "no judge": ({"assignments": put(0, judge_id=999)}, "which does not exist"),
    "no kit": ({"items": put(0, kit_id=999)}, "which does not exist"),
    "no assignment": ({"decisions": put(0, assignment_id=999)}, "which does not exist"),
    "an item beyond the kit": ({"items": put(0, index=3)}, "beyond its kit"),
    "a missing item": ({"items": lambda rows: rows.pop()}, "lacks items"),
    "a missing decision": ({"decisions": lambda rows: rows.pop(0)}, "lacks decisions"),
    "a decision to come": ({"decisions": put(0, position=6)}, "not made yet"),
    "a position beyond": ({"assignments": put(0, position=9)}, "beyond its kit"),
    "an unfinished kit done": ({"assignments": put(0, state="done")}, "a done kit"),
    "another block": ({"assignments": put(0, block="b9")}, "phase and block"),
    "too many judges": ({"kits": put(0, wanted=0)}, "more judges than are wanted"),
    "a first edition twice": ({"editions": put(0, number=1)}, ">= 2"),
    "an edition twice": ({"editions": lambda rows: rows.append(rows[0])}, "contains a row twice"),
    "an edition of nothing": ({"editions": put(0, campaign_id=999)}, "which does not exist"),
    "a message to nobody": ({"messages": put(1, judge_id=999)}, "which does not exist"),
    "a dismissal of nothing": ({"dismissals": put(0, message_id=999)}, "which does not exist"),
    "depth": ({"audit": put(0, details=DEEP)}, ""),
}
OF_THE_STORE: dict[str, tuple[dict[str, Callable[..., object]], str]] = {
    "a coordinator twice": (
        {"coordinators": lambda rows: rows.append(rows[0])},
        "contains a row twice",
    ),
    "a coordinator's key": ({"coordinators": put(0, key="<b>")}, "key"),
    "a preparation twice": ({"preparations": lambda rows: rows.append(rows[0])}, "a second row"),
    "no declaration": ({"preparations": put(0, declaration=[])}, "declaration"),
    "no preparation": ({"preparation_files": put(0, preparation_id=999)}, "which does not exist"),
    "another content": ({"preparation_files": put(0, content="AAAA")}, "size and digest"),
    "no content": ({"preparation_files": put(0, content="§")}, "base64"),
    "a campaign's": ({"manifest": lambda m: m.update(kind="campaign")}, "not a Jurat archive"),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An archive as it should be."""
    with Store.open(str(tmp_path_factory.mktemp("good") / "jurat.db")) as store:
        fill(store)
        return archived(store)


@pytest.mark.parametrize("name", MEDDLED)
def test_a_meddled_archive_is_refused(name: str, good: bytes, other: Store) -> None:
    changes, words = MEDDLED[name]
    data = rewritten(good, **changes)
    if name == "depth":  # deep, but within reason
        assert other.restore(io.BytesIO(data)).campaigns
        return
    with pytest.raises(BadArchive, match=words):
        other.restore(io.BytesIO(data))
    assert other.campaigns() == ()


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A backup as it should be."""
    with Store.open(str(tmp_path_factory.mktemp("backup") / "jurat.db")) as store:
        fill(store)
        prepare(store)
        file = io.BytesIO()
        store.backup(file, now=NOW)
        return file.getvalue()


@pytest.mark.parametrize("name", OF_THE_STORE)
def test_a_meddled_backup_is_refused(name: str, backup: bytes, other: Store) -> None:
    changes, words = OF_THE_STORE[name]
    with pytest.raises(BadArchive, match=words):
        other.restore(io.BytesIO(rewritten(backup, **changes)))
    assert (other.campaigns(), own(other)) == ((), [(), (), [], ()])


def test_nothing_is_kept_of_what_fails_late(good: bytes, store: Store) -> None:
    changes, _ = MEDDLED["a revision twice"]
    with pytest.raises(BadArchive):
        store.restore(io.BytesIO(rewritten(good, **changes)))
    assert store.campaigns() == ()
    assert store.restore(io.BytesIO(rewritten(good))).campaigns == ("news",)


def test_bottomless_nesting(good: bytes, other: Store) -> None:
    with zipfile.ZipFile(io.BytesIO(good)) as old:
        files = {name: old.read(name) for name in old.namelist()}
    files["audit.jsonl"] = b"[" * 1_000_000 + b"\n"
    with pytest.raises(BadArchive):
        other.restore(io.BytesIO(zipped(files)))
    with pytest.raises(BadArchive):
        other.restore(io.BytesIO(zipped({**files, "manifest.json": b"[" * 100_000})))


@pytest.mark.parametrize(
    "data",
    [b"", b"PK\x03\x04 no zip", b"text" * 1000, zipped({}), zipped({"manifest.json": b"{}"})],
)
def test_files_that_are_no_archives(data: bytes, other: Store) -> None:
    with pytest.raises(BadArchive, match="not a Jurat archive"):
        other.restore(io.BytesIO(data))


@pytest.mark.parametrize("name", ["../../evil", "/etc/passwd", "notes.txt", "kits.jsonl"])
def test_other_files_in_an_archive(name: str, good: bytes, other: Store) -> None:
    file = io.BytesIO(good)
    with zipfile.ZipFile(file, "a") as archive, pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        archive.writestr(name, "x")
    with pytest.raises(BadArchive, match="it contains other files"):
        other.restore(file)


def test_damage_anywhere(good: bytes) -> None:
    for cut in range(0, len(good), len(good) // 50):
        with pytest.raises(BadArchive):
            backup_archive.Archive.check(io.BytesIO(good[:cut]))
        broken = bytearray(good)
        broken[cut] ^= 0xFF
        # A byte that nobody looks at may be anything; no other error is let through.
        with suppress(BadArchive):
            backup_archive.Archive.check(io.BytesIO(bytes(broken)))


def test_bombs(good: bytes, other: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(io.BytesIO(good)) as old:
        files = {name: old.read(name) for name in old.namelist()}
    bomb = io.BytesIO(zipped({**files, "campaigns.jsonl": b" " * 30_000_000}))
    monkeypatch.setattr(backup_archive, "LONGEST", 10_000_000)
    with pytest.raises(BadArchive, match="larger than any"):
        other.restore(bomb)
    monkeypatch.setattr(backup_archive, "DENSE_FROM", 1_000_000)
    with pytest.raises(BadArchive, match="larger than any"):
        backup_archive.Archive(bomb)  # before anything is unpacked
    monkeypatch.setattr(backup_archive, "LARGEST", 1000)
    with pytest.raises(BadArchive, match="larger than any"):
        other.restore(io.BytesIO(good))
    monkeypatch.undo()
    assert other.restore(io.BytesIO(good)).campaigns == ("news",)
