"""Kits: a test set and a plan in, packets of items out, and who may get which; pure and seeded."""
