"""TOML files that people edit by hand: parse them strictly, change one value, keep every other byte. It imports nothing of Waylog."""
