"""Texts about a campaign, for the app's views, line mode and the commands, and values for programs. Nothing here draws."""
