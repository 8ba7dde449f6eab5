"""What judges make of errors that were marked beforehand, and what these make of the judgments."""
