"""Campaigns: the one service through which pages, commands and simulated judges work."""

from jurat.campaigns.judge_tasks import Rest
from jurat.campaigns.screens import Screen
from jurat.campaigns.service import Service
from jurat.campaigns.submission import Outcome, Submission

__all__ = ["Outcome", "Rest", "Screen", "Service", "Submission"]
