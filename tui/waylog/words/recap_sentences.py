"""The recap of a session as sentences, to be read or heard line by line (NM-41)."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.model.facts import Fact, OutcomeFact
from waylog.store.log.entries import LogEntry
from waylog.store.log.logged_acts import consequence_text, describe_entries
from waylog.store.shown.recap import Pace, Recap, RecapAct
from waylog.words.sentences import join_sentences, sentence


def recap_sentences(of: Recap) -> Iterator[str]:
    """Yield the heading, the scenes with their acts, the clocks, and how often each outcome came up."""
    session = f", session {of.session}" if of.session else ""
    yield sentence(f"{of.campaign or 'Unnamed'}{session}" + (f": {of.held.title}" if of.held.title else ""))
    if of.held.present:
        yield sentence(f"Present: {of.held.present}")
    if not of.scenes:
        yield "Nothing was played."
    for scene in of.scenes:
        if scene.title:
            yield sentence(f"Scene: {scene.title}")
        yield from filter(None, (_act(act, secrets=of.secrets) for act in scene.acts))
    for step in of.steps:
        yield sentence(f"Clock {step.name}: {step.before} to {step.after} of {step.segments}")
    for turned in of.clocks:
        if turned.full:
            yield join_sentences((f"Clock {turned.clock.name} is full", turned.outcome))
    for who, counts in of.outcomes.items():
        yield sentence(f"{who or 'Others'}: {', '.join(f'{one.label} {count}' for one, count in counts.items())}")
    if of.pace:
        yield from pace_sentences(of.pace)


def pace_sentences(of: Pace) -> Iterator[str]:
    """Yield how long each scene took, and who acted how much."""
    yield from (sentence(scene.summary) for scene in of.scenes)
    if of.who_acted:
        yield sentence(f"Who acted: {of.who_acted}")


def _act(act: RecapAct, *, secrets: bool) -> str:
    """Return an act on one line. Players don't get the details of the rules."""
    text = describe_entries(act.entries, _is_open, titles=False)
    results = [one for one in text.consequences if secrets or not (one.detail or one.moves_clock)]
    opening = "" if text.minor and not secrets else text.sentence + _secret(text.hidden_sentence)
    outcome = text.outcome.label if text.outcome else ""
    return join_sentences((opening, outcome, *(consequence_text(one) + _secret(one.hidden) for one in results)))


def _secret(hidden: bool) -> str:
    return " (secret)" if hidden else ""


def _is_open(_entry: LogEntry, fact: Fact) -> bool:
    return isinstance(fact, OutcomeFact) or not fact.secret
