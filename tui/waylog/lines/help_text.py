"""What `help` says in line mode."""

HELP = (
    "Type any action in words, for example: roll nav. Or: damage ship 2. Or: note the fog comes in.",
    "To use your own dice, type them after the roll: roll nav 355.",
    "To choose from a list, type the number. To leave a question, type cancel. To hear the last answer again, type again.",
    "To hear what you can do, type moves. For the rolls by number, type moves roll.",
    "To hear the state of the game, type status, ship, crew, clocks, timers or tables. For one person, type crew and the name.",
    "For the exact odds of a roll, type odds and the roll. To hear the open question again, type question.",
    "To hear what changed a value, type why and its name: why ship.focus. For the rules of the last answer, type why.",
    "To look up a rule, type rule and a word. For the text of the last answer's rules, type rule.",
    "For the latest actions, type log. For more of them, type log 20.",
    "To undo the latest action, type undo; for an earlier one, undo 12. Also: redo, and rewind for the whole scene.",
    "To start or end a session, type session. For its summary, type recap.",
    "To add a module, a tool, a deck or a table that comes with Waylog, type kit.",
    "To hear what players propose, type proposals. To answer, type play 1, or decline 1 and why.",
    "To hear how long the scenes took and who acted how much, type pace. To ask for a pause on every screen, type pause; to end it, pause end.",
    "To leave, type quit. Everything is saved at once.",
)
