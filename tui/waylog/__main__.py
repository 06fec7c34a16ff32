"""`python -m waylog` is `waylog`."""

import sys

from waylog.cli import main

if __name__ == "__main__":
    sys.exit(main())
