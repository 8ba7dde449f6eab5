"""Metrics against people: how far automatic scores say what judges say."""
