"""Media over HTTP: parts of files, and who gets them."""

import pytest
from starlette.exceptions import HTTPException

from jurat.web.media import byte_range
from tests.campaigns.sample_campaigns import plan, task
from tests.campaigns.test_media import create
from tests.media_samples import tone
from tests.web.website import Website

LARGE = tone(80)


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ("", None),
        ("bytes=0-", (0, 10)),
        ("bytes=2-4", (2, 5)),
        ("bytes=8-99", (8, 10)),
        ("bytes=-3", (7, 10)),
        ("bytes=-30", (0, 10)),
        ("bytes=0-1,4-5", None),
        ("bytes=-", None),
        ("lines=1-2", None),
    ],
)
def test_ranges(asked: str, part: tuple[int, int] | None) -> None:
    assert byte_range(asked, 10) == part


@pytest.mark.parametrize("asked", ["bytes=10-", "bytes=5-4", "bytes=-0"])
def test_there_is_no_such_part(asked: str) -> None:
    with pytest.raises(HTTPException) as refused:
        byte_range(asked, 10)
    assert refused.value.status_code == 416
    assert refused.value.headers == {"Content-Range": "bytes */10"}


def test_only_people_of_the_campaign_get_a_file_whole_or_in_part(site: Website) -> None:
    setting = site.setting
    setting.create({**plan(task()), "name": "other"})
    clips = setting.within("clips")
    create(clips, files={"media/clip.webm": LARGE}, name="clips")
    (file,) = setting.store.media("clips")
    path = f"media/{file.digest}"
    judge = site.visitor("clips").follow(site.slips(1, "clips")[0])
    whole = judge.get(path)
    assert (whole.status_code, whole.content) == (200, LARGE)
    assert whole.headers["content-type"] == "video/webm"
    assert whole.headers["accept-ranges"] == "bytes"
    assert "no-store" not in whole.headers["cache-control"]
    # across the border of two pieces
    part = judge.get(path, headers={"Range": "bytes=262140-262150"})
    assert (part.status_code, part.content) == (206, LARGE[262140:262151])
    assert part.headers["content-range"] == f"bytes 262140-262150/{len(LARGE)}"
    assert judge.get(path, headers={"Range": f"bytes={len(LARGE)}-"}).status_code == 416
    assert judge.get(path, headers={"If-None-Match": whole.headers["etag"]}).status_code == 304
    stale = {"Range": "bytes=0-1", "If-Range": '"old"'}
    assert judge.get(path, headers=stale).status_code == 200
    head = judge.client.head(judge.base + path)
    assert (head.headers["content-length"], head.content) == (str(len(LARGE)), b"")
    for wrong in (f"media/{'0' * 64}", "media/clip.webm"):
        assert judge.get(wrong).status_code == 404
    stranger = site.visitor("clips")
    elsewhere = site.visitor("other").follow(site.slips(1, "other")[0])
    assert stranger.get(path).status_code == 404
    assert elsewhere.get(path).status_code == 404
