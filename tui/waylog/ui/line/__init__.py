"""The command line and the menu: what is typed, its parse, its choices, lists of letters, commands of the app, and dice that are placed by
keys.
"""
