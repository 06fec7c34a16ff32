"""The shared rules library: pure functions over values. No files, no clock, no randomness of its own, no screen."""
