"""HEval (Joshi et al. 2013): eleven features of a translation, and what they tell."""
