"""What `help` says in line mode."""

HELP = (
    "Type any action in words, as in: roll nav, or: damage ship 2, or: note the fog comes in.",
    "Dice that you rolled yourself stand behind a roll: roll nav 355.",
    "A number chooses from the last list of choices. Cancel drops a question. Again repeats the last answer.",
    "Moves lists what can be done, and moves roll the rolls by number.",
    "Status, ship, crew, clocks, timers and tables say how things stand. Crew and a name says one of them.",
    "Odds and a roll says its exact odds, without rolling. Question says again what is asked.",
    "Why and a value says what changed it, as in: why ship.focus. Why alone names the rules of the last answer.",
    "Rule and a word looks up the rules. Rule alone says the rules of the last answer.",
    "Log says the latest actions, and log 20 more of them.",
    "Undo, undo 12, redo and rewind take back. Everything is saved at once.",
    "Session begins or ends a session and asks for the rest. Recap tells it for the players.",
    "Pace says how long the scenes took, and who acted how much. Pause asks for a pause on every screen.",
    "Quit leaves, and so does the end of the input.",
)
