"""The rule brain's own words to delegates and initiators, in both languages."""

from __future__ import annotations

from core.brain.rules.words.goal import Want
from core.spacing import put

_ZH = {
    "ask_time": "具体是哪一天呢？",
    "ask_time_sure": "能定在{when}吗？",
    "ask_number": "具体是多少呢？",
    "ask_yesno": "那是可以还是不可以呢？给个准话就好。",
    "ask_consent": "这件事你这边同意吗？",
    "ask_confirm": "收到的话请回复确认一下。",
    "ask_thing": "大概什么时候能给到呢？",
    "ask_deed": "大概什么时候能办好呢？",
    "ask_info": "能再说具体一点吗？",
    "ask_rest": "谢谢，另外这一点也麻烦你说一下：{title}",
    "ask_rest_thing": "谢谢，另外{title}也麻烦发一下。",
    "follow_1": "{to}你好，想再跟进一下「{title}」，方便的时候回复一下就好。",
    "follow_2": "{to}你好，{initiator}还在等「{title}」的消息，你看什么时候方便回复？",
    "follow_3": "{to}你好，再打扰一次：「{title}」目前有进展了吗？哪怕先给个大概情况也好。",
    "follow_urgent": "这件事比较急，请尽快回复。",
    "told_1": "{to}你好，{initiator}之前让我转告你「{title}」，收到请回一声。",
    "told_2": "{to}你好，再跟你确认一下「{title}」，看到的话回一声就好。",
    "told_3": "{to}你好，{initiator}想确认你看到了「{title}」，麻烦回一声。",
    "deed_1": "{to}你好，想跟进一下「{title}」，办得怎么样了？",
    "deed_2": "{to}你好，{initiator}还在等「{title}」，大概什么时候能办好？",
    "deed_3": "{to}你好，再打扰一次：「{title}」目前有进展了吗？有难处也可以直说。",
    "ask_thing_for": "麻烦你把{title}发一下。",
    "ask_object_for": "麻烦你把{title}给{initiator}。",
    "do": "麻烦你{title}。",
    "by_when_answer": "希望{when}有答复。",
    "before": "{when} 前",
    "besides": "另外，{more}",
    "by_when_thing": "希望{when}能拿到。",
    "urgent": "比较急，麻烦尽快。",
    "no_rush": "不急，方便的时候回就行。",
    "follow_soft": "{to}，知道你在忙，不急着催你。「{title}」有进展时告诉我一声就好，辛苦了。",
    "how_is_it": "{what}，现在是什么情况？",
    "meet": "{initiator}想约你{what}，你看方便吗？",
    "meet_when": "{initiator}想约你{what}，你什么时候方便？",
    "decided": "{initiator}的意思是：{decided}",
    "owner_refused": "{who}回复说：{words}。需要你决定：还要不要找别人。",
    "owner_points": "{who}回复说：{words}。需要你决定：要不要改问{other}。",
    "owner_proposal": "{who}回复了：{before}{they}提了个{plan}：{words}。需要你决定：接受{plan}，还是另作安排。",
    "plan": "方案",
    "stopgap": "临时方案",
    "owner_question": "{who}想问：{words}需要你决定怎么回复{they}。",
    "owner_said": "{who}回复了：{words}。这一点要你来定，怎么回复{they}？",
    "owner_condition": "{who}回复了：{words}。这是有条件的，还不算定，我接着跟。",
    "owner_self": "{who}回复说：{words}。需要你决定：是否直接跟{they}谈。",
    "owner_away": "{who}暂时不在：{words}。可以等{they}回来，也可以换个人问。",
    "point_no_answer": "催了{who} {times} 次都没有答复，接下来怎么办",
    "point_swap": "换谁来替{who}",
    "point_recall": "{who}撤回了原话，还要继续问吗",
    "point_addition": "撤回的补充「{what}」已经告诉对方了，留着还是撤掉",
    "answer": "{initiator}提过的是：{words}",
    "told": "{initiator}让我转告你：{words}。收到请回一声。",
    "told_said": "{initiator}让我转告你一句话，原话是：「{words}」。收到请回一声。",
    "do_said": "{initiator}想请你办件事，原话是：「{words}」",
    "asked_said": "{initiator}想问你一件事，原话是：「{words}」",
    "who": "我是清海，一个自动助手，替{initiator}来问「{title}」。你直接回我就行，我转给{initiator}。",
    "you": "你",
    "event_merged": "{what}已合并",
    "event_closed": "{what}已关闭",
    "event_deployed": "{what}已部署",
    "event_released": "{what}已发布",
    "event_passed": "{what}通过了",
}
_EN = {
    "ask_time": "Which day exactly would that be?",
    "ask_time_sure": "Is {when} definite?",
    "ask_number": "Could you give me the exact number?",
    "ask_yesno": "So would that be a yes or a no?",
    "ask_consent": "Would you agree to that?",
    "ask_confirm": "Could you confirm that you got this?",
    "ask_thing": "When could you send it, roughly?",
    "ask_deed": "When could it be done, roughly?",
    "ask_info": "Could you be a little more specific?",
    "ask_rest": "Thank you. Could you also tell me about this: {title}",
    "ask_rest_thing": "Thank you. Could you also send this: {title}",
    "follow_1": 'Hi {to}, following up on "{title}". A short reply is all it needs.',
    "follow_2": 'Hi {to}, {initiator} is still waiting to hear about "{title}". When would it suit you to answer?',
    "follow_3": 'Hi {to}, one more time: is there anything new on "{title}"? Even a rough idea helps.',
    "follow_urgent": "It is rather urgent, please reply soon.",
    "told_1": 'Hi {to}, {initiator} asked me to tell you "{title}". A short "got it" is all I need.',
    "told_2": 'Hi {to}, just making sure you\'ve seen "{title}". Please reply "got it".',
    "told_3": 'Hi {to}, {initiator} would like to be sure you know "{title}". Could you reply in a word?',
    "deed_1": 'Hi {to}, following up on "{title}": how is it going?',
    "deed_2": 'Hi {to}, {initiator} is still waiting for "{title}". When could it be done?',
    "deed_3": 'Hi {to}, one more time: is there anything new on "{title}"? If something is in the way, just say so.',
    "ask_thing_for": "Could you send this: {title}?",
    "ask_object_for": "Could you give {initiator} this: {title}?",
    "do": "{initiator} asks you to {title}.",
    "by_when_answer": "An answer {when} would be a great help.",
    "before": "before {when}",
    "besides": "Also: {more}",
    "by_when_thing": "It is needed {when}.",
    "urgent": "It is rather urgent.",
    "no_rush": "There is no rush.",
    "follow_soft": "{to}, I know you're busy and don't mean to push. Whenever there is something on \"{title}\", just let me know.",
    "how_is_it": "{what}. Where does it stand?",
    "meet": "{initiator} would like to meet you: {what}. Would that suit you?",
    "meet_when": "{initiator} would like to meet: {what}. When would suit you?",
    "decided": "{initiator} says: {decided}",
    "owner_refused": "{who} says: {words}. Please decide whether somebody else should be asked.",
    "owner_points": "{who} says: {words}. Please decide whether I should ask {other} instead.",
    "owner_proposal": "{who} answered: {before}{they} proposed {plan}: {words}. Please decide: accept it, or do something else?",
    "plan": "another way",
    "stopgap": "a stopgap",
    "owner_question": "{who} asks: {words} Please decide what I should tell {them}.",
    "owner_said": "{who} says: {words}. That is for you to decide; what shall I tell {them}?",
    "owner_condition": "{who} answered: {words}. That hangs on a condition, so it is not settled; I will keep after it.",
    "owner_self": "{who} says: {words}. Please decide whether to speak to {them} yourself.",
    "owner_away": "{who} is away: {words}. I can wait for their return, or you can name somebody else.",
    "point_no_answer": "No answer from {who} after {times} follow-ups. How shall I go on?",
    "point_swap": "Who shall be asked in place of {who}?",
    "point_recall": "{who} took the request back. Shall I go on asking?",
    "point_addition": 'The addition "{what}" was taken back after it had gone out. Does it stay?',
    "answer": "{initiator} mentioned this: {words}",
    "told": '{initiator} asked me to tell you: {words}. Please reply "got it".',
    "told_said": '{initiator} asked me to pass this on, word for word: "{words}". Please reply "got it".',
    "do_said": 'This is what {initiator} asks of you, word for word: "{words}"',
    "asked_said": 'This is what {initiator} would like to know, word for word: "{words}"',
    "who": "I'm Qinghai, an automated assistant, asking about \"{title}\" for {initiator}. Just reply here and I'll pass it on.",
    "you": "you",
    "event_merged": "{what} is merged",
    "event_closed": "{what} is closed",
    "event_deployed": "{what} is deployed",
    "event_released": "{what} is released",
    "event_passed": "{what} has passed",
}


def say(key: str, language: str, **values: str) -> str:
    """The phrase in `zh-CN` or `en` with its values put in."""
    return put((_EN if language.startswith("en") else _ZH)[key], **values)


def ask_back(want: Want, language: str) -> str:
    """One question for what is missing."""
    return say(f"ask_{want}", language)


_KINDS = {Want.CONFIRM: "told", Want.DEED: "deed"}


def follow_up(
    number: int, softer: bool, language: str, kind: Want | None = None, urgent: bool = False, **values: str
) -> str:
    """The words of the `number`-th follow-up (from 1), gentler for somebody who was annoyed.

    `kind` is the frame of the goal: a message is passed on again, a deed asked after.
    """
    key = "follow_soft" if softer else f"{_KINDS.get(kind, 'follow') if kind else 'follow'}_{min(max(number, 1), 3)}"
    more = {"urgent": "follow_urgent"}.get("urgent" if urgent and not softer else "")
    text = say(key, language, **values)
    return text if more is None else f"{text}{' ' if language.startswith('en') else ''}{say(more, language)}"


def pronoun(known: str | None, language: str, name: str) -> dict[str, str]:
    """Values `they` and `them` for templates."""
    if language.startswith("en"):
        table = {"他": ("he", "him"), "她": ("she", "her"), "he": ("he", "him"), "she": ("she", "her")}
        they, them = table.get(known or "", ("they", "them"))
        return {"they": they, "them": them}
    word = {"he": "他", "she": "她", "they": "对方"}.get(known or "", known or name)
    return {"they": word, "them": word}
