"""What tests share: a table, the command line, the app, a terminal, line mode, and acts of the rules.

| to … | take |
|---|---|
| play at a table on the smallest game there is | `table.py`, `small_game.py` |
| run commands | `cli.py` |
| start programs that begin at once, at a desk | `warm_start.py`, `__main__.py` |
| press keys in the app, or at a real terminal | `app.py`, `terminal.py`, `idle.py` |
| type in line mode | `lines.py` |
| look at the source | `source.py` |
| try fewer examples at a desk than in CI | `thorough.py` |
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The checkout."""
EXAMPLES = ROOT / "campaigns" / "examples"
"""The campaigns that come with Waylog."""
