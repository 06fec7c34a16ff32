"""The log of a campaign: entries, reading and appending, what is damaged, acts as they are shown, scenes, search, undo.

- **What is open lives in the log, not in a file of its own.** Each entry carries what is open after it, so a crash between two files
  can't part a roll from its choices, and undo needs nothing special.
- **The log proves itself.** Each entry has a checksum, and names that of the entry before it. Waylog reports entries that are missing,
  changed or out of order at every start, and never mends them. Logs of 0.1.0 lack the names, and are valid. Only an unfinished last
  block, left by an append that was cut short, is set aside.
- **It is searched as bytes first**: each file is folded as a whole, and only entries that have a clue in them are read. What matches is
  decided by values (`LogQuery`), the same for the log view and for `waylog log`.
- **A rewound scene is one undo** of all acts since its mark. Its name tells nothing else.
- What is done between a roll and its follow-up becomes the follow-up's root, so that undo takes the latest first, and names both. The log
  shows the follow-up as an act of its own, behind that one; the recap tells it with its roll.
"""
