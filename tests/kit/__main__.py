"""`python -m tests.kit CODE …` runs code, with arguments, as `python -c` does; at a desk it begins warm (`warm_start.py`)."""

import sys

if __name__ == "__main__":
    exec(sys.argv.pop(1))  # noqa: S102 - a test's own
