"""`python -m waylog` is `waylog`."""

from waylog.cli import program

if __name__ == "__main__":
    program()
