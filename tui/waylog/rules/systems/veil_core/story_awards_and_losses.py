"""The story gives and takes: Focus, vitality, modules. The wayfinder decides, or a card, a table or a clock (NM-17)."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.model.answers import with_reason
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Number, Refusal, Text
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.veil_core.crew_focus_and_mission_end import EVERYONE, earn_focus, spend_focus
from waylog.rules.systems.veil_core.state_stages_and_typed_names import SHIP, Moment, crew_words, module_words, who_is
from waylog.values import replace

FOCUS, VITALITY, MODULE = "focus", "vitality", "module"
_THE_SHIP = "ship"
_NOBODY = "there is no crew yet"


def offers(moment: Moment) -> Iterator[Move]:
    """Offer `award focus mara 2`, `take focus ship`, `restore vitality crew`, `damage module keelwing`."""
    most_focus, most = moment.rules.focus, moment.rules.vitality
    many = (Number("by", "How many", 1, most_focus, 1),)
    for word, name, who in _focus_receivers(moment):
        full = no_more = None
        if all(moment.focus(key) >= most_focus for key in who):
            text = "nobody in the crew can" if word == EVERYONE else f"{name} can't"
            full = Refusal(f"{text} hold more Focus" if who else _NOBODY, "VK-04")
        if not any(moment.focus(key) for key in who):
            text = "nobody in the crew has any" if word == EVERYONE else f"{name} has no"
            no_more = Refusal(f"{text} Focus to take" if who else _NOBODY, "VK-04")
        about = _about(who, FOCUS)
        award = Move("award", (FOCUS, word), f"Award Focus to {name}", many, full, about=about, effect=True)
        take = Move("take", (FOCUS, word), f"Take Focus from {name}", many, no_more, about=about, effect=True)
        named = "Everyone in the crew" if word == EVERYONE else name
        yield replace(award, heading=f"{named} gains Focus")
        yield replace(take, heading=f"{named} loses Focus")
    much = (Number("by", "How much", 1, most, most),)
    for word, name, who in _focus_receivers(moment)[1:]:
        whole = None
        if all(moment.member(key).vitality >= most for key in who):
            whole = Refusal(f"{name} is unhurt" if who else _NOBODY, "VK-05")
        about, whose = _about(who, VITALITY), "the crew's" if word == EVERYONE else f"{name}'s"
        restore = Move("restore", (VITALITY, word), f"Restore {whose} vitality", much, whole, about=about, effect=True)
        yield replace(restore, name=name, heading=f"{'The crew' if word == EVERYONE else name}'s vitality restored")
    reason = (Text("reason", "Reason (goes into the log)"),)
    for word, bay in module_words(moment).items():
        module, about = moment.ship.modules[bay], (f"ship.modules.{bay}",)
        gone = Refusal(f"{module.name} is already destroyed", "VK-08") if module.destroyed else None
        whole = None if module.destroyed else Refusal(f"{module.name} is not destroyed", "VK-08")
        destroy = Move("damage", (MODULE, word), f"Destroy {module.name}", (), gone, about=about, effect=True)
        yield replace(destroy, heading=f"{module.name} destroyed")
        free = "use it when the story repairs the module"
        yield Move(
            "restore",
            (MODULE, word),
            f"Repair {module.name} at no cost",
            reason,
            whole,
            about=about,
            effect=True,
            forecast=free,
            heading=f"{module.name} repaired",
        )


def _focus_receivers(moment: Moment) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return who may be given Focus: the word, the name, and the keys. These are the ship, each crew member, and
    everyone.
    """
    crew = tuple((word, moment.name(key), (key,)) for word, key in crew_words(moment).items())
    everyone = tuple(key for key, _ in moment.crew())
    return ((_THE_SHIP, moment.name(SHIP), (SHIP,)), (EVERYONE, "everyone in the crew", everyone), *crew)


def _about(who: tuple[str, ...], value: str) -> tuple[str, ...]:
    return tuple(f"ship.{value}" if key == SHIP else f"crew.{key}.{value}" for key in who)


def _find_receivers(moment: Moment, word: str) -> tuple[str, ...]:
    """Return the keys that a word of `_focus_receivers` stands for."""
    if word == _THE_SHIP:
        return (SHIP,)
    return tuple(key for key, _ in moment.crew()) if word == EVERYONE else (who_is(moment, word),)


def award(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Give Focus, up to 3 or what a house rule says (VK-04)."""
    for who in _find_receivers(moment, move.words[1]):
        moment = earn_focus(moment, who, int(str(answers["by"])), "NM-17")
    return moment


def take(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Take Focus, at most what there is."""
    for who in _find_receivers(moment, move.words[1]):
        if tokens := min(moment.focus(who), int(str(answers["by"]))):
            moment = spend_focus(moment, who, tokens, "NM-17")
    return moment


def restore_vitality(moment: Moment, move: Move, answers: Answers) -> Moment:
    """Restore vitality, up to 3 or what a house rule says. Anyone who was Down and Out recovers (VK-05)."""
    for who in _find_receivers(moment, move.words[1]):
        count = moment.member(who).vitality
        gained = min(moment.rules.vitality - count, int(str(answers["by"])))
        if gained > 0:
            moment = moment.with_member(who, vitality=count + gained)
            moment = moment.says(f"{moment.name(who)}: vitality +{gained}, now {count + gained}", "NM-17")
    return moment


def damage_module(moment: Moment, move: Move) -> Moment:
    """Destroy a module (VK-08)."""
    bay = module_words(moment)[move.words[1]]
    module = moment.ship.modules[bay]
    return moment.with_module(bay, replace(module, destroyed=True)).says(
        f"{module.name} (#{bay}) is destroyed", "NM-17"
    )


def restore_module(moment: Moment, move: Move, answers: Answers) -> Moment:
    """Restore a destroyed module at no cost."""
    bay = module_words(moment)[move.words[1]]
    module = moment.ship.modules[bay]
    text = with_reason(f"{module.name} is repaired", answers)
    return moment.with_module(bay, replace(module, destroyed=False)).says(text, "NM-17")


CHAPTER = Chapter(offers=offers, plays={"award": award, "take": take})
