"""A model judges a campaign through an endpoint, also one that answers nonsense or nothing."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from jurat.errors import InputError
from jurat.model_judges import Collector, Endpoint, Prices
from jurat.tables.judge_kinds import MODEL
from tests.campaigns.conftest import quick, setting, shared_database, store
from tests.campaigns.sample_campaigns import Setting, plan, task
from tests.model_judges.chat_server import Answer, ChatServer, Request, chat_server, user_text

__all__ = ["quick", "setting", "shared_database", "store"]

Say = Callable[[Request], Answer]


def constant(**answers: object) -> Say:
    return lambda _: Answer(json.dumps(answers))


def collector(own: Setting, server: ChatServer, **more: object) -> tuple[Collector, list[float]]:
    waits: list[float] = []
    timeout = more.pop("timeout", 20.0)
    endpoint = Endpoint(server.url, key="secret", timeout=timeout, clock=lambda: 0.0)  # type: ignore[arg-type]
    options = {"judge": "m", "model": "tiny", "parallel": 1, **more}
    made = Collector(
        service=own.service,
        campaign=own.name,
        endpoint=endpoint,
        sleep=waits.append,
        clock=lambda: 0.0,
        **options,  # type: ignore[arg-type]
    )
    return made, waits


def test_a_model_judges_every_item_once_and_goes_on_where_it_stopped(setting: Setting) -> None:
    setting.create(plan(task("da", wanted=2)))
    with chat_server(constant(adequacy=70)) as server:
        asked, _ = collector(setting, server, prices=Prices(1.0, 2.0))
        some = asked.run(limit=5)
        rest = asked.run()
        again = asked.run()
    # 2 documents × 2 segments × 3 systems, whatever is wanted of people
    assert (some.answered, some.before, some.left) == (5, 0, 7)
    assert (rest.answered, rest.before, rest.left) == (7, 5, 0)
    assert (again.answered, again.before) == (0, 12)
    assert (some.prompt_tokens, some.answer_tokens) == (500, 50)
    assert some.cost == pytest.approx(0.0006)
    assert len(server.requests) == 12
    assert {*server.keys} == {"Bearer secret"}
    sent = server.requests[0]
    assert (sent["model"], sent["seed"], sent["temperature"]) == ("tiny", 1, 0.0)
    table = setting.service.model_judges.tables(setting.name)["judgments"]
    assert table["judge_kind"].unique().to_list() == [MODEL]
    assert table["value"].to_list() == [70.0] * 12
    assert table["item"].n_unique() == 12
    # people's tables and kits know nothing of it
    assert setting.service.campaigns.tables(setting.name) == {}
    assert setting.service.monitoring.progress(setting.name).phases[0].decisions == 0


def test_the_prompt_has_what_a_judge_sees_and_no_name_of_a_system(quick: Setting) -> None:
    quick.create(plan(task("da")))
    with chat_server(constant(adequacy=1)) as server:
        collector(quick, server)[0].run(limit=1)
    text = json.dumps(server.requests)
    assert "first wording" in text  # the reference, as DA shows it
    assert "fuente" not in text  # DA hides the source
    assert "a number from 0 to 100" in text
    assert not re.search("cedar|birch|willow|paper1", text)
    stored = quick.service.model_judges.answers(quick.name)[0]
    assert [one["role"] for one in stored.messages] == ["system", "user", "assistant"]
    assert "secret" not in repr(stored)


def test_pairs_are_asked_in_both_orders(quick: Setting) -> None:
    quick.create(plan(task("preference")))
    with chat_server(constant(preference="a")) as server:
        found = collector(quick, server)[0].run()
    pairs = quick.service.model_judges.tables(quick.name)["preferences"]
    assert found.answered == pairs.height == 24  # 4 segments × 3 pairs × 2 orders
    orders = {(a, b) for a, b in pairs.select("system_a", "system_b").iter_rows()}
    assert {(b, a) for a, b in orders} == orders


def test_marked_words_become_places(quick: Setting) -> None:
    quick.create(plan(task("esa")))

    def mark(request: Request) -> Answer:
        words = re.search(r"words-\S+", user_text(request).partition("# Translation")[2])
        assert words
        errors = [
            {"text": words[0], "severity": "major"},
            {"missing": True, "severity": "minor"},
        ]
        return Answer("```json\n" + json.dumps({"errors": errors, "score": 60}) + "\n```")

    with chat_server(mark) as server:
        found = collector(quick, server)[0].run(limit=2)
    assert found.answered == 2
    spans = quick.service.model_judges.tables(quick.name)["spans"].filter(severity="major")
    answer = quick.service.model_judges.answers(quick.name)[0]
    shown = answer.item.translations[0].text
    assert shown[spans["start"][0] : spans["end"][0]].startswith("words-")


SEVERAL: dict[str, dict[str, object]] = {
    "contrastive-esa": {
        "translations": [
            {"errors": [{"text": "words", "severity": "major"}], "score": 90 - 30 * n}
            for n in range(3)
        ]
    },
    "best-worst": {"choice": [1, 3]},
    "rankme": {"translations": [{"magnitude": 120}, {"magnitude": 80}, {"magnitude": 80}]},
    "ranking": {"ranking": [1, 2, 2]},
}


@pytest.mark.parametrize("protocol", SEVERAL)
def test_several_translations_at_once(quick: Setting, protocol: str) -> None:
    quick.create(plan(task(protocol)))
    asked = quick.service.campaigns.protocol(quick.name, "rating").stages[0].questions
    ((_, answer),) = SEVERAL[protocol].items()
    with chat_server(constant(**{asked[0].id: answer})) as server:
        found = collector(quick, server)[0].run()
    assert (found.answered, found.in_vain) == (4, 0), found.problems
    prompt = user_text(server.requests[0])
    assert f'"{asked[0].id}": ' in prompt
    assert "a list " in prompt
    tables = quick.service.model_judges.tables(quick.name)
    ranked = tables["rankings"].filter(slot=1)
    assert set(ranked["rank"]) == {1}
    # each is shown first, and best, once in every three screens: the order is balanced
    assert len(set(ranked["system"])) == 3
    if protocol == "contrastive-esa":
        spans = tables["spans"]
        assert spans.height == 12
        assert set(spans["end"] - spans["start"]) == {5}


def test_a_document_with_its_segments(quick: Setting) -> None:
    quick.create(plan(task("esa-document")))
    part = {"errors": [], "score": 70}
    with chat_server(constant(segments=[part, part], document=60)) as server:
        found = collector(quick, server)[0].run()
    assert (found.answered, found.in_vain) == (6, 0), found.problems
    assert "an object for each segment" in user_text(server.requests[0])
    judged = quick.service.model_judges.tables(quick.name)["judgments"]
    assert set(judged.filter(question="document")["segment"]) == {""}
    assert set(judged.filter(question="score")["segment"]) == {"1", "2"}


def test_answers_of_another_number_are_said_to_be_wrong(quick: Setting) -> None:
    quick.create(plan(task("contrastive-esa")))
    one = {"errors": [{"text": "nowhere", "severity": "minor"}], "score": 10}
    said = iter([[one], [one] * 3, [{"errors": [], "score": 10}] * 3])
    answers = lambda _: Answer(json.dumps({"translations": next(said)}))  # noqa: E731
    with chat_server(answers) as server:
        found = collector(quick, server)[0].run(limit=1)
    assert found.answered == 1
    assert "each of 3 translations" in user_text(server.requests[1])
    assert "'nowhere' does not stand in the translation" in user_text(server.requests[2])


def test_nonsense_is_asked_again_and_then_left_open(quick: Setting) -> None:
    quick.create(plan(task("da")))
    said = iter(["no idea", '{"adequacy": 400}', '{"adequacy": 40}'])

    def stubborn(_: Request) -> Answer:
        return Answer(next(said, "I will not"))

    with chat_server(stubborn) as server:
        asked, waits = collector(quick, server)
        first, second = asked.run(limit=1), asked.run(limit=1)
    assert (first.answered, second.answered, second.in_vain) == (1, 0, 1)
    assert second.problems == ("no legal answer: the answer is not a JSON object",)
    assert "400" in user_text(server.requests[2])
    assert waits == []
    kept = quick.service.model_judges.answers(quick.name)
    assert [one.error == "" for one in kept] == [True, False]
    # its prompt and answers are kept and paid for, but nothing of it counts
    assert kept[1].messages[-1] == {"role": "assistant", "content": "I will not"}
    assert quick.service.model_judges.tables(quick.name)["judgments"].height == 1


def test_a_busy_endpoint_is_asked_later(quick: Setting) -> None:
    quick.create(plan(task("da")))
    said = iter(
        [
            Answer(status=429, headers={"Retry-After": "7"}, body=b"slow down"),
            Answer(status=500, body=b"oops"),
            Answer(status=503, body=b""),
            Answer(body=b"<html>"),
        ]
    )
    with chat_server(lambda _: next(said, Answer('{"adequacy": 5}'))) as server:
        asked, waits = collector(quick, server)
        found = asked.run(limit=1)
    assert found.answered == 1
    assert waits[0] == 7.0
    assert all(2**n / 2 <= wait <= 2**n for n, wait in enumerate(waits[1:], 1))
    assert quick.service.model_judges.answers(quick.name)[0].attempts == 5


def test_an_endpoint_that_does_not_answer_ends_the_run(quick: Setting) -> None:
    quick.create(plan(task("da")))
    with chat_server(lambda _: Answer(hang=True)) as server:
        asked, _ = collector(quick, server, timeout=0.05, retries=0)
        slow = asked.run()
    assert (slow.answered, slow.in_vain, slow.left) == (0, 5, 7)
    assert slow.problems == ("no answer within 0.05 seconds",)
    gone, _ = collector(quick, server, retries=0)  # whose port is closed by now
    assert "cannot be reached" in gone.run(limit=1).problems[0]


def test_a_refused_request_is_not_repeated(quick: Setting) -> None:
    quick.create(plan(task("da")))
    with chat_server(lambda _: Answer(status=401, body=b"no such key")) as server:
        asked, waits = collector(quick, server)
        with pytest.raises(InputError, match="401: no such key"):
            asked.run()
    assert (len(server.requests), waits) == (1, [])
    moved = Answer(status=307, headers={"Location": "http://127.0.0.1:9/steal"}, body=b"")
    with chat_server(lambda _: moved) as server, pytest.raises(InputError, match="307"):
        collector(quick, server)[0].run()


def test_one_name_is_one_model_asked_in_one_way(quick: Setting) -> None:
    quick.create(plan(task("da"), {"name": "order", "protocol": "concepts"}))
    quick.judges(1)
    with chat_server(constant(adequacy=5)) as server:
        with pytest.raises(InputError, match="'order' asks a question of the kind concepts"):
            collector(quick, server)[0].run()
        collector(quick, server)[0].run(task="rating", limit=1)
        with pytest.raises(InputError, match=r"has answered with temperature 0\.0, not 1\.0"):
            collector(quick, server, temperature=1.0)[0].run(task="rating")
        with pytest.raises(InputError, match="'p0' is the PIN of a person"):
            collector(quick, server, judge="p0")[0].run(task="rating")


def test_an_archive_has_the_answers_of_models(quick: Setting, tmp_path: Path) -> None:
    from tests.store.empty_store import empty_store

    quick.create(plan(task("preference")))
    with chat_server(constant(preference="b")) as server:
        collector(quick, server)[0].run(limit=3)
    file = io.BytesIO()
    quick.service.campaigns.archive(quick.name, file)
    with empty_store(tmp_path / "other.db") as other:
        there = Setting(other).service
        there.campaigns.open_archive(file)
        mine, theirs = (
            s.model_judges.tables(quick.name)["preferences"] for s in (quick.service, there)
        )
        assert mine.equals(theirs)
        there.campaigns.delete(quick.name, author="boss")


def test_exports_keep_models_apart(tmp_path: Path) -> None:
    from zipfile import ZipFile

    from tests.cli.run_command import jurat

    base = tmp_path / "jurat.db"
    said = json.dumps({"adequacy": 4, "same-meaning": "yes"})
    with chat_server(lambda _: Answer(said)) as server:
        for line in (
            "sample try-out",
            "campaign create try-out/campaign.yaml",
            f"model-judge sample --endpoint {server.url} --model m --task adequacy --limit 3",
            "export sample --out all.csv",
            "export sample --out all.zip",
        ):
            done = jurat(*line.split(), cwd=tmp_path, store=base)
            assert done.returncode == 0, done.stderr
    assert not (tmp_path / "all.csv").exists()  # no person has judged
    rows = (tmp_path / "all.models.judgments.csv").read_text().splitlines()
    assert "judge_kind" in rows[0]
    assert len(rows) == 1 + 3
    assert "Guidelines" in (tmp_path / "all.models.requests.csv").read_text()
    assert "models.judgments.csv" in ZipFile(tmp_path / "all.zip").namelist()
