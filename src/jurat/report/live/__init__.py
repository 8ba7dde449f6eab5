"""The filter of a report: its data in compact form, and the scripts that compute from them.

The scripts compute what `jurat.stats` computes, in the same way and to the last digits; each names
the module that it follows. A test compares both on many filters.
"""
