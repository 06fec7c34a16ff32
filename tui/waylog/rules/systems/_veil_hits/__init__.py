"""Veil Runners with hits: the rules that the reference edition and the first edition share.

Dice that show a target or more are hits, against a difficulty. A ship has systems that hold her dice, four tokens, and modules that a
system crash destroys. The folder is no game. A game of this family brings its `Edition`, its sheet, its crew and its rolls, and lists
`damage` and `dice_placement` among its chapters.
"""
