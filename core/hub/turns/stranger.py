"""A stranger is told once, politely, that the bot is private; then nothing for a long while. No brain is asked."""

from __future__ import annotations

from core.effects import Outgoing, Purpose, Send, Words
from core.facts import FactKind, StoredFact
from core.hub.commit import apply
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.ports import Repositories


class StrangerTurn:
    """Answers, or doesn't."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def handle(self, stored: StoredFact) -> Outcome:
        """Once per chat and period; never in a group, where nobody asked for a lecture."""
        fact, now = stored.fact, self._services.clock.now()
        if fact.group or fact.kind is not FactKind.MESSAGE:
            return Outcome("ignore", "a stranger, and nothing to answer")
        again_after = self._services.limits.stranger.told_again_after
        told = await self._services.store.run(lambda repos: repos.receipts.last_in(fact.conversation, Purpose.REPLY))
        if told is not None and now - told.at < again_after:
            return Outcome("ignore", "a stranger who was told already")
        send = Send(
            # Two messages before the first answer is out have one cause.
            key=f"stranger:{fact.conversation}:{told.at.isoformat() if told else 'first'}",
            due=now,
            message=Outgoing(
                purpose=Purpose.REPLY,
                conversation=fact.conversation,
                words=Words(template="chat/stranger", values={"persona": self._services.persona}),
                answers=True,
            ),
        )

        def keep(repos: Repositories) -> None:
            apply(repos, send)

        return Outcome("ignore", "a stranger, told once", keep)
