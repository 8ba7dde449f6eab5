"""How many processes run the tests: one more than there are processors, as each waits at times."""

import os

MOST = 4
"""More would want too much memory: each has its own browser and its own kernels."""

if __name__ == "__main__":
    print(min(MOST, (os.cpu_count() or 1) + 1))
