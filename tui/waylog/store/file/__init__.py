"""The campaign file and what lies beside it: opening, its earlier versions, edits by hand, and writing it.

- **`history/known` lists the versions that were in place**, one line each: `SIZE:CRC32 ENTRY MARK`. A file of that content says the
  state after ENTRY and carries MARK. ENTRY is `-` for a save made from an older version, which lacks what was played meanwhile;
  MARK is `-` for a file without a `log` line. Lines `filed NAME SIZE:CRC32 INODE MODIFIED AT` name what was swapped out. The list is
  only appended to, after the log has the entry; it is halved at 128 KiB. If it is lost, marks alone tell, as in 0.1.0.
- **The base of an edit** (`edit_base_merge_and_renames.py`) is the last known version with the same mark. So a second save of one
  buffer is compared with the first, whatever was played in between, and only play can conflict with an edit. Two editors that both show
  the same mark overwrite each other, as they would without Waylog; the log shows it, and undo brings it back.
- **A file that was edited while no window was open is compared first.** Until the first turn has done so, no thread writes the file:
  with the log's entries in it, nothing could tell the edit from play.
- **A known content that is not the last one** is an old copy (a backup, `git checkout`). If nothing was played since, it is an edit.
  Otherwise a person is asked. The same is asked when three or more things vanish with one save. Until the answer nothing is played
  and nothing is written.
- **A file that is shorter, ends otherwise or has lost things is read once it hasn't changed** for 1.6 seconds, or for ten while a
  program has it open for writing. A start waits as long; then it refuses.
- **What was swapped out is watched for five minutes.** An editor that still has it open writes into the history; such a version is
  put in place again and is then a save like any other.
- **A renamed key is a rename** when the two things share half of their values and the name, or three quarters of four or more values.
- **An illegal value has no effect**: the file keeps it, `check` and the app show it, play goes on with the last legal one, and no
  entry is made until it is mended. Unknown keys are shown and left alone. A text where a number should be, or broken TOML, holds the
  whole file back, because the rest can't be trusted.
- **Another folder in the place of an open campaign's** is refused unless its log goes on where this one's was.
- **The file is brought up entry by entry**, as if each had been written at once. So the same session gives the same bytes whether it
  was played at a shell, where each act waits for the file, or in the app, where it doesn't.
- **A replacement of the file is noted before it is made**, so that a save by hand that falls into the middle of it, even with the
  process killed there, goes back in its place, or is taken in by what it changes.
- **A conflict is an entry** (`by hand against play`) whose undo takes the played value.
"""
