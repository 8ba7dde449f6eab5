"""Means of judgments whose kits were chosen with unequal probabilities."""

from __future__ import annotations

import numpy as np

from jurat.stats.linear_model import Contrast, Grouping, Variance
from jurat.stats.ratings import summed

# Clusters below which a line through them tells nothing.
FEWEST = 4


class WeightedContrast(Contrast):
    """A mean with weights 1 / probability, which has to allow for kits that were not drawn.

    Kits of the smallest probabilities weigh most and are the fewest. A campaign that happens to
    have hardly any of them misses what they would add, both to the mean and to its variance, and
    passes for certain.
    """

    def variance(self, clusters: Grouping) -> Variance:
        """The cluster-robust variance, with what one more cluster of the largest weight adds.

        That is C² (f² + s²), where C is the share of the cluster of the largest weight, f its
        residual by a line of the clusters' mean residuals over their logarithmic weights, and s²
        the variance around that line; less of it where that weight is below twice the median one.
        """
        found = super().variance(clusters)
        return found._replace(value=found.value + self._one_more(clusters))

    def _one_more(self, clusters: Grouping) -> float:
        codes = clusters.codes
        share = summed(codes, self.coefficients)
        weight = summed(codes, self.model.weight) / np.bincount(codes)
        log_weight = np.log(weight)
        apart = log_weight - log_weight.mean()
        squares = float(apart @ apart)
        if len(share) < FEWEST or squares < 1e-12:
            return 0.0
        residual = summed(codes, self.coefficients * self.model.residuals) / share
        fitted = residual.mean() + apart * float(apart @ residual) / squares
        around = float(((residual - fitted) ** 2).sum()) / (len(share) - 2)
        heaviest = int(weight.argmax())
        # nothing where weights are alike, so that hardly unequal ones change hardly anything
        seldom = min(1.0, float(weight[heaviest]) / float(np.median(weight)) - 1)
        return float(share[heaviest] ** 2 * (fitted[heaviest] ** 2 + around) * seldom)
