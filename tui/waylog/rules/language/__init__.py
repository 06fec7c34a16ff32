"""Acts as words: parsing what is typed, completing it, and saying which word is wrong."""
