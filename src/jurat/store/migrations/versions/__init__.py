"""One file for each step, named by the version that it leads to."""
