"""Texts about a campaign, for the app's views, line mode and the commands. Nothing here draws."""
