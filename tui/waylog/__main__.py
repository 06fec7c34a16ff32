"""`python -m waylog` is `waylog`."""

from waylog.cli.main import program

if __name__ == "__main__":
    program()
