"""PINs, passwords and tokens."""

import re

import pytest

from jurat.campaigns import auth
from jurat.errors import InputError


def test_pins_are_different_and_nobodys(monkeypatch):
    monkeypatch.setattr(auth, "PIN_LENGTH", 1)
    taken = set("abc")
    pins = auth.new_pins(len(auth.ALPHABET) - 3, taken)
    assert len(set(pins)) == len(pins)
    assert taken.isdisjoint(pins)


def test_no_sign_is_taken_for_another():
    assert not set("0oO1iIlL") & set(auth.ALPHABET)
    assert len(set(auth.ALPHABET)) == len(auth.ALPHABET) > 30
    assert all(re.fullmatch("[2-9a-z]{6}", pin) for pin in auth.new_pins(100, ()))


def test_a_password_is_known_by_its_hash_alone():
    password = auth.new_password()
    kept = auth.hash_password(password)
    assert kept.startswith("$argon2id$")
    assert password not in kept
    assert kept != auth.hash_password(password)
    assert auth.is_password(password, kept)
    assert not auth.is_password(password + "x", kept)


@pytest.mark.parametrize("kept", ["", "nonsense", "$argon2id$v=19$broken"])
def test_without_a_good_hash_no_password_is_right(kept):
    assert not auth.is_password("", kept)
    assert not auth.is_password("whatever", kept)


def test_odd_passwords():
    odd = "\ud800\0пароль密码"
    assert auth.is_password(odd, auth.hash_password(odd))
    with pytest.raises(InputError, match="8 characters or more"):
        auth.hash_password("1234567")


def test_tokens_are_long_and_kept_as_hashes():
    one, other = auth.new_token(), auth.new_token()
    assert one != other
    assert len(one) >= 32
    assert auth.hash_token(one) == auth.hash_token(one) != auth.hash_token(other)
    assert one not in auth.hash_token(one)
