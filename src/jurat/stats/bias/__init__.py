"""Reference bias: whether judges who saw different references judge differently."""
