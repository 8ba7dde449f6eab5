"""The filter of a report: its data in compact form, and the scripts that compute from them.

The scripts compute what `jurat.stats` computes, in the same way and to the last digits; each names
the module that it follows. A test compares both on many filters.

A file of `statistics` adds results: `computes(section, names, compute)` with the names that the
results have in `jurat.stats`, and a function that makes their estimates of what a filter keeps of
a table (`Kept`). Nothing else has to name it. What it needs besides answers, systems, judges,
documents and their order is a column that `data` adds to the tables.
"""
