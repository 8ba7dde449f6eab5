"""Tests of the web application over HTTP, without a browser."""
