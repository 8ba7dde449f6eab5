"""Whether judges who saw different references judge differently."""
