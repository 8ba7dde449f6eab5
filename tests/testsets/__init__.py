"""Tests of the test sets' formats."""
