"""The rules that the reference edition and the first edition of Veil Runners share.

Dice that show a target or more are hits, which are counted against a difficulty. A ship has systems that hold its dice,
four tokens, and modules that a system crash destroys.

This folder is not a game. A game of this family has its own `Edition`, sheet and rolls, lists `damage` and `roll_moves` among its
chapters, and makes its crew and its panels from those here.
"""
