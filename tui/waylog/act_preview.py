"""The preview of an act before it is carried out: what it would come to, its dice and odds; and of an undo, what else it would concern."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from waylog.rules.model.answers import complete_answers, format_act
from waylog.rules.model.dice import Dice, Die
from waylog.rules.model.facts import Fact
from waylog.rules.model.moves import Act, ActRefused, Move
from waylog.store.file.open_campaign import OpenCampaign
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.log_and_torn_entries import Log
from waylog.store.log.undo_and_scenes import act_entries, dependent_entries, effective_entries
from waylog.store.new_log_entries import find_changed_text, play_entry
from waylog.values import dataclass

if TYPE_CHECKING:
    from waylog.rules.model.odds_and_dice_notation import Odds


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """An act of any age that can be undone."""

    act: tuple[LogEntry, ...]
    """Its entries, oldest first."""
    later: tuple[LogEntry, ...]
    """Later entries that changed the same values, oldest first."""


@dataclass(frozen=True, slots=True)
class ActPreview:
    """The result that an act would have if it were played now."""

    words: str
    entry: LogEntry | None
    """The entry that the log would get; None if dice or a card decide."""
    dice: tuple[Die, ...]
    """The dice that decide."""
    odds: Odds | None
    question: str | None = None
    """The question that would come next; None if nothing would be asked."""
    moves: tuple[Move, ...] = ()
    """The moves that would be possible then."""
    settled_facts: tuple[Fact, ...] = ()
    """The facts of an act that would wait for more dice, as far as they are certain."""


def preview_act(
    campaign: OpenCampaign,
    act: Act,
    dice: tuple[Die, ...],
    odds: Odds | None,
    chance: Dice,
    now: datetime,
    find_mentions: Callable[..., tuple[str, ...]],
) -> ActPreview:
    """Return what an act would come to, and change nothing. `dice` are those that decide it and are not typed yet: then its `odds` are all
    that is known. `find_mentions` tells which lines and veils of the table a text mentions. Raises `ActRefused` as playing it would.
    """
    from waylog.rules.lines_and_veils import hold_back

    words = format_act(act.move, complete_answers(act.move, act.answers))
    if dice:
        return ActPreview(words, None, dice, odds)
    game, before = campaign.game, campaign.state
    played = hold_back(before, game.play(before, act, chance, f"{now:%Y-%m-%d %H:%M:%S%z}"), act, find_mentions)
    after = played.state
    return ActPreview(
        words,
        play_entry(campaign, played, now, changed=find_changed_text(campaign, act)),
        (),
        None,
        game.question(after),
        game.moves(after),
        game.settled_facts(after),
    )


def plan_undo(log: Log, number: int, count: int) -> UndoPlan:
    """Return the act that an entry of a log with so many entries belongs to, and later changes of the same values.

    Raises `ActRefused` if it was undone or can't be read, `KeyError` for a number without an entry.
    """
    try:
        entry = log.entry(number)
    except KeyError:
        if not 0 < number <= count:
            raise
        raise ActRefused(f"entry {number} can't be read, so it can't be undone") from None
    now = {effective.number: effective for effective in effective_entries(log, down_to=number)}
    # A note or a scene with a new text first gets its old one back.
    entry = next((each for each in now.values() if number in each.undoes and each.kind.is_instead), entry)
    if entry.number not in now:
        raise ActRefused(f"entry {number}, “{entry.words}”, has already been undone")
    act = act_entries(log, entry)
    return UndoPlan(act, dependent_entries(log, act))
