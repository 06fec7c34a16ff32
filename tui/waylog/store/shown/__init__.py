"""What is made of the log to be read: recaps, luck, and the time that is left."""
