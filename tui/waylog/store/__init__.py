"""A campaign on disk: its lock, log, campaign file and earlier versions; hand edits, undo, and the players' view."""
