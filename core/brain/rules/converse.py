"""What to say when nothing is to be done. Never a promise; plain about what the simple mode cannot do."""

from __future__ import annotations

import re

from core.brain.questions import Converse, Text
from core.brain.rules.owner.wishes import CANCEL, OPINION, TRANSFORM
from core.brain.rules.talking.matters import from_matters, status
from core.brain.rules.words.signs import is_yes_alone
from core.brain.rules.words.text import fold, is_empty, squeezed
from core.patterns import lazy

_HELLO = lazy(
    r"^(?:你好|你好|早|早上好|上午好|下午好|晚上好|在吗|在么|嗨|哈喽|hi|hello|hey|morning|goodmorning|goodevening)"
)
_THANKS = lazy(r"谢谢|多谢|感谢|辛苦|thank|cheers|thx")
WHO = lazy(
    r"你(?:又|到底)?是(?:谁|哪位|什么)|^你谁(?:啊|呀|呢)?\W*$|你叫|自我介绍|who are you|what are you|your name|are you (?:a )?(?:bot|human|robot|"
    r"real)|是(?:机器人|真人|人)吗"
)
_WHAT = lazy(
    r"你(?:都|还|到底|究竟)?(?:能|会|可以)(?:替我|帮我|为我)?(?:做|干|帮|办)|怎么用|功能|有什么用|帮助|what can you do|how does this work|help\b|how do i use"
)
_STATUS = lazy(
    r"进展|怎么样了|什么情况|状态|在跟|还有(?:什么|哪些)|(?:事|事情|问)(?:情)?怎么样|status|progress|going on|update|open"
)

_ZH = {
    "hello": "你好，我是{persona}。要我替你问谁什么事，直接说就行，比如「帮我问一下张三，什么时候能提测」。",
    "hello_delegate": "你好，我是{owner}的助手{persona}。你有话要带给{owner}，直接告诉我就行。",
    "thanks": "不客气。",
    "who": "我是{persona}，一个自动助手：替你去问人、跟进，把答复带回来。",
    "who_delegate": "我是{persona}，{owner}的自动助手，替{owner}联系大家、跟进事情。",
    "what": "我可以替你去问别人、转告别人，按轻重缓急跟进，把答复汇总给你；到点提醒，每天每周定时去问，盯着谁该交什么，没来就告诉你。"
    "随时可以问我进展、谁还没回、原话怎么说、明天有什么安排；不想办了就说「算了不用问了」。",
    "what_delegate": "我替{owner}联系大家。你直接回复就行，不想再收到消息时说「别再发了」。",
    "cannot": "现在是简单模式，这个我答不上来。替你问人、转告、提醒、跟进、报进展这些我都可以，直接告诉我问谁、问什么就行。",
    "cannot_delegate": "这个我答不上来，抱歉。手上的事你直接回复我就好。",
    "none_pending": "现在没有等你确认的事。",
    "not_open": "没找到还开着的这件事，也许已经了结了。",
}
_EN = {
    "hello": 'Hello, I\'m {persona}. Tell me whom to ask and what, for example "ask Wei when the report will be ready".',
    "hello_delegate": "Hello, I'm {persona}, {owner}'s assistant. If you have a message for {owner}, just write it here.",
    "thanks": "You're welcome.",
    "who": "I'm {persona}, an automated assistant: I ask people on your behalf, follow up, and bring the answers back.",
    "who_delegate": "I'm {persona}, {owner}'s automated assistant. I contact people and follow up for {owner}.",
    "what": "I can ask people on your behalf or pass words on, follow up, and sum up their answers; I can remind you, ask "
    "people at set times, and keep an eye on what is due. Ask me any time where things stand, who hasn't answered, what "
    'was said, or what is planned for tomorrow; say "never mind" to call something off.',
    "what_delegate": 'I contact people for {owner}. Just reply here; if you want no more messages, say "stop messaging me".',
    "cannot": "I'm in simple mode and can't answer that. I can ask people, pass words on, remind, follow up and report: "
    "just tell me whom to ask and what.",
    "cannot_delegate": "I can't answer that, sorry. For the open matter, just reply here.",
    "none_pending": "Nothing is waiting for your confirmation right now.",
    "not_open": "I can't find that matter among the open ones; it may be done or called off.",
}


def converse(q: Converse) -> Text:
    """A short answer in the reader's language; empty for a mere "好的"."""
    table = _EN if q.language.startswith("en") else _ZH
    known = None if TRANSFORM.search(fold(q.text)) else from_matters(q)
    if known is not None:
        return Text(text=known)
    key = _key(q)
    if key == "nothing" or (key == "cannot" and q.noted):
        return Text()
    if key == "status":
        return Text(text=status(q))
    name = f"{key}_delegate" if q.role == "delegate" and f"{key}_delegate" in table else key
    return Text(text=table[name].format(persona=q.persona, owner=q.owner))


def _key(q: Converse) -> str:
    own = fold(q.text)
    for pattern, key in ((WHO, "who"), (_WHAT, "what")):
        if pattern.search(own):
            return key
    if re.fullmatch(r"\W*(?:确认|确定|取消|confirm|cancel|approve)\W*", own):
        return "none_pending"
    if is_yes_alone(own) or is_empty(own) or re.fullmatch(r"(?:哈|嘿|呵|\d|ha|lol|\W)+", own):
        return "nothing"
    if OPINION.search(own):
        return "cannot"
    if q.role != "delegate" and _STATUS.search(own):
        return "status"
    if _HELLO.search(squeezed(own)) and len(own) <= 24:
        return "hello"
    if _THANKS.search(own) and len(own) <= 24:
        return "thanks"
    return "not_open" if q.role != "delegate" and CANCEL.search(own) and len(own) <= 24 else "cannot"
