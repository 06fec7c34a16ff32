"""The schema of what commands print with `--json`. `waylog schema output` prints it, and the tests hold every command to it.

It is a promise: a key stays, with its meaning and its type, and new ones may be added beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_WHOLE = "-output"
"""The definitions of whole answers end with this. A command may have several."""

_SHAPES: Mapping[str, str] = {
    # -- parts of answers
    "problem": "file:text line:int column:int message:text clause:text? unfinished:flag",
    "refusal": "reason:text clause:text?",
    "face": "sides:int face:int from*:text dropped*:flag card*:text symbols*:text",
    "step": "name*:text before*:int after*:int segments*:int why*:text",
    "rolled": "kind=rolled what:text dice:[face] source:text secret:flag about*:[text] deed*:text total*:int seen_by*:[text]",
    "result": "kind=result outcome:text label:text mood:text? who:text aside*:flag",
    "note": "kind=note text:text clause:text? secret:flag about*:[text] quote*:text part*:text step*:step dice*:[face] seen_by*:[text]",
    "fact": "rolled | result | note",
    "change": "path:text before:any after:any",
    "entry": "entry:int kind:text at:text words:text facts:[fact] changes:[change] dice:[int]? act:int undoes:[int] undone:flag by:text",
    "answer": "id:text words:text label:text blocked:refusal?",
    "question": "question:text moves:[answer]",
    "option": "word:text label:text note:text blocked:refusal?",
    "ask-one": "kind=one name:text label:text options:[option] default:text? notation:flag",
    "ask-many": "kind=many name:text label:text options:[option] least:int most:int",
    "slot": "word:text label:text least:int most:int now:int",
    "ask-allocate": "kind=allocate name:text label:text slots:[slot] total:int",
    "ask-number": "kind=number name:text label:text least:int most:int default:int?",
    "ask-text": "kind=text name:text label:text required:flag word:text",
    "ask": "ask-one | ask-many | ask-allocate | ask-number | ask-text",
    "move": "id:text words:text label:text blocked:refusal? rolls:flag follows:flag asks:[ask]",
    "outcome": "outcome:text label:text mood:text? chance:text percent:number",
    "spend": "label:text outcomes:[outcome]",
    "remark": "text:text clause:text?",
    "odds": "ok:flag words:text dice:text label:text outcomes:[outcome] spends:[spend] reasons:[remark] forecast:[remark]",
    "chain-act": "words:text outcomes:[outcome]",
    "chain-refusal": "words:text reason:text chance:text percent:number",
    "difference": "entry:int refused:text? outcome:text changes:[change]",
    "roll-sum": "name:text rolls:int dice:int came:int expected:number higher:number? same:number? lower:number?",
    "face-count": "source:text sides:int face:int came:int expected:number p:number",
    "seal": "entry:int session:int seal:text told:flag open:flag dice:int wrong:[int]",
    "chain-mark": "whose:text mark:text chance:text percent:number",
    "chain-value": "path:text before:any after:any chance:text percent:number",
    "die": "label:text sides:int",
    "tag": "text:text tone:text why:text",
    "panel-die": "source:text face:int sides:int dropped:flag card:text symbols:text",
    "row-dice": "kind=dice key:text label:text count:int note:text about:text rank:text",
    "row-pips": "kind=pips key:text label:text value:int top:int note:text about:text rank:text beyond:text",
    "row-mark": "kind=mark key:text label:text held:flag state:text note:text about:text rank:text switch:text",
    "row-text": "kind=text key:text label:text text:text tone:text secret:flag rank:text switch:text",
    "row-faces": "kind=faces key:text label:text dice:[panel-die] note:text rank:text",
    "row": "row-dice | row-pips | row-mark | row-text | row-faces",
    "panel": "key:text place:text title:text tags:[tag] rows:[row]",
    "clock": "key:text name:text kind:text segments:int filled:int outcome:text notes:text seen:flag count_seen:flag outcome_seen:text"
    " running:text when_full:text closed:flag full:flag seen_by:[text]",
    "card": "key:text text:text luck:text returns:flag effect:text sets_draw:int by:text uses:int used:int condition:text where:text seen_by:[text]",
    "kinds": "good:int neutral:int bad:int",
    "deck": "key:text name:text known:text shown:[text] draw:int together:flag drawn:[text] aside:[text] kept:[text] notes:text"
    " cards:[card] pile:int kinds:kinds owed:int",
    "situation": "key:text name:text makes:text rolls:text clock:text seen:flag notes:text over:flag seen_by:[text]",
    "table-entry": "number:int text:text table:text effect:text weight:int seen_by:[text]",
    "table": "key:text name:text dice:text seen:flag notes:text entries:[table-entry]",
    "card-secret": "key:text text:text told:flag",
    "scene-card": "key:text title:text pitch:text who:[text] do:[text] tables:[text] decks:[text] secrets:[card-secret] otherwise:text"
    " notes:text opened:int",
    "timer": "key:text name:text began:text seconds:int seen:flag ends:number seen_by:[text]",
    "session": "number:text began:text ended:text title:text present:text notes:text",
    "scene": "title:text acts:[scene-act]",
    "scene-act": "entry:int at:text note:flag facts:[fact]",
    "recap-clock": "name:text kind:text segments:int what:text outcome:text",
    "outcome-count": "who:text outcome:text label:text mood:text? count:int",
    "scene-time": "title:text began:text minutes:int",
    "pace": "scenes:[scene-time] acted:{int}",
    "house-rule": "name:text value:any about:text default:flag",
    "rule": "id:text title:text text:text chapter:text see:[text] replaced_by:text? house_rules:[house-rule] ruling:text?",
    "rule-title": "id:text title:text",
    "chapter": "title:text rules:[rule-title]",
    "missed": "key:text name:text missed:[text]",
    "seen-act": "at:text facts:[fact]",
    "seen-clock": "name:text kind:text segments:int filled:int? outcome:text running:text seen_by:[text]",
    "seen-card": "text:text luck:text out:flag seen_by:[text]",
    "seen-deck": "name:text cards:[seen-card]",
    "stakes": "title:text odds:odds forecast:[remark]",
    "seen-timer": "name:text ends:number seen_by:[text]",
    "page-address": "key:text name:text url:text pages:int",
    "campaign": "name:text title:text game:text? session:int? played:text? path:text example:flag",
    "game": "id:text name*:text about*:text path*:text package*:text problem*:text",
    "player": "key:text name:text character:text may:[text] away:flag",
    "proposal": "id:text by:text name:text words:text title:text blocked:refusal?",
    "version": "version:text at:text values:int?",
    "conflict": "entry:int path:text file:any played:any",
    "file-answers": "keep*:text update*:text",
    "kit-item": "key:text kind:text name:text about:text",
    "moved": "path:text to:text value:any",
    "dropped": "path:text value:any",
    "choice": "path:text message:text clause:text?",
    "command": "name:text usage:text about:text",
    "last-played": "game:text? session:int? played:text?",
    "checked-roll": "words:text refused:text",
    # -- answers of commands
    "failure-output": "ok=false error:text clause:text? problems*:[problem] advice*:[problem]",
    "act-output": "ok:flag entry:int facts:[fact] changes:[change] pending:question? undoes*:[int] later*:[int]",
    "dry-run-output": "ok:flag dry_run:flag words:text facts:[fact]? changes:[change]? dice:[die] odds:odds? pending:question?",
    "pause-output": "ok:flag paused:flag",
    "stakes-output": "ok:flag stakes:[stakes]",
    "decline-output": "ok:flag declined:text",
    "proposals-output": "ok:flag proposals:[proposal]",
    "undo-dry-run-output": "ok:flag dry_run:flag undoes:[int] later:[int] entries:[entry]",
    "moves-output": "ok:flag question:text? moves:[move]",
    "odds-output": "odds",
    "chain-output": "ok:flag acts:[chain-act] impossible:[chain-refusal] marks:[chain-mark] values:[chain-value]",
    "replay-output": "ok:flag entries:int differences:[difference] values:[change]",
    "luck-output": "ok:flag says:text all:roll-sum people:[roll-sum] sources:[roll-sum] faces:[face-count]",
    "luck-verify-output": "ok:flag seals:[seal] unsealed:int stray:[int]",
    "diff-output": "ok:flag changes:[change]",
    "branch-output": "ok:flag path:text entry:int",
    "what-if-output": "ok:flag what_if:flag acts:[act-output]",
    "show-output": "ok:flag name:text system:text entries:int panels:[panel] clocks:[clock] decks:[deck] situations:[situation]"
    " tables:[table] cards:[scene-card] timers:[timer] session:int? sessions:[session] pending:question? problems:[problem]",
    "log-output": "ok:flag entries:[entry]",
    "watch-output": "ok:flag name:text system:text session:int? title:text new:[seen-act] undone:flag panels:[panel] clocks:[seen-clock]"
    " decks:[seen-deck] timers:[seen-timer] stakes:[stakes]",
    "missed-output": "ok:flag players:[missed]",
    "serve-output": "ok:flag url:text lan:flag addresses:[page-address] trouble:text",
    "recap-output": "ok:flag campaign:text session:int began:text ended:text title:text present:text notes:text scenes:[scene]"
    " clocks:[recap-clock] outcomes:[outcome-count] pace:pace? unused:[text] markdown:text",
    "print-output": "ok:flag html*:text path*:text",
    "why-output": "ok:flag path:text value:any written:flag file:text line:int? column:int? entries:[entry]",
    "conflicts-output": "ok:flag conflicts:[conflict]",
    "join-output": "ok:flag joined:text",
    "file-question-output": "ok:flag asked:text? answers:file-answers",
    "file-answered-output": "ok:flag entry:int?",
    "restore-output": "ok:flag versions:[version]",
    "list-output": "ok:flag campaigns:[campaign]",
    "systems-output": "ok:flag systems:[game]",
    "new-output": "ok:flag name:text system:text path:text",
    "check-output": "ok:flag problems:[problem] mentions:[problem]",
    "config-output": "ok:flag path:text new*:flag",
    "config-keys-output": "ok:flag keys:{[text]}",
    "kit-output": "ok:flag kit:[kit-item] entries*:[int]",
    "convert-output": "ok:flag moved:[moved] dropped:[dropped] choose:[choice] path:text?",
    "help-output": "ok:flag command:command? moves:[move] rules:[rule]",
    "help-all-output": "ok:flag commands:{text}",
    "rule-output": "ok:flag system:text rules:[rule]",
    "rules-output": "ok:flag system:text chapters:[chapter]",
    "players-output": "ok:flag players:[player]",
    "players-add-output": "ok:flag line:text",
    "players-revoke-output": "ok:flag revoked:int",
    "players-setup-output": "ok:flag done:[text] problems:[text]",
    "game-new-output": "ok:flag id:text name:text path:text",
    "game-check-output": "ok:flag id:text name:text path:text problems:[problem] has:{[text]} odds:[odds-or-refusal] advice*:[problem] played*:{any}",
    "odds-or-refusal": "odds | checked-roll",
    "game-pack-output": "ok:flag id:text path:text bytes:int",
    "game-add-output": "ok:flag id:text name:text path:text files:[text] added:flag before*:text?",
    "info-output": "ok:flag version:text campaigns:text examples:text state:text last_campaign:text? settings:text? own_themes:text?"
    " themes:text program:text python:text last_played:last-played",
    "completion-output": "ok:flag script:text",
    "completion-words-output": "ok:flag words:{text}",
}
"""Each object's keys and their types: `key:type`; `*` for a key that may be missing, `?` for a value that may be null, `[…]` for a list,
`{…}` for an object with any keys, `=` for the one value that it has. A type is a word of `_PLAIN` or another shape.
"""
_PLAIN: Mapping[str, Mapping[str, Any]] = {
    "any": {},
    "flag": {"type": "boolean"},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
}


def output_schema() -> dict[str, Any]:
    """Return the JSON Schema of every answer."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What Waylog prints with --json",
        "description": "Existing keys keep their meaning and their type. Later versions may add keys and answers.",
        "anyOf": [_reference(name) for name in _SHAPES if name.endswith(_WHOLE)],
        "$defs": {name: _definition(shape) for name, shape in _SHAPES.items()},
    }


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _definition(shape: str) -> dict[str, Any]:
    if ":" not in shape:
        found = [_reference(name) for name in shape.split(" | ")]
        return {"anyOf": found} if len(found) > 1 else found[0]
    properties, required = dict[str, Any](), list[str]()
    for key, value, may_be_missing in _keys(shape):
        properties[key] = value
        if not may_be_missing:
            required.append(key)
    return {"type": "object", "properties": properties, "required": required}


def _keys(shape: str) -> Iterator[tuple[str, dict[str, Any], bool]]:
    for word in shape.split():
        if "=" in word:
            key, _, value = word.partition("=")
            yield key, {"const": False if value == "false" else value}, False
        else:
            key, _, value = word.partition(":")
            yield key.removesuffix("*"), _type(value), key.endswith("*")


def _type(text: str) -> dict[str, Any]:
    if text.endswith("?"):
        return {"anyOf": [_type(text[:-1]), {"type": "null"}]}
    if text.startswith("["):
        return {"type": "array", "items": _type(text[1:-1])}
    if text.startswith("{"):
        return {"type": "object", "additionalProperties": _type(text[1:-1])}
    return {**_PLAIN[text]} if text in _PLAIN else _reference(text)
