"""Scores of metrics from their counts, and whether systems differ by more than chance."""
