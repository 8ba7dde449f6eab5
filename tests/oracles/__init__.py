"""Other people's numbers: what was published about the shared data, and what Jurat makes of it."""
