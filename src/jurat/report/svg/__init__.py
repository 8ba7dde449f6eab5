"""Figures as SVG for a page: direct labels, colours from style sheets, widths in percent.

The page's script and styles may not come from elsewhere, and a picture of fixed width would shrink
its letters on a phone: so the few shapes of `jurat.stats.figures` are drawn here, from the same
Vega-Lite specifications that the browser's charts and `jurat`'s picture files are made from.
"""
