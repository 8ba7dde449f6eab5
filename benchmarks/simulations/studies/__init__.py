"""The studies: a module a command."""
