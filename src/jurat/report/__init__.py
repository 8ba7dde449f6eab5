"""Reports: an evaluation in, one self-contained page out.

`compute` asks the statistics and gathers their answers; `page` writes them as HTML.
"""
