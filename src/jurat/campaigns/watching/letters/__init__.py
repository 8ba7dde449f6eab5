"""What a reminder says, a file a language."""
