"""What judges prefer: counts, tests, agreement, and whether their scores say the same."""
