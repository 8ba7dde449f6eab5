"""Media beside a test set: found, checked, shown, stored and carried along."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jurat.campaigns import media_files
from jurat.errors import InputError
from jurat.kits.media import media_type
from jurat.model import File
from jurat.store import NoSuchFile
from jurat.testsets import SetFile
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import Setting, fetching, head, jsonl, plan, segment, task
from tests.media_samples import CLIP, picture, tone
from tests.store.empty_store import empty_store

FILES = {"media/clip.webm": CLIP, "media/screens/shop.png": picture()}
TAGS = {"media": "clip.webm", "media_text": "Colours that change.", "domain": "video"}


def media_set(tags: Mapping[str, str] = TAGS, **about: Any) -> bytes:
    lines = [head(["talk"]), segment("talk", 1, tags=dict(tags), **about), segment("talk", 2)]
    return jsonl(lines)


def create(
    setting: Setting,
    protocol: str = "da",
    test_set: bytes | None = None,
    files: Mapping[str, bytes] = FILES,
    **more: Any,
) -> None:
    known = {"set.jsonl": test_set or media_set(), **files}
    made = File("campaign.yaml", dump(plan(task(protocol), **more)).encode())
    setting.service.campaigns.create(made, fetching(known), author="boss")


def test_a_segment_is_shown_with_its_video_and_its_description(quick: Setting) -> None:
    create(quick, "source-adequacy")
    items = [item for kit in quick.store.kits("try") for item in kit.items]
    with_media = [item for item in items if item.segment == "1"]
    (shown,) = {item.media for item in with_media}
    assert [(one.kind, one.text, one.context) for one in shown] == [
        ("video", "Colours that change.", False)
    ]
    # the same address for every system, which says nothing of the file
    assert all("clip" not in one.key for one in shown)
    assert not any(item.media for item in items if item.segment == "2")
    # names of files are no facts about what was judged
    assert {"domain"} == {*with_media[0].tags}


def test_media_of_the_source_are_hidden_where_the_source_is(quick: Setting) -> None:
    create(quick, "ldc-fluency")
    assert not any(item.media for kit in quick.store.kits("try") for item in kit.items)


def test_media_of_the_context_are_shown_everywhere(quick: Setting) -> None:
    tags = {"context_media": "screens/shop.png"}
    create(quick, "ldc-fluency", media_set(tags))
    judge, *_ = [one.id for one in quick.judges(3)]
    quick.start()
    assert {one.kind for one in quick.next(judge).media} == {"image"}


@pytest.mark.parametrize("protocol", ["contrastive-esa", "preference", "mqm", "comprehension"])
def test_every_unit_and_layout_has_its_media(quick: Setting, protocol: str) -> None:
    tags = {"context_media": "clip.webm"}
    create(quick, protocol, media_set(tags))
    assert any(item.media for kit in quick.store.kits("try") for item in kit.items)


@pytest.mark.parametrize(
    ("tags", "files", "message"),
    [
        ({"media": "gone.webm"}, {}, "gone.webm"),
        ({"media": "notes.svg"}, {"media/notes.svg": b"<svg/>"}, "no media file"),
        ({"media": "../clip.webm"}, {"clip.webm": CLIP}, "leads out"),
        ({"media": "clip.webm"}, {"media/clip.webm": b""}, "0 bytes"),
    ],
)
def test_what_cannot_be_shown_is_said_and_nothing_is_stored(
    quick: Setting, tags: Mapping[str, str], files: Mapping[str, bytes], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        create(quick, test_set=media_set(tags), files=files)
    assert quick.service.campaigns.all() == []


def test_sizes_are_limited(quick: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_files, "MAX_FILE_BYTES", 100)
    monkeypatch.setattr(media_files, "MAX_BYTES", 10)
    with pytest.raises(InputError) as raised:
        create(quick)
    assert "a media file has 1 to 100" in str(raised.value)
    monkeypatch.setattr(media_files, "MAX_FILE_BYTES", 10_000)
    with pytest.raises(InputError, match="all media together"):
        create(quick)


def test_an_archive_and_a_copy_have_the_media(setting: Setting, tmp_path: Path) -> None:
    large = tone(80)  # more than two pieces
    create(setting, test_set=media_set({"media": "a.wav"}), files={"media/a.wav": large})
    (file,) = setting.store.media("try")
    archive = io.BytesIO()
    setting.service.campaigns.archive("try", archive)
    with empty_store(tmp_path / "other.db") as other:
        Setting(other).service.campaigns.restore(archive)
        assert other.media("try") == (file,)
        parts = [other.media_chunk("try", file.digest, n) for n in range(3)]
        assert b"".join(parts) == large
    assert setting.service.campaigns.files("try")["media/a.wav"] == large
    key = setting.service.drafts.copy("try", author="boss").id
    assert setting.service.drafts.create(key, author="boss").name == "try-2"
    assert setting.store.media("try-2") == (file,)
    setting.service.campaigns.delete("try", author="boss")
    with pytest.raises(NoSuchFile):
        setting.store.media_file("try", file.digest)


def test_a_draft_tells_which_media_are_missing(quick: Setting) -> None:
    drafts = quick.service.drafts
    key = drafts.new(author="boss").id
    drafts.set_fields(key, {"name": "clips", "tasks": [task("source-adequacy")]})
    drafts.upload(key, "test_set", [SetFile("set.jsonl", media_set())])
    (missing,) = drafts.preview(key).faults_of("set")
    assert (missing.code, missing.value) == ("media-not-uploaded", "media/clip.webm")
    # packed together with the folder, or chosen alone
    drafts.upload(key, "test_set", [SetFile("all/media/clip.webm", CLIP)])
    assert drafts.preview(key).problems == ()
    assert drafts.create(key, author="boss").name == "clips"
    assert [file.name for file in quick.store.media("clips")] == ["clip.webm"]


def test_endings_tell_the_type() -> None:
    assert media_type("a/b.WebM") == "video/webm"
    assert media_type("page.html") == media_type("drawing.svg") == media_type("webm") == ""


def test_media_may_be_the_source_of_some_segments_only(quick: Setting) -> None:
    table = (
        b"document\tsegment\tsource\tsystem:cedar\tsystem:birch\tmedia\n"
        b"d\t1\tUno.\tOne.\tA one.\t\n"
        b"d\t2\t\tTwo.\tA two.\tclip.webm\n"
    )
    declared = plan(
        task("source-adequacy"), test_set="set.tsv", platform={"identity": "PID", "quota": 5}
    )
    known = {"set.tsv": table, "media/clip.webm": CLIP}
    text = File("campaign.yaml", dump(declared).encode())
    quick.service.campaigns.create(text, fetching(known), author="boss")
    items = [item for kit in quick.store.kits(quick.name) for item in kit.items]
    assert {(item.segment, item.source, len(item.media)) for item in items} == {
        ("1", "Uno.", 0),
        ("2", None, 1),
    }
    # a platform brings judges: too few are no error before the start
    assert quick.service.campaigns.audit(quick.name).errors == ()
    # without a clip it is a mistake
    known["set.tsv"] = table.replace(b"clip.webm", b"")
    declared["name"] = "other"
    with pytest.raises(InputError, match="the source is empty"):
        quick.service.campaigns.create(
            File("campaign.yaml", dump(declared).encode()), fetching(known), author="boss"
        )
