"""Coming in and going out over HTTP."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from time import time

import pytest

from jurat.campaigns import Service, auth, rate_limit
from jurat.campaigns.auth import FAILURES, LOCK, SHORTEST_PASSWORD, Locked, Refused
from jurat.store.account_records import MOST_ENDED
from jurat.web.context import HASHES_WAITING
from tests.campaigns.sample_campaigns import NAME, make_set, plan, task
from tests.web.website import BASE, Visitor, Website, form_key, website, words


def refused(visitor: Visitor, pin: str, password: str) -> str:
    """What somebody reads who is not let in."""
    told = visitor.post("login", {"pin": pin, "password": password})
    assert told.status_code == 403
    assert not visitor.inside
    return words(told.text)


def test_pin_and_password_open_the_overview(site: Website):
    (slip,) = site.slips()
    visitor = site.visitor()
    assert not visitor.inside
    told = visitor.post("login", {"pin": f" {slip.pin.upper()} ", "password": slip.password})
    assert told.status_code == 200
    assert slip.pin in told.text
    assert visitor.inside


def test_a_wrong_password_and_a_wrong_pin_are_told_alike(site: Website):
    (slip,) = site.slips()
    wrong = refused(site.visitor(), slip.pin, "not this one")
    assert wrong == refused(site.visitor(), "nobody", "not this one")
    assert "Wrong PIN or password" in wrong


def test_only_a_page_that_somebody_opens_begins_a_session(site: Website):
    """Answers to scripts may come after a login's: a session in them would end it."""
    client = site.visitor().client
    assert "set-cookie" not in client.get(BASE, headers={"sec-fetch-mode": "cors"}).headers
    assert "set-cookie" not in client.post(f"{BASE}login", data={"pin": "x"}).headers
    assert "set-cookie" not in client.get(f"{BASE}no-such-page").headers
    assert "set-cookie" in client.get(BASE, headers={"sec-fetch-mode": "navigate"}).headers


def test_what_was_typed_stays_but_never_the_password(site: Website):
    told = site.visitor().post("login", {"pin": '"><b>x', "password": "secret-typed"})
    assert 'value="&#34;&gt;&lt;b&gt;x"' in told.text
    assert "secret-typed" not in told.text


def test_a_wrong_pin_takes_as_long_as_a_wrong_password(
    site: Website, monkeypatch: pytest.MonkeyPatch
):
    """Or the time would tell which PINs there are: the password is hashed for either."""
    (slip,) = site.slips()
    hasher, verified = auth._hasher(), []

    class Counting:
        hash = hasher.hash

        def verify(self, known: str, typed: bytes) -> bool:
            verified.append(known)
            return hasher.verify(known, typed)

    monkeypatch.setattr(auth, "_hasher", Counting)
    visitor = site.visitor()
    for pin in (slip.pin, "nobody"):
        visitor.post("login", {"pin": pin, "password": "wrong-guess"})
    assert len(verified) == 2


def test_repeated_failures_lock_even_the_right_password_out_for_a_while(site: Website):
    (slip,) = site.slips()
    for _ in range(FAILURES):
        refused(site.visitor(), slip.pin, "wrong-guess")
    assert "15 minutes" in refused(site.visitor(), slip.pin, slip.password)
    site.setting.watch.pass_by(LOCK.total_seconds() - 30)
    assert "in a minute" in refused(site.visitor(), slip.pin, slip.password)
    site.setting.watch.pass_by(31)
    assert site.visitor().enter(slip).inside


def test_a_personal_link_opens_the_overview_and_leaves_the_address(site: Website):
    (slip,) = site.slips()
    visitor = site.visitor()
    told = visitor.get(f"link/{slip.token}")
    assert told.status_code == 200
    assert slip.token not in str(told.url)
    assert visitor.inside


def test_a_link_that_is_not_ours_leads_to_the_login(site: Website):
    told = site.visitor().get("link/not-a-token")
    assert told.status_code == 403
    assert "not valid" in words(told.text)


def test_a_closed_account_is_told_so_once_the_secret_is_right(site: Website):
    (slip,) = site.slips()
    site.service.accounts.disable(NAME, slip.pin, author="boss")
    assert "closed" in refused(site.visitor(), slip.pin, slip.password)
    assert "closed" not in refused(site.visitor(), slip.pin, "wrong-guess")
    assert "closed" in words(site.visitor().get(f"link/{slip.token}").text)


def test_logging_out_ends_the_session_on_this_device_only(site: Website):
    (slip,) = site.slips()
    here, there = site.visitor().follow(slip), site.visitor().follow(slip)
    assert here.post("logout").status_code == 200
    assert not here.inside
    assert there.inside


def test_a_copied_cookie_ends_with_the_log_out(site: Website):
    (slip,) = site.slips()
    judge, thief = site.visitor().follow(slip), site.visitor()
    thief.client.cookies.update(judge.client.cookies)
    assert thief.inside
    judge.post("logout")
    assert not thief.inside
    # who was logged out cannot end a later session with the old cookie
    again = site.visitor().follow(slip)
    thief.post("logout")
    assert again.inside


def test_many_log_outs_are_all_remembered_or_end_every_session(site: Website):
    (slip,) = site.slips()
    first = site.visitor().follow(slip)
    copied = dict(first.client.cookies)
    first.post("logout")
    for _ in range(MOST_ENDED):
        first.follow(slip).post("logout")
    first.client.cookies.update(copied)
    assert not first.inside
    assert site.visitor().enter(slip).inside


def test_a_new_password_ends_the_personal_link(site: Website):
    (slip,) = site.slips()
    judge = site.visitor().follow(slip)
    sent = {"old": slip.password, "new": "a longer secret"}
    assert judge.post("password", sent).status_code == 200
    assert judge.inside
    assert site.visitor().get(f"link/{slip.token}").status_code == 403


def test_a_clock_that_is_set_back_refuses_nobody(site: Website, monkeypatch: pytest.MonkeyPatch):
    (slip,) = site.slips()
    judge = site.visitor().follow(slip)
    past = time() - timedelta(days=40).total_seconds()
    monkeypatch.setattr("jurat.web.sessions.time", lambda: past)
    assert judge.inside
    assert judge.seen[-1].headers.get_list("set-cookie")  # replaced by one that ends in time


def test_attempts_at_the_same_moment_do_not_pass_the_lock(site: Website):
    (slip,) = site.slips()
    with ThreadPoolExecutor(20) as threads:
        tries = threads.map(lambda _: _attempt(site, slip.pin), range(20))
    assert Counter(tries) == {Refused: FAILURES, Locked: 20 - FAILURES}


def _attempt(site: Website, pin: str) -> type[Refused]:
    with pytest.raises(Refused) as refused:
        site.service.accounts.log_in(NAME, pin, "a guess")
    return refused.type


def test_more_logins_than_can_wait_are_turned_away(site: Website):
    visitor = site.visitor()
    key = form_key(visitor.get())
    site.app.state.site.hashes_waiting = HASHES_WAITING
    told = visitor.post("login", {"pin": "x", "password": "y"}, key=key)
    assert (told.status_code, told.headers["retry-after"]) == (503, "10")
    assert "busy" in words(told.text)


def test_a_closed_account_is_out_at_once(site: Website):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)
    site.service.accounts.disable(NAME, slip.pin, author="boss")
    assert not visitor.inside
    assert visitor.get("api/step").status_code == 401


def test_a_reset_ends_every_session(site: Website):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)
    fresh = site.service.accounts.reset(NAME, slip.pin, author="boss")
    assert not visitor.inside
    assert site.visitor().enter(fresh).inside
    assert site.visitor().get(f"link/{slip.token}").status_code == 403


def test_changing_the_password_keeps_this_device_in_and_throws_others_out(site: Website):
    (slip,) = site.slips()
    here, there = site.visitor().follow(slip), site.visitor().follow(slip)
    told = here.post("password", {"old": slip.password, "new": "a better one"})
    assert "Password changed" in words(told.text)
    assert here.inside
    assert not there.inside
    refused(site.visitor(), slip.pin, slip.password)
    again = site.visitor().post("login", {"pin": slip.pin, "password": "a better one"})
    assert again.status_code == 200


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [(None, "short", f"{SHORTEST_PASSWORD} characters"), ("wrong-old", "long enough", "is wrong")],
)
def test_a_password_is_not_changed_without_reason(site: Website, old, new, said):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)
    told = visitor.post("password", {"old": old or slip.password, "new": new})
    assert told.status_code == 422
    assert said in words(told.text)
    assert site.visitor().enter(slip).inside


def test_an_open_session_cannot_be_used_to_guess_the_password(site: Website):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)
    for _ in range(FAILURES):
        visitor.post("password", {"old": "wrong-guess", "new": "long enough"})
    told = visitor.post("password", {"old": slip.password, "new": "long enough"})
    assert "Too many" in words(told.text)


def test_a_guest_sees_the_tutorial_and_leaves_nothing(site: Website):
    before = site.setting.store.stamp(NAME)
    guest = site.visitor().be_guest()
    first = guest.seen[-1]
    assert "1 of 1" in words(first.text)
    told = guest.post("guest/rating/1", {"q.adequacy": "70"}, key=form_key(first))
    assert "Nothing was stored" in words(told.text)
    assert site.setting.store.stamp(NAME) == before
    assert not site.setting.decisions()
    assert not site.setting.store.judges(NAME)


def test_a_guest_sees_nothing_else(site: Website):
    site.slips(3)
    site.setting.start()
    guest = site.visitor().be_guest()
    assert not guest.inside
    assert guest.get("api/step").status_code == 401
    assert not guest.get("judge").url.path.endswith("judge")
    assert guest.get("guest/rating/2").url.path == guest.base


def test_a_guest_chooses_among_several_tutorials(tmp_path: Path):
    from tests.campaigns.sample_campaigns import make_set

    with website(tmp_path) as site:
        two = (task("da"), {"name": "comparing", "protocol": "preference"})
        declared = plan(*two, tutorial="tutorial.jsonl", guest=True)
        site.setting.create(declared, tutorial=make_set(1, 1, kind="lesson"))
        guest = site.visitor().be_guest()
        told = guest.get("guest")
        assert "guest/rating/1" in told.text
        assert "guest/comparing/1" in told.text


def test_guests_and_volunteers_come_only_where_they_may(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create(plan())
        visitor = site.visitor()
        page = words(visitor.get().text)
        assert "guest" not in page
        assert "Become a judge" not in page
        for path in ("guest", "register"):
            told = visitor.post(path)
            assert told.status_code == 403
            assert "available here" in words(told.text)
        assert not site.setting.store.judges(NAME)


def test_a_campaign_without_a_tutorial_has_nothing_for_guests(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create(plan(guest=True))
        visitor = site.visitor()
        assert "guest" not in words(visitor.get().text)
        assert visitor.post("guest").status_code == 403


def test_a_volunteer_gets_an_account_and_reads_its_secrets_once(site: Website):
    visitor = site.visitor()
    told = visitor.post("register")
    (account,) = site.setting.store.judges(NAME)
    assert account.role == "judge"
    assert account.pin in told.text
    assert "shown again" in words(told.text)
    assert visitor.inside
    found = words(told.text)
    password = found.partition("Password ")[2].split()[0]
    again = site.visitor().post("login", {"pin": account.pin, "password": password})
    assert again.status_code == 200


def test_a_volunteer_who_waits_for_approval_is_not_told_to_start(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create(plan(registration="ask"))
        told = words(site.visitor().post("register").text)
        assert "hasn't approved your account yet" in told
        assert "Start judging" not in told


def test_sending_a_registration_again_makes_no_second_account(site: Website):
    visitor = site.visitor()
    key = form_key(visitor.get())
    visitor.post("register", key=key)
    assert visitor.post("register", key=key).status_code == 403
    assert len(site.setting.store.judges(NAME)) == 1


def test_the_login_page_names_the_contact_and_shows_the_tool(site: Website):
    told = site.visitor().get()
    assert "mailto:ada@example.org" in told.text
    assert "Rating in spring" in words(told.text)
    picture = told.text.partition('<img src="')[2].partition('"')[0]
    drawn = site.visitor().client.get(picture)
    assert drawn.headers["content-type"] == "image/svg+xml"


def test_a_login_lasts_as_long_as_it_is_used(site: Website, monkeypatch: pytest.MonkeyPatch):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)
    at = _later(monkeypatch)
    at(timedelta(days=10))
    assert visitor.inside  # and with this visit it begins anew
    at(timedelta(days=20))
    assert visitor.inside
    at(timedelta(days=40))
    assert not visitor.inside


def _later(monkeypatch: pytest.MonkeyPatch):
    """Lets days go by for what is signed; the cookie jar has a clock of its own, and keeps all."""
    import time

    begun = time.time()
    monkeypatch.setattr("http.cookiejar.Cookie.is_expired", lambda *_: False)

    def at(after: timedelta) -> None:
        now = begun + after.total_seconds()
        monkeypatch.setattr("itsdangerous.timed.TimestampSigner.get_timestamp", lambda _: int(now))
        monkeypatch.setattr("jurat.web.sessions.time", lambda: now)

    return at


def test_a_volunteer_waits_where_the_coordinator_wants_to_be_asked(site: Website):
    site.service.campaigns.update(NAME, {"registration": "ask"}, author="boss")
    visitor = site.visitor()
    assert "approve your account before you can start" in words(visitor.get().text)
    told = visitor.post("register")
    assert "approved your account yet" in words(told.text)
    (waiting,) = site.service.accounts.waiting(NAME)
    assert waiting.pin in told.text
    assert "approved your account yet" in words(visitor.get().text)
    assert visitor.get("judge").status_code == 403
    asked = visitor.get("api/step")
    assert (asked.status_code, asked.json()["error"]) == (403, "not-accepted")
    site.service.accounts.accept(NAME, waiting.pin, author="boss")
    assert "approved your account yet" not in words(visitor.get().text)
    site.setting.judges(6)
    site.setting.start()
    assert visitor.get("judge").status_code == 200


def test_a_volunteer_whom_nobody_wants_is_out(site: Website):
    site.service.campaigns.update(NAME, {"registration": "ask"}, author="boss")
    visitor = site.visitor()
    visitor.post("register")
    (waiting,) = site.service.accounts.waiting(NAME)
    site.service.accounts.disable(NAME, waiting.pin, author="boss")
    assert not visitor.inside
    assert not site.service.accounts.waiting(NAME)


def test_what_another_process_has_changed_is_seen_on_the_pages(site: Website):
    visitor = site.visitor()
    assert "Rating in spring" in visitor.get().text
    elsewhere = Service(site.setting.store, clock=site.setting.watch)
    elsewhere.campaigns.update(
        NAME, {"title": "Rating in autumn", "registration": False}, author="boss"
    )
    site.setting.watch.pass_by(2)
    told = visitor.get().text
    assert "Rating in autumn" in told
    assert "Become a judge" not in words(told)


def test_shading_that_is_switched_off_is_gone_from_what_was_shown_before(site: Website):
    """Parts of pages are kept: those with shading must not be shown without it."""
    words_in_common = make_set().replace(b"some-", b"first wording some-")
    site.setting.create(plan(task("ldc-adequacy"), name="shaded"), set=words_in_common)
    (slip,) = site.slips(name="shaded")
    site.setting.judges(6, name="shaded")
    site.setting.start("shaded")
    visitor = site.visitor("shaded").follow(slip)
    assert "<mark" in visitor.get("judge").text
    site.service.campaigns.update("shaded", {"shading": False}, author="boss")
    assert "<mark" not in visitor.get("judge").text
    site.service.campaigns.update("shaded", {"shading": True}, author="boss")
    assert "<mark" in visitor.get("judge").text


# Many tries from one address


@pytest.fixture
def crowded(site: Website, monkeypatch: pytest.MonkeyPatch) -> Website:
    """A website at which a wrong try from an address is one too many, and nobody waits."""
    monkeypatch.setattr(rate_limit, "FREE", 1)
    monkeypatch.setattr(rate_limit, "LONGEST", timedelta())
    return site


LATER = "Too many failed attempts. Please try again in a minute."


def test_who_guesses_pins_is_slowed_down(crowded: Website):
    visitor = crowded.visitor()
    for _ in range(2):
        assert "Wrong PIN or password" in refused(visitor, "nobody", "a guess")
    assert LATER in refused(visitor, "nobody", "a guess")
    crowded.setting.watch.pass_by(1)
    assert "Wrong PIN or password" in refused(visitor, "nobody", "a guess")


def test_even_then_the_right_password_lets_in_and_others_do_not_notice(crowded: Website):
    (slip,) = crowded.slips()
    refused(crowded.visitor(), "nobody", "a guess")
    assert crowded.visitor().enter(slip).inside
    for _ in range(2):
        assert "Wrong PIN" in refused(crowded.visitor(client=("192.0.2.7", 80)), "nobody", "x")
    assert LATER in refused(crowded.visitor(), slip.pin, slip.password)
    assert crowded.visitor().follow(slip).inside, "a personal link cannot be guessed"


def test_accounts_without_end_are_not_made_from_one_address(crowded: Website):
    crowded.setting.create(plan(name="open", registration=True))
    made = [crowded.visitor("open").post("register").status_code for _ in range(3)]
    assert made == [200, 200, 403]
    assert len(crowded.setting.store.judges("open")) == 2


def test_who_guesses_a_coordinator_s_password_is_slowed_down(crowded: Website):
    visitor = crowded.visitor()
    visitor.base = "/desk/"
    said = [visitor.post("login", {"name": "boss", "password": "guess"}).text for _ in range(3)]
    assert [LATER in words(one) for one in said] == [False, False, True]
