"""The main screen: tabs, command input, tray and banner, over views and drawing.

- **One screen with its views**, and another while a scene of open dice lasts, with its own drawing: what doesn't change isn't sent, and
  a view that isn't seen costs nothing, not even its import. A system asks for that one with panels whose place is `scene`.
- **The layout is one pure function** (`draw/window_layout_and_key_names.py`): from the window's size and what there is to show to
  rectangles. A growing tray lies over the last lines of the view, whose rectangle stays: so neither has to be laid out nor sent again.
- **A key is drawn as soon as it is handled** (`draw/drawn_screen.py`). Textual draws after messages from each widget to its
  screen, and a timer. The views know which cells have changed, so the main screen draws at the end of each key and act, in one frame;
  if messages wait that may change more, Textual draws all of it after them.
- **Rendering only reads.** `render_page` returns a `Page`: lines, hit areas, and how far the view is scrolled. `LineView` keeps the last
  one, sends the cells that differ from the one before, and looks clicks up in it. `prepare` is the one place that may keep work for
  later renderings.
- **The line that is typed is a value** (`LineInput`). The prompt has the keys and makes it, the tray shows it, and neither knows the other.
  It is made, with all that parses it, after the first frame.
- **A form is made of the types that read the file.** `rules/codec/form_fields_and_paths.py` describes a thing field by field,
  `FormDraft` has what is typed, and saving is the act `set` with several values, which a person may type as well.
- **The bridge is made of what the other views show**: the game's panels, and the clocks as rows. A row has a rank (`Rank`), and the
  description of a thing is apart from its effects. So views know what to leave out, without knowing a rule. Nothing on the bridge moves
  with the cursor.
"""
