"""The command line: one function for each command, from its arguments to a result. Only `main` prints."""
