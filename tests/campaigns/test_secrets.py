"""PINs, passwords and tokens."""

import re

import pytest

from jurat.campaigns import secrets
from jurat.errors import InputError


def test_pins_are_different_and_nobodys(monkeypatch):
    monkeypatch.setattr(secrets, "PIN_LENGTH", 1)
    taken = set("abc")
    pins = secrets.new_pins(len(secrets.ALPHABET) - 3, taken)
    assert len(set(pins)) == len(pins)
    assert taken.isdisjoint(pins)


def test_no_sign_is_taken_for_another():
    assert not set("0oO1iIlL") & set(secrets.ALPHABET)
    assert len(set(secrets.ALPHABET)) == len(secrets.ALPHABET) > 30
    assert all(re.fullmatch("[2-9a-z]{6}", pin) for pin in secrets.new_pins(100, ()))


def test_a_password_is_known_by_its_hash_alone():
    password = secrets.new_password()
    kept = secrets.hash_password(password)
    assert kept.startswith("$argon2id$")
    assert password not in kept
    assert kept != secrets.hash_password(password)
    assert secrets.is_password(password, kept)
    assert not secrets.is_password(password + "x", kept)


@pytest.mark.parametrize("kept", ["", "nonsense", "$argon2id$v=19$broken"])
def test_without_a_good_hash_no_password_is_right(kept):
    assert not secrets.is_password("", kept)
    assert not secrets.is_password("whatever", kept)


def test_odd_passwords():
    odd = "\ud800\0пароль密码"
    assert secrets.is_password(odd, secrets.hash_password(odd))
    with pytest.raises(InputError, match="8 characters or more"):
        secrets.hash_password("1234567")


def test_tokens_are_long_and_kept_as_hashes():
    one, other = secrets.new_token(), secrets.new_token()
    assert one != other
    assert len(one) >= 32
    assert secrets.hash_token(one) == secrets.hash_token(one) != secrets.hash_token(other)
    assert one not in secrets.hash_token(one)
