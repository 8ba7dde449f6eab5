"""What a sign does to the words of a text."""

from __future__ import annotations

LETTER, BLANK, SINGLE, NUMBER, STOP, DASH = range(6)
"""It goes on with the word, parts words, is a word by itself, is a number (beside which stops and
dashes behave differently), is a word unless it stands within a number (3.14), is a word where it
follows a number (2010-2014)."""
