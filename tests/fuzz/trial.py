"""Nonsense through the whole bot, handful by handful, and what must hold after each of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from typing import Any

from core.effects import TO_DELEGATES
from tests.fuzz import cast
from tests.fuzz.house import House, Receipt, Taken
from tests.fuzz.nonsense import Nonsense

WEEK = timedelta(days=7) // timedelta(microseconds=1)
AT_ONCE = 12
"""Inputs of one handful at most."""

_INSIDE = re.compile(
    r"Traceback|File \"|\w\.py\b|/tmp/|/work/|/usr/|sqlite|NoneType|\bNone\b|<class|\w+Error\b|\w+Exception\b|\{\{"
    r"|\bp_[a-z]+\b|telegram:-?\d|feishu:o[uc]_|\bou_\w+|\boc_\w+|\bcon_\d{8}|\b(?:100[1-9]|200[1-9]|300[1-4])\b"
)
"""What stands inside and means nothing to people, or is somebody's number."""
_NO_ANSWER = ("ack:", "expired:")
"""Where one message holds several orders, the taking up of each is said; that nobody said yes in time answers none."""
_CHATS = {f"telegram:{m.telegram}" for m in cast.EVERYBODY} | {f"feishu:{m.feishu}" for m in cast.EVERYBODY}
_OWN = {m.person_id: (str(m.telegram), m.feishu, m.person_id) for m in cast.EVERYBODY}
_INSPECTORS = {cast.OWNER.person_id, cast.ADMIN.person_id}
_SILENT = {cast.CALM.person_id, cast.ASKED_LAST.person_id}
_STARTERS = {str(m.telegram) for m in cast.STARTERS} | {m.feishu for m in cast.STARTERS}
_BY_ID = {str(m.telegram): m.person_id for m in cast.EVERYBODY} | {m.feishu: m.person_id for m in cast.EVERYBODY}


class Trial:
    """Plays inputs through a house. Whatever does not hold fails at once, and says what came in last."""

    def __init__(self, house: House, nonsense: Nonsense, make: Callable[[], Any]) -> None:
        self._house = house
        self._nonsense = nonsense
        self._make = make
        self._chats = set(_CHATS)
        self._named: set[str] = set()
        self._said: list[str] = []
        self._told: dict[str, int] = {}
        self._earlier: list[Any] = []
        self.brought = self.stored = self.sent = 0

    async def play(self, count: int) -> None:
        """So many inputs."""
        while self.brought < count:
            handful = [self._make() for _ in range(self._nonsense.random.randint(1, AT_ONCE))]
            if self._earlier and self._nonsense.happens(0.3):  # brought again, at once or much later
                handful.insert(0, self._nonsense.one(self._earlier))
            self._earlier = [*self._earlier[-50:], *deepcopy(handful)]
            await self._house.bring(handful)
            self.brought += len(handful)
            await self._house.settle()
            try:
                self._look()
                await self._house.pass_time()
                self._look(silent=True)
            except AssertionError as error:
                raise AssertionError(
                    f"{error}\nafter {self.brought} inputs, the last of them: {handful!r:.1500}"
                ) from error

    async def end(self) -> None:
        """All is as ever: an ordinary message is answered, somebody is asked, and the answer comes back."""
        house = self._house
        today = house.clock.now().replace(hour=10, minute=0, second=0, microsecond=0)
        await house.wait_until(today + timedelta(days=7 - today.weekday() or 7))
        self._look(silent=True)
        assert not self._told_to(await self._says(cast.CALM, "/nothing_of_the_kind")) - {cast.CALM.person_id}
        asked = await self._says(cast.CALM, "帮我问一下吴十，发布会的场地订了吗")
        assert self._told_to(asked) == {cast.CALM.person_id, cast.ASKED_LAST.person_id}, asked
        assert any("场地" in r.text for r in asked if r.person_id == cast.ASKED_LAST.person_id)
        answered = await self._says(cast.ASKED_LAST, "订了，在国际会议中心")
        assert any("国际会议中心" in r.text for r in answered if r.person_id == cast.CALM.person_id), answered

    async def _says(self, who: cast.Member, text: str) -> list[Receipt]:
        """What goes out upon it to those who were silent so far."""
        await self._house.bring([self._house.says(who, text)])
        await self._house.settle()
        assert not self._house.listener.bad, self._house.listener.bad
        return [r for r in self._house.receipts() if r.person_id in _SILENT]

    def _told_to(self, receipts: list[Receipt]) -> set[str | None]:
        return {r.person_id for r in receipts}

    # --- what must hold -----------------------------------------------------------------------------------------------

    def _look(self, *, silent: bool = False) -> None:
        """`silent`: nothing came in meanwhile."""
        taken, receipts = self._house.taken(), self._house.receipts()
        self.stored += len(taken)
        self.sent += len(receipts)
        for one in taken:
            self._remember(one)
        assert not self._house.listener.bad, "in the log: " + "\n".join(self._house.listener.bad)
        assert not (unwell := self._house.unwell()), f"not done: {unwell}"
        if not silent:
            self._answered_once(taken, receipts)
        for receipt in receipts:
            self._meant(receipt)
            self._tells_nothing_inside(receipt)

    def _remember(self, one: Taken) -> None:
        self._chats.add(one.conversation)
        self._said.append(one.text)
        if one.sender in _BY_ID:  # a promise of their own is looked at
            self._named.add(_BY_ID[one.sender])
        if one.sender in _STARTERS and one.forwarded_from is None:
            self._named |= {m.person_id for m in cast.EVERYBODY if m.name in one.text}

    def _answered_once(self, taken: list[Taken], receipts: list[Receipt]) -> None:
        inputs: Counter[str] = Counter()
        for one in taken:
            own = f"{one.conversation.partition(':')[0]}:{one.sender}"
            inputs.update({one.conversation, own})
        replies = Counter(r.conversation for r in receipts if r.purpose == "reply" and not r.key.startswith(_NO_ANSWER))
        for chat, count in replies.items():
            told = [r.text[:300] for r in receipts if r.conversation == chat]
            assert count <= inputs[chat], f"{count} replies to {inputs[chat]} inputs in {chat}: {told}"

    def _meant(self, receipt: Receipt) -> None:
        assert receipt.conversation in self._chats, f"nobody of {receipt.conversation} wrote: {receipt}"
        assert receipt.person_id not in _SILENT, f"somebody of whom nobody spoke: {receipt}"
        if receipt.purpose in TO_DELEGATES:
            assert receipt.person_id in self._named, f"nobody who may asked for them: {receipt}"
        if receipt.key.startswith("stranger:"):
            before = self._told.get(receipt.conversation)
            assert before is None or receipt.at - before >= WEEK, f"told twice: {receipt}"
            self._told[receipt.conversation] = receipt.at

    def _tells_nothing_inside(self, receipt: Receipt) -> None:
        for found in _INSIDE.findall(receipt.text):
            own = found in _OWN.get(receipt.person_id or "", (receipt.conversation.partition(":")[2],))
            looked_up = receipt.person_id in _INSPECTORS and receipt.purpose == "reply"
            assert own or looked_up or any(found in said for said in self._said), f"{found!r} in {receipt}"
