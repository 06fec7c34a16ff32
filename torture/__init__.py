"""Harnesses that try to make Waylog lose something. `make torture` runs all of them and prints each one's figure."""
