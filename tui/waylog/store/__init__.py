"""A campaign on disk: the lock, the log, the campaign file, its versions, edits by hand, undo, and what players may see."""
