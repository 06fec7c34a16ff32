"""Vital questions: asked without a token, or with one that buys the answer (CF-30, CF-31)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.course_flow.sheet import TokenKind
from waylog.rules.systems.course_flow.stages_and_typed_names import (
    NEW_FLOW,
    Asking,
    Moment,
    crew_letters,
    crew_words,
    flow_words,
)

_QUESTIONS: Mapping[TokenKind, tuple[str, str, str]] = {
    TokenKind.CLUE: (
        "What is here that everybody else has overlooked?",
        "Which earlier detail matters now?",
        "What did I see while hidden that helps now?",
    ),
    TokenKind.FOCUS: (
        "What here should worry me most?",
        "What is just a distraction?",
        "Who needs help most?",
    ),
    TokenKind.FORESIGHT: (
        "What are they about to do?",
        "What did I prepare for exactly this?",
        "Which way ahead is most likely to work?",
    ),
    TokenKind.INITIATIVE: (
        "Who here is most vulnerable?",
        "Where do they need me most?",
        "What is the quickest way through?",
    ),
    TokenKind.RUMOR: (
        "What was I warned about here?",
        "What secret do I know that opens a door now?",
        "What are they wrong about?",
    ),
}
QUESTIONS: Mapping[str, tuple[TokenKind, str]] = MappingProxyType(
    {
        f"{kind.value}-{number}": (kind, question)
        for kind, three in _QUESTIONS.items()
        for number, question in enumerate(three, 1)
    }
)
"""The vital questions by word, each with the kind of token that buys its answer (CF-30)."""


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer `spend iko clue-2`, which buys an answer, and `ask iko clue-2`, which doesn't (CF-30)."""
    moves, letters = [], crew_letters(moment)
    for word, key in crew_words(moment).items():
        name, about = moment.name(key), (f"crew.{key}.tokens",)
        is_held = any(moment.tokens(key, kind) for kind in TokenKind)
        none = (
            None
            if is_held
            else Refusal(f"{name} has no tokens, but can ask any question without one: type “ask {word}”", "CF-30")
        )
        asks = (PickOne("question", "Question", _options(moment, key), clause="CF-30"),)
        label = f"Spend one of {name}'s tokens for an answer"
        moves.append(Move("spend", (word,), label, asks, none, about=about, key=letters[key]))
        free = (PickOne("question", "Question", _options(moment, None), clause="CF-30"),)
        moves.append(Move("ask", (word,), f"{name} asks without a token", free, about=about, key=letters[key]))
    return tuple(moves)


def _options(moment: Moment, payer: str | None) -> tuple[Option, ...]:
    """Return every question. With a payer, those that they have a token for come first, and the others are refused."""
    options = [
        Option(word, question, word, (word.replace("-", ""),), _missing_token(moment, payer, kind))
        for word, (kind, question) in QUESTIONS.items()
    ]
    return tuple(sorted(options, key=lambda option: option.blocked is not None))


def _missing_token(moment: Moment, payer: str | None, kind: TokenKind) -> Refusal | None:
    if payer is None or moment.tokens(payer, kind):
        return None
    return Refusal(f"{moment.name(payer)} has no {kind.value.capitalize()} token", "CF-30")


def ask(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Ask a question, and spend the token if there is one."""
    who, word = crew_words(moment)[move.words[0]], str(answers["question"])
    kind, question = QUESTIONS[word]
    if move.verb == "ask":
        return moment.says(f"{moment.name(who)} asks: {question}", "CF-30").then(Asking(who, word))
    paid = moment.with_token(who, kind, -1)
    text = f"{moment.name(who)} spends a {kind.value.capitalize()} token: {question}"
    return paid.says(text, "CF-30").then(Asking(who, word, spent=True))


def question_of(moment: Moment, stage: Asking) -> str:
    """Return the question, and whether it must be answered."""
    _, question = QUESTIONS[stage.question]
    asked = f"{moment.name(stage.who)} asks: {question}"
    if _plain(moment, stage):
        return f"{asked} Asked without a token: is there an answer?"
    owed = "The token requires an answer" if stage.spent else "You don't have to answer"
    return f"{asked} {owed}. If you do, which Flow rises?" if not stage.spent else f"{asked} {owed}. Which Flow rises?"


def _plain(moment: Moment, stage: Asking) -> bool:
    """Whether the answer raises no Flow: the question was asked without a token, and a house rule says so (CF-31)."""
    return not stage.spent and moment.rules.free_answers == "answer-only"


def answers(moment: Moment, stage: Asking) -> tuple[Move, ...]:
    """Offer `answer storm-front "…"`, `answer new-flow "Name" "…"`, or `decline` if no token was spent (CF-30, CF-31)."""
    text = Text("answer", "Answer", required=True)
    compelled = Refusal("a token was spent, so an answer is needed", "CF-30") if stage.spent else None
    decline = Move("decline", (), "No answer", blocked=compelled)
    if _plain(moment, stage):
        return Move("answer", ("plainly",), "Answer without raising a Flow", (text,)), decline
    known = tuple(
        Move(
            "answer",
            (word,),
            f"Answer, and {moment.flow_name(key)} {moment.sheet.flows[key].value}→{moment.sheet.flows[key].value + 1}",
            (text,),
            about=(f"flows.{key}",),
        )
        for word, key in flow_words(moment).items()
    )
    new = Move(
        "answer", (NEW_FLOW,), "Answer, and a new Flow at 1", (Text("flow", "New Flow", required=True), text), key="n"
    )
    return (*known, new, decline)


def answer(moment: Moment, _stage: Asking, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Give the answer, and raise or start a Flow (CF-31)."""
    if move.verb == "decline":
        return moment.closes().says("No answer", "CF-30")
    after = moment.closes().says(f"Answer: {str(given['answer']).strip()}", "CF-31")
    match move.words[0]:
        case "plainly":
            return after
        case word if word == NEW_FLOW:
            name = str(given["flow"]).strip()
            return after.with_new_flow(name, 1).says(f"New Flow: {name} 1", "CF-31")
        case word:
            key = flow_words(moment)[word]
            value = moment.sheet.flows[key].value + 1
            return after.with_flow(key, value=value).says(f"{moment.flow_name(key)} +1, now {value}", "CF-31")


def _keep(moment: Moment, stage: Asking) -> Asking | None:
    return stage if stage.who in moment.sheet.crew and stage.question in QUESTIONS else None


CHAPTER = Chapter(
    offers=offers,
    plays={"ask": ask, "spend": ask},
    stages=(StageRules(Asking, question_of, answers, answer, keep=_keep),),
)
