"""Which system is better, by how much, and how sure that is."""
