"""Before and during a campaign: how much judging a precision takes, and when it is enough."""
