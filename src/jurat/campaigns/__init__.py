"""Campaigns: the one service through which pages, commands and simulated judges work."""

from jurat.campaigns.availability import Rest
from jurat.campaigns.judging import Outcome, Submission
from jurat.campaigns.screens import Screen
from jurat.campaigns.service import Service

__all__ = ["Outcome", "Rest", "Screen", "Service", "Submission"]
