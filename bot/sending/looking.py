"""The second look: whether a message is still wanted at the moment of sending, from the state as it is then."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.store.repositories import StoreRepositories
from core.concern import outbound, reports, together
from core.concern.changes import report_recipient
from core.concern.decision import Decision, Setting
from core.concern.holding import hold_until
from core.concern.inbound import TAKEN_BACK
from core.concern.model import Concern
from core.concern.notices import Notice, NoticeKind
from core.effects import BOT_STARTED, Outgoing, Send
from core.hub import absent
from core.hub.commit import apply, commit
from core.hub.inviting import with_invites
from core.hub.owed import CALLED_OFF
from core.hub.services import Services, everybody
from core.hub.turns.stuck import ended_by_itself
from core.ids import ConcernId
from core.jobs import Job, JobKind
from core.people import Person

UNREAD = timedelta(seconds=5)
"""A chase waits so long beyond the moment at which what its recipient wrote last is to be read."""

Told = tuple[Notice, ...] | None
"""The occasions that a report is made of; None: all that wait."""


@dataclass(frozen=True)
class Look:
    """What a second look at the state found: go, wait until, or don't (with the reason)."""

    message: Outgoing | None = None
    recipient: Person | None = None
    concern: Concern | None = None
    told: Told = None
    wait: datetime | None = None
    reason: str = ""


class SecondLook:
    """Looks within the open transaction. A message that several make together is a new row in their place."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def at_message(self, repos: StoreRepositories, job: Job, message: Outgoing, out: bool = False) -> Look:
        """Whether the message of a job is still wanted, and whether hours and limits let it leave now.

        `out`: it may have arrived, and counts as sent. Then it leaves as it is, or not at all.
        """
        message = at_home(repos, message)
        # Held until the job says `sending`: whoever calls it off meanwhile waits, and then sees that.
        if message.callback_id is not None and not message.again and not repos.callbacks.hold(message.callback_id):
            return Look(reason=CALLED_OFF)
        if message.until is not None and message.until <= self._services.clock.now():
            return Look(reason="its time is over")
        if message.concern_id is None and not message.also:
            return Look(message, repos.people.get(message.to) if message.to else None)
        setting = self._services.setting(everybody(repos))
        if message.also:
            return self._at_several(repos, job, message, setting, out)
        look = self._at_one(repos, message, setting, out)
        if out or look.concern is None or not together.may_share(look.concern, message):
            return look
        return self._joined(repos, job, message, look.concern, setting) or look

    def _at_one(self, repos: StoreRepositories, message: Outgoing, setting: Setting, out: bool = False) -> Look:
        concern = repos.concerns.get(message.concern_id) if message.concern_id else None
        if concern is None:
            return Look(reason="its concern is gone")
        recipient = setting.people.get(message.to) if message.to else None
        if ended_by_itself(repos, concern, setting):
            return Look(reason="what it asks has answered itself")
        reason = outbound.still_wanted(concern, message, setting, out=out)
        if reason is not None:
            return Look(reason=reason)
        until = self._hold(repos, concern, message, setting, out)
        return Look(wait=until) if until else Look(message, recipient, concern)

    def _joined(
        self, repos: StoreRepositories, job: Job, message: Outgoing, concern: Concern, setting: Setting
    ) -> Look | None:
        """One message in place of this chase and all others that may leave to the same person; None: it is alone."""
        parts, concerns = [message], {concern.concern_id: concern}
        for other in repos.jobs.pending_to(message.to) if message.to else ():
            if other.kind is not JobKind.DELIVER or other.due > setting.now:
                continue
            part = Outgoing.model_validate_json(other.payload)
            if not together.alike(message, part) or part.also:
                continue
            found = self._at_one(repos, part, setting).concern
            if found is None or found.concern_id in concerns or not together.may_share(found, part):
                continue
            repos.jobs.cancel(other.key, f"said together with {job.key}")
            parts.append(part)
            concerns[found.concern_id] = found
        if len(parts) == 1:
            return None
        return self._instead(repos, f"together:{job.key}", together.as_one(parts, concerns), setting)

    def _at_several(self, repos: StoreRepositories, job: Job, message: Outgoing, setting: Setting, out: bool) -> Look:
        """Parts of several that are not wanted any more (answered meanwhile) are left out."""
        looks = [self._at_one(repos, part, setting, out) for part in message.also]
        waits = [look.wait for look in looks if look.wait is not None]
        if waits:
            return Look(wait=max(waits))
        wanted = [(look.message, look.concern) for look in looks if look.message and look.concern]
        if not wanted:
            return Look(reason="nothing of it is wanted any more")
        if len(wanted) < len(looks) and not out:
            left = together.as_one([part for part, _ in wanted], {c.concern_id: c for _, c in wanted})
            return self._instead(repos, f"{job.key}:{len(wanted)}", left, setting)
        return Look(message, setting.people.get(message.to) if message.to else None, wanted[0][1])

    @staticmethod
    def _instead(repos: StoreRepositories, key: str, message: Outgoing, setting: Setting) -> Look:
        """What is sent is always what its row says: a changed message is a new row in place of the old one."""
        apply(repos, Send(key=key, due=setting.now, message=message))
        return Look(reason=f"said in {key}")

    def _hold(
        self, repos: StoreRepositories, concern: Concern, message: Outgoing, setting: Setting, out: bool
    ) -> datetime | None:
        """Sending hours and the limits across concerns, as they are now and not as they were when it was queued. Nobody
        is chased over words that they have just written. What may be out is counted already.
        """
        if message.to is None:
            return None
        recipient = setting.people.get(message.to)
        said = repos.facts.unread(recipient) if recipient and message.purpose in TAKEN_BACK else None
        if said is not None:
            return max(said, setting.now) + UNREAD
        since = setting.now - timedelta(days=1)
        started = () if out else repos.receipts.to_person(message.to, tuple(BOT_STARTED), since)
        until = hold_until(concern, message, tuple(s.at for s in started), setting)
        return until if until is not None and until > setting.now else None

    def at_report(self, repos: StoreRepositories, concern_id: ConcernId) -> Look:
        """What its reader is to be told now, if the gate lets it pass; where there is nothing, that is noted."""
        concern, setting = repos.concerns.get(concern_id), self._services.setting(everybody(repos))
        recipient = report_recipient(concern, setting) if concern is not None else None
        if concern is None or recipient is None:
            return Look(reason="nobody to report to")
        reader = recipient.person_id
        counted = repos.receipts.counted_since(reader, _day_start(recipient, setting.now))
        # What they did not start themselves has to be named to them in any case.
        others_open = concern.initiator_id != reader or repos.concerns.another_open(reader, besides=concern_id)
        elsewhere = {
            n.person_id: absent.waiting_elsewhere(repos, n.person_id, reader, setting, besides=concern)
            for n in concern.reports.waiting
            if n.kind is NoticeKind.AWAY and n.person_id is not None
        }
        answer = reports.report_due(concern, setting, counted, others_open=others_open, elsewhere=elsewhere)
        match answer:
            case Outgoing():
                answer = with_invites(repos, self._services, answer, concern, recipient, setting.now)
                return Look(answer, recipient, concern, concern.reports.waiting)
            case reports.Wait():
                return Look(wait=answer.until)
        commit(repos, Decision(reports.nothing_told(concern)))
        return Look(reason=answer.reason)


def at_home(repos: StoreRepositories, message: Outgoing) -> Outgoing:
    """Without its chat where that is somebody else's by now (the people file gave it away): they have no part in it."""
    if message.to is None or message.conversation is None:
        return message
    channel, _, chat = message.conversation.partition(":")
    now_theirs = repos.people.by_identity(channel, chat)
    if now_theirs is None or now_theirs.person_id == message.to:
        return message
    return message.model_copy(update={"conversation": None})


def _day_start(person: Person | None, now: datetime) -> datetime:
    """Midnight of the recipient's current day: the silence budget is per day of theirs."""
    zone = ZoneInfo(person.timezone if person else "UTC")
    return now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
