"""The rules library: pure functions over values, without files, clock, screen, or randomness of its own."""
