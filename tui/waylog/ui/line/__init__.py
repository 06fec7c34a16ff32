"""The command line: what is typed, its parse, its choices, and dice that are placed by keys."""
