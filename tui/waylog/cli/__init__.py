"""The command line: one function a command, from the arguments to a result. Only `main` prints."""
