"""Games in files: finding one, checking it, taking in a new version, packing and unpacking."""
