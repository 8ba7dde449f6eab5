"""Jurat: human evaluation of machine translation, from system outputs to results.

- `jurat.testsets` reads, checks and writes test sets; `jurat.tables` reads tables of judgments.
- `jurat.protocols` has what judges are asked, `jurat.kits` the packets of items for judges.
- `jurat.campaigns`, `jurat.store` and `jurat.web` run a campaign with judges in their browsers.
- `jurat.metrics` has automatic metrics, `jurat.stats` the analyses.
- `jurat.cli` is the command line: `jurat --help`.
"""

__version__ = "0.1.0"
