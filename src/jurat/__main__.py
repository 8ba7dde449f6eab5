"""`python -m jurat` is `jurat`."""

from jurat.cli import main

main()
