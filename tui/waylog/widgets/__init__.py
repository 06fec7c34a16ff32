"""Widgets draw values and decide nothing: a snapshot in, a small message out."""
