"""Campaigns: the one service through which pages, commands and simulated judges work."""

from jurat.campaigns.resting import Rest
from jurat.campaigns.screens import Screen
from jurat.campaigns.service import Service, Submission

__all__ = ["Rest", "Screen", "Service", "Submission"]
