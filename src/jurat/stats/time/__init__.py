"""How long judges take: per decision, system, length, judge and document; planned and actual."""
