"""Tables in, results out: what the judgments say, how sure that is, and its figure.

A folder answers the questions of one command; a file of it answers one question.
"""

from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Ratings
from jurat.stats.statistic import Settings, Statistic, analyse, statistics

__all__ = ["Evaluation", "Ratings", "Settings", "Statistic", "analyse", "statistics"]
