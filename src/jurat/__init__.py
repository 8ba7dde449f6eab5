"""Jurat: human evaluation of machine translation, from the systems' outputs to the report."""

__version__ = "0.1.0"
