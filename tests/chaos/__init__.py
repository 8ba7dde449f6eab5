"""Judges at work while servers, databases and disks fail, and a check of what was stored after it.

`python -m tests.chaos` (or `make chaos`) runs it for some minutes; the tests here for seconds.
"""
