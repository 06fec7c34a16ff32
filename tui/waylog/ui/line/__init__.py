"""The command input: the typed line, its parse, its choices, and dice that are placed by keys."""
