"""Read and write what is open between two acts, as plain values. The log keeps it with each entry, so it outlives the
program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from waylog.rules.changes import Value
from waylog.rules.codec.base import Fault
from waylog.rules.codec.records import codec
from waylog.rules.facts import OutcomeGrade
from waylog.rules.state import EffectOffer, OpenScene, Waiting
from waylog.values import dataclass, fields


@dataclass(frozen=True, slots=True)
class _Plain:
    """The parts of `OpenScene` that are plain values."""

    typed: bool = False
    on: tuple[str, ...] = ()
    offers: tuple[EffectOffer, ...] = ()
    drawn: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()


_PLAIN = tuple(field.name for field in fields(_Plain))


def encode_open(opened: OpenScene | None, scene: Any) -> dict[str, Value]:
    """Return everything that is open after an act, as plain values. Return an empty table if nothing is open.

    The game's own stage is in the key `stage`. `scene` is the type that the game's rulebook declares for its stages.
    """
    if opened is None:
        return {}
    plain = codec(_Plain).encode(_Plain(*(getattr(opened, name) for name in _PLAIN)))
    waiting = {"waiting": codec(Waiting).encode(opened.waiting)} if opened.waiting else {}
    mood = {"mood": opened.mood.value} if opened.mood else {}
    stage = codec(scene | None).encode(opened.stage)
    return {**plain, **waiting, **mood, **({"stage": stage} if stage else {}), "open": True}


def decode_open(tree: Mapping[str, Value], scene: Any) -> OpenScene | None:
    """Read what `encode_open` returned. Raises `ValueError` if that isn't possible."""
    if not tree:
        return None
    faults: list[Fault] = []
    plain = codec(_Plain).decode({key: tree[key] for key in _PLAIN if key in tree}, (), faults)
    waiting = codec(Waiting).decode(tree["waiting"], (), faults) if "waiting" in tree else None
    mood = codec(OutcomeGrade).decode(tree["mood"], ("mood",), faults) if "mood" in tree else None
    stage = codec(scene | None).decode(tree.get("stage", {}), ("stage",), faults)
    if faults:
        raise ValueError(faults[0].message)
    beside = {name: getattr(plain, name) for name in _PLAIN}
    return OpenScene(stage=stage, waiting=waiting, mood=mood, **beside)


def read_shared(tree: Mapping[str, Value]) -> OpenScene:
    """Read the parts that every game has, without knowing the game; the stage remains plain values. Parts that were
    edited and can't be read are left out.
    """
    plain = codec(_Plain).decode({key: tree[key] for key in _PLAIN if key in tree}, (), [])
    waiting = codec(Waiting).decode(tree["waiting"], (), []) if "waiting" in tree else None
    return OpenScene(stage=tree.get("stage"), waiting=waiting, **{name: getattr(plain, name) for name in _PLAIN})
