"""The two programs with a window, the wayfinder's and the players', and the terminal that both run in.

- **Bytes from a terminal pass `keyboard_and_pastes.py` first**: it keeps pastes away from Textual's parser, which would act on the text
  after an Escape in one, and replaces a parser that fails. Input beyond 200 waiting messages is dropped but for the latest, and a window
  is drawn up to 500×200 cells. `Output` (`terminal_driver.py`) writes by a descriptor of its own that never blocks, so that a terminal
  that takes nothing can be given up. `waylog.signs` has the ASCII sign for every sign that is drawn; a new sign needs a line there.
- **Watching is a look twice a second** at five numbers of two files. A watcher costs a start-up import and still needs that look.
- **The tutorial follows the log** (`tutorial.py`): a step is done when an entry has what it asks for. So every way of doing it counts,
  only the banner with its hint knows of the tutorial, and an unfinished one goes on where its log ends.
"""
