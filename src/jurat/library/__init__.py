"""The library behind `import jurat`: the analyses as functions, with the commands' options.

`data` reads tables, `analyses` and `metrics` compute, `arrays` takes plain arrays, and `results`
holds what comes back.
"""
