"""The engine of games that are written in a file: expressions, dice, and their exact odds."""
