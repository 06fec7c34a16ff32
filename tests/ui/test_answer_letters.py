"""The letters of answers, offers and lists: each stays with its owner for an evening."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.table import ticking
from tests.kit.thorough import cases, examples
from tests.table.test_walks import drawn_act
from tests.table.test_what_if import EXAMPLES
from waylog.rules.model.act_lists_and_row_verbs import Subject, letters_of_people
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.moves import ActRefused, Move, Refusal, Text
from waylog.snapshot_and_act_preview import Snapshot
from waylog.table import Table
from waylog.ui.parts.letter_assignment import RESERVED, AnswerLetters, assign_keys, follow_ups, things_of
from waylog.words.sentences import names_of


def shown(letters: AnswerLetters, snapshot: Snapshot, at_rest: Snapshot) -> Sequence[tuple[str, Move]]:
    """What a window offers for a snapshot, with the letters."""
    people = letters_of_people(at_rest.moves, names_of(at_rest))
    done = [entry.words for entry in snapshot.act]
    return letters.assign(follow_ups(snapshot.moves), people, done, asked=snapshot.question is not None)


@pytest.mark.parametrize("example", cases(EXAMPLES, 1, 3), ids=lambda path: path.name)
@settings(max_examples=examples(6))
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_an_answer_keeps_its_letter_for_an_evening(example: Path, data: st.DataObject, seed: int) -> None:
    """In any game, whatever else is in the list. Only if an older one has the same letter, and both come up together, the newer one gets
    another. No letter has two meanings in a question.
    """
    with TemporaryDirectory() as name:
        table = Table(
            shutil.copytree(example, Path(name) / "it"), now=ticking(), chance=ChanceDice(Random(seed).randrange)
        )
        letters, at_rest = AnswerLetters(), table.snapshot
        known = dict[tuple[bool, str], str]()
        for _ in range(20):
            try:
                table.play(drawn_act(data, table, corrects=False))
            except ActRefused:
                continue
            snapshot = table.snapshot
            asked = snapshot.question is not None
            at_rest = at_rest if asked else snapshot
            offered = [((asked, move.id), key) for key, move in shown(letters, snapshot, at_rest) if key]
            assert not asked or len({key for _, key in offered}) == len(offered)
            ages = {pair: age for age, pair in enumerate(known)}
            for pair, key in offered:
                if key != (before := known.get(pair, key)):
                    holders = [other for other, its_key in offered if its_key == before and other != pair]
                    assert [ages[other] < ages[pair] for other in holders] == [True]
                known[pair] = key


def test_the_newer_of_two_answers_gives_way() -> None:
    """Two that had one letter in two questions come up in one: the one that was known first keeps it, and the other one its new one."""
    letters = AnswerLetters()
    take, tell = (Move(verb, (), "", follows=True) for verb in ("take", "tell"))
    assert letters.assign((take,), {}, (), asked=True) == (("t", take),)
    assert letters.assign((tell,), {}, (), asked=True) == (("t", tell),)
    (new, _), (old, _) = letters.assign((tell, take), {}, (), asked=True)
    assert (old, new) != (new, old)
    assert old == "t"
    assert letters.assign((tell,), {}, (), asked=True) == ((new, tell),)


def test_answers_that_are_always_the_same_come_before_names() -> None:
    """A name that stands before them in the list doesn't take their letter, and they leave the letters of the crew alone."""
    tess = Move("harm", ("tess",), "", about=("npcs.tess",), follows=True)
    take, hold = (Move(verb, (), "", follows=True) for verb in ("take", "hold"))
    found = {
        move.id: key for key, move in AnswerLetters().assign((tess, take, hold), {"crew.hob": "h"}, (), asked=True)
    }
    assert found["take"] == "t"
    assert found["hold"] == "o"
    assert found["harm tess"] == "s"


def test_what_is_said_of_somebody_leaves_them_their_letter() -> None:
    """An answer that needs a text is no choice of a person: the one that is has their letter, before and after."""
    relate = Move("relate", ("venn",), "", (Text("with", "With", required=True),), about=("crew.venn",), follows=True)
    enter = Move("enter", ("venn",), "", about=("crew.venn",), follows=True)
    letters, people, give = AnswerLetters(), {"crew.venn": "v"}, Move("give", (), "", follows=True)
    alone, _ = (key for key, _ in letters.assign((relate, give), people, (), asked=True))
    both = {move.verb: key for key, move in letters.assign((relate, give, enter), people, (), asked=True)}
    assert both == {"relate": alone, "give": "g", "enter": "v"}


def test_whoever_a_text_is_about_has_their_letter_where_one_of_several_is_chosen() -> None:
    """Whom a roll harms, and how: Dax has the letter that he has in every list."""
    people, how = {"crew.dax": "d", "crew.hob": "l"}, (Text("how", "How", required=True),)
    harms = tuple(Move("harm", (name,), "", how, about=(f"crew.{name}",), follows=True) for name in ("hob", "dax"))
    assert [key for key, _ in AnswerLetters().assign(harms, people, (), asked=True)] == ["l", "d"]


def test_a_key_that_was_pressed_is_no_new_answers() -> None:
    """Pressing it twice doesn't take something else that comes up next."""
    letters = AnswerLetters()
    focus, fill = Move("focus", (), "", follows=True), Move("fill", (), "", follows=True)
    assert letters.assign((focus,), {}, (), asked=True) == (("f", focus),)
    ((key, _),) = letters.assign((fill,), {}, ("roll nav", "focus 5"), asked=True)
    assert key != "f"


def test_a_list_gives_the_same_letters_again() -> None:
    """A clock keeps its letter when another one closes or comes; people have theirs in every list."""
    letters = AnswerLetters()

    def listed(**given: str) -> dict[str, str]:
        subjects = [Subject(key.replace("_", "."), key, letter, ()) for key, letter in given.items()]
        return {one.key: one.letter for one in letters.keep_in_list("t", subjects)}

    assert listed(clocks_fog="f", clocks_ferry="e") == {"clocks.fog": "f", "clocks.ferry": "e"}
    assert listed(clocks_ferry="f") == {"clocks.ferry": "e"}
    later = listed(clocks_ebb="e", clocks_ferry="f", clocks_fog="o")
    assert (later["clocks.fog"], later["clocks.ferry"]) == ("f", "e")
    assert later["clocks.ebb"] not in ("f", "e", "")
    assert listed(crew_eda="e", clocks_ferry="f")["crew.eda"] == "e"


def test_follow_ups_have_keys_of_their_own() -> None:
    """No two share a key, none takes one that means something else, and a move's own key is honoured while asked."""
    moves = [Move("focus", (name,), name, key=key) for name, key in [("a", "m"), ("b", "u"), ("c", ""), ("c2", "")]]
    asked = assign_keys(moves, asked=True)
    assert asked[0][0] == "m"
    assert len({key for key, _ in asked}) == 4
    assert not {key for key, _ in asked} & set(RESERVED)
    assert assign_keys(moves, asked=False)[0][0] != "m"


def test_a_person_has_one_letter_in_every_question() -> None:
    """Whoever else is offered beside them, and in whichever order; two moves about one person go by their own words."""

    def harm(*names: str) -> list[Move]:
        return [Move("harm", (name,), name, about=(f"crew.{name}",), follows=True) for name in names]

    first = {move.words[0]: key for key, move in assign_keys(harm("iko", "hob", "marrow"), asked=True)}
    kept = {path: first[id_.split()[1]] for id_, path in things_of(harm("iko", "hob", "marrow")).items()}
    later = {move.words[0]: key for key, move in assign_keys(harm("hob", "alma", "iko"), asked=True, things=kept)}
    assert (later["iko"], later["hob"]) == (first["iko"], first["hob"])
    assert later["alma"] not in first.values()
    both = [Move("elect", (die,), die, about=("crew.iko",), follows=True) for die in ("sneaky", "daring")]
    assert [key for key, _ in assign_keys(both, asked=True, things=kept)] == ["s", "d"]


def test_no_answer_has_a_digit_or_the_key_of_what_can_be_done_meanwhile() -> None:
    """Digits are dice while something is asked. What can't be answered now leaves the other letters to what can."""
    entering = Move("enter", ("raider-2",), "", follows=True)
    ((key, _),) = assign_keys((entering,), asked=True, kept={"relate": "a", "late": "d"})
    assert key.isalpha()
    assert key not in "tcvmK"
    refused, able = Move("ask", (), "", blocked=Refusal("not now"), follows=True), Move("add", (), "", follows=True)
    assert {move.verb: key for key, move in assign_keys((refused, able), asked=True)} == {"ask": "s", "add": "a"}


def test_a_follow_up_keeps_its_key() -> None:
    """As long as it is on offer it has the same; the key of one that was done is no other's, while there are others."""
    fill, leave, late = (Move(verb, ("card",), verb, follows=True) for verb in ("fill", "leave", "late"))
    first = {move.verb: key for key, move in assign_keys((fill, leave), asked=False)}
    kept = {"fill card": first["fill"], "leave card": first["leave"]}
    assert assign_keys((leave,), asked=False, kept=kept) == ((first["leave"], leave),)
    ((key, _),) = assign_keys((late,), asked=False, kept=kept, spent=kept.values())
    assert key not in kept.values()
    assert assign_keys((fill,), asked=False, kept={"fill card": "r"})[0][0] != "r"
    many = [Move("do", (f"it-{n}",), "") for n in range(12)]
    every = assign_keys(many, asked=False, kept={str(n): key for n, key in enumerate("efyzAEBIMOYZ")})
    assert len({key for key, _ in every}) == 12
    assert all(key for key, _ in every)
