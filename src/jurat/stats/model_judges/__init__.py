"""Model judges beside people: agreement, severity, bias, replacement, and scores from both."""
