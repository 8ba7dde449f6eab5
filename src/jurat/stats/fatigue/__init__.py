"""Whether judges judge otherwise at the end of their work than at its beginning."""
