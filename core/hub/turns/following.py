"""What following a trouble up would be: a push in the matter that it belongs to, else a question to who is named."""

from __future__ import annotations

from core.action.meta_actions import AdvanceConcern, AdvanceConcernParameters, RaiseConcern, RaiseConcernParameters
from core.brain.rules.words import phrases
from core.brain.rules.words.text import is_english, shared
from core.concern.model import Concern
from core.context.workspace import FollowUp
from core.hub.errand import may_steer
from core.hub.naming import named_in
from core.hub.turn import Turn
from core.ids import PersonId

RELATED = 2
"""Words in common that make a trouble one of a matter."""


def followed(turn: Turn, what: str) -> FollowUp:
    """The step that a yes would run. `people` empty: nobody is named, and whom to ask is asked then."""
    others = (p for p in turn.people.values() if p.person_id != turn.sender.person_id)
    named = named_in(turn.text, others)
    concern = _matter(turn, what, named)
    if concern is not None:
        wish = AdvanceConcernParameters(concern_ids=(concern.concern_id,))
        return FollowUp(what=what, title=concern.title, key=AdvanceConcern.info.key, parameters=wish.model_dump())
    language = "en" if is_english(what) else "zh-CN"
    names = [turn.people[p].name for p in named]
    parameters = {
        "title": what,
        "goal": _goal(what, names),
        "people": list(named),
        "message": phrases.say("how_is_it", language, what=what),
        "type": "followup",
    }
    if named:
        parameters = RaiseConcernParameters.model_validate(parameters).model_dump(mode="json")
    return FollowUp(what=what, key=RaiseConcern.info.key, parameters=parameters)


def _goal(what: str, names: list[str]) -> str:
    """An answer, in the frame in which the rules put one, in the language of the words."""
    if is_english(what):
        return f"An answer from {' and '.join(names) or 'them'}: {what}"
    return f"得到{'、'.join(names) or '对方'}关于「{what}」的答复"


def _matter(turn: Turn, what: str, named: tuple[PersonId, ...]) -> Concern | None:
    """The open matter that the words are about: the quoted one, else the one that shares most with them."""
    quoted = turn.quoted_concern
    if quoted is not None and quoted.status.is_open and may_steer(turn.sender, quoted):
        return quoted
    topic = _without_names(what, turn)
    scores = {c.concern_id: _related(c, topic, named) for c in turn.mine if c.relay is None}
    best = max(scores.values(), default=0)
    found = [c for c in turn.mine if scores.get(c.concern_id) == best]
    return found[0] if best and len(found) == 1 else None


def _without_names(what: str, turn: Turn) -> str:
    for person in turn.people.values():
        for name in (person.name, *person.aliases):
            what = what.replace(name, " ")
    return what


def _related(concern: Concern, topic: str, named: tuple[PersonId, ...]) -> int:
    """How much it is about the same; 0 where it is not, or asks other people than those who are named."""
    asked = {p.person_id for p in concern.delegates}
    if named and asked.isdisjoint(named):
        return 0
    alike = shared(topic, concern.title)
    return alike if alike >= RELATED or (named and alike) else 0
