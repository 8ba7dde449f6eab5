"""Simulated campaigns with a known truth, for `benchmarks.calibration`.

`designs` draws the tables, `claims` compares what a command says of them with the truth, `studies`
puts the two together for each command, `grid` lists the cells, `tally` counts, `page` writes.
"""
