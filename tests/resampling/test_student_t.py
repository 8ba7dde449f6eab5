"""Student's t: scipy's numbers, also far out in the tails and with fractions of a degree."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr, stdtrit

from jurat.resampling.student_t import t_cdf, t_quantile

FREEDOM = np.array([0.3, 1, 1.3, 2, 3, 4.5, 7, 30, 49, 51, 333, 999.5, 4999, 5001, 1e6, np.inf])
DEVIATIONS = np.array([0.0, 1e-3, 0.1, 0.5, 1, 1.7, 1.8, 2, 3, 5, 10, 30, 100, 1e4])
SHARES = np.array([1e-9, 0.001, 0.005, 0.025, 0.1, 0.3, 0.49, 0.5, 0.6, 0.9, 0.975, 0.9995])


def test_distribution_function():
    for t in (-DEVIATIONS, DEVIATIONS):
        wanted = stdtr(FREEDOM[:, None], t)
        np.testing.assert_allclose(t_cdf(FREEDOM[:, None], t), wanted, rtol=1e-12, atol=1e-150)


def test_quantiles():
    wanted = stdtrit(FREEDOM[:, None], SHARES)
    np.testing.assert_allclose(t_quantile(FREEDOM[:, None], SHARES), wanted, rtol=1e-12)


def test_many_are_the_same():
    df = np.arange(1.0, 1200.0)
    np.testing.assert_allclose(
        t_quantile(df, 0.9), [*t_quantile(df[:600], 0.9), *t_quantile(df[600:], 0.9)], rtol=1e-12
    )
    np.testing.assert_allclose(
        t_cdf(df, -2), [*t_cdf(df[:600], -2), *t_cdf(df[600:], -2)], rtol=1e-12
    )


def test_published_quantiles():
    """Fisher & Yates 1938, Table III: P = 0.05, two-sided."""
    published = {1: 12.706, 2: 4.303, 5: 2.571, 10: 2.228, 30: 2.042, np.inf: 1.960}
    found = t_quantile(np.array(list(published)), 0.975)
    np.testing.assert_allclose(found, list(published.values()), atol=5e-4)


def test_what_is_undefined_or_infinite():
    df, p = [0, -1, np.nan, 3, 3, 3, 3], [0.975, 0.975, 0.975, 0, 1, np.nan, 2]
    np.testing.assert_equal(
        t_quantile(df, p), [np.nan, np.nan, np.nan, -np.inf, np.inf, np.nan, np.nan]
    )
    np.testing.assert_equal(
        t_cdf([0, 3, 3, 3, 1e9], [1, np.nan, np.inf, -np.inf, -np.inf]), [np.nan, np.nan, 1, 0, 0]
    )
