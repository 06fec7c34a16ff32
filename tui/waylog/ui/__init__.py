"""The main screen: tabs, command input, tray and banner, over views and drawing."""
