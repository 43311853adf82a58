"""A brain over any server that speaks OpenAI's chat completions.

Servers differ in how they can be held to JSON. Four forms are tried in turn, from the strictest to a plain request, and
what a server cannot do is remembered as long as the process lives. An answer is checked against its type; one that does
not fit is sent back once with what is wrong. What a question costs beyond one call is taken from the purse of its turn
(`bot/brain/budget.py`), and it ends at its deadline.

Importing the client takes about a second: import this module only where a model is configured.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from bot.brain.budget import Call, purse
from bot.brain.echo import without_echoes
from bot.brain.forms import STRIKES, Form, KnownForms, request
from bot.brain.prompt import PromptRenderer, now_of, prompt, visible
from bot.brain.reply import Fault, Next, fault_of, read, tokens, was_cut
from bot.brain.shape import cut_json, decode, plain_schema
from bot.metrics import MODEL_CALLS, MODEL_TOKENS
from core.brain.questions import A, Answer, Question, Text
from core.context.text import tokens as weight
from core.errors import BrainError, BrainMalformed, BrainTimeout, QinghaiError

OPENAI = "https://api.openai.com/v1"
Message = dict[str, str]


@dataclass
class Usage:
    """What was spent since the start."""

    calls: int = 0
    failures: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0

    def add(self, call: Call) -> None:
        """Count one call."""
        self.calls += 1
        self.failures += not call.ok
        self.tokens_in += call.tokens_in
        self.tokens_out += call.tokens_out
        self.seconds += call.seconds


class _FormRefusedError(Exception):
    """The server failed in a way that another form may mend."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault.error))
        self.fault = fault


class OpenAIBrain:
    """`core.brain.port.Brain` over an OpenAI-compatible server.

    `timeout_s` is the deadline of a whole question, retries included. `on_call` hears of every call of the server.
    """

    name = "model"

    def __init__(
        self,
        *,
        base_url: str | None,
        api_key: str,
        name: str,
        timeout_s: float,
        renderer: PromptRenderer,
        on_call: Callable[[Call], None] | None = None,
    ) -> None:
        _hush_client_logs()
        url = base_url or OPENAI
        self._host = urlsplit(url).hostname or "of the configuration"
        self._model = name
        self._timeout_s = timeout_s
        self._renderer = renderer
        self._on_call = on_call
        # Retries are counted here, so that a question cannot cost more than its turn may.
        self._client = openai.AsyncOpenAI(api_key=api_key, base_url=url, timeout=timeout_s, max_retries=0)
        self._forms = KnownForms(self._host)
        self.usage = Usage()

    async def ask(self, question: Question[A]) -> A:
        """The answer, valid by its type.

        Raises `BrainTimeout` at the deadline, `BrainMalformed` for an answer that does not fit even after a repair,
        `BrainRefused` when the model declines, `BrainError` for everything else.
        """
        deadline = asyncio.get_running_loop().time() + self._timeout_s
        try:
            turn = _Turn(question, *prompt(question, self._renderer), deadline)
        except QinghaiError as error:
            raise BrainError(f"the question {question.name} cannot be put to the model: {error}") from error
        try:
            # The client's own time-out starts anew with every byte that drips in.
            async with asyncio.timeout_at(deadline):
                return cast(A, await self._answer(turn))
        except TimeoutError:
            late = BrainTimeout(f"the model server {self._host} did not answer within {self._timeout_s:g} s")
        raise late

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    async def _answer(self, turn: _Turn) -> Answer:
        """Through the forms until one gives an answer."""
        for form in self._forms.to_try(turn.name):
            try:
                return await self._in_form(turn, form)
            except _FormRefusedError as error:
                turn.refused.append((form, error.fault))
        raise turn.refused[-1][1].error

    async def _in_form(self, turn: _Turn, form: Form) -> Answer:
        messages = self._messages(turn, schema=form.shows_schema)
        words, cut = await self._call(turn, form, messages)
        try:
            answer = _checked(turn, words)
        except ValueError as error:
            if turn.is_spent:
                raise self._malformed(turn, error, cut) from None
            problem = str(error)
        else:
            self._forms.worked(form)
            return answer
        words, cut = await self._call(turn, form, self._repair(turn, words, problem, cut))
        try:
            answer = _checked(turn, words)
        except ValueError as error:
            raise self._malformed(turn, error, cut) from None
        if not form.shows_schema and not self._forms.has_worked(form):
            # It may well be a server that takes a schema and forgets it.
            self._forms.failed(form, turn.name, 1)
        return answer

    async def _call(self, turn: _Turn, form: Form, messages: list[Message]) -> tuple[str, bool]:
        """The server's words, and whether they were cut off; a second try where that may help."""
        while True:
            turn.count()
            outcome = await self._send(turn, form, messages)
            if not isinstance(outcome, Fault):
                self._learn(turn)
                return outcome
            then = self._may_help(form, outcome)
            if then is Next.OTHER_FORM and not turn.is_spent:
                raise _FormRefusedError(outcome)
            late = asyncio.get_running_loop().time() + outcome.wait >= turn.deadline
            if then is not Next.AGAIN or late or turn.retried or turn.is_spent:
                raise outcome.error
            turn.retried = True
            await asyncio.sleep(outcome.wait)

    def _may_help(self, form: Form, fault: Fault) -> Next:
        """A server error where another form would not help is a bad moment, not a lack."""
        no_lack = form is Form.PLAIN or self._forms.has_worked(form)
        return Next.AGAIN if fault.then is Next.OTHER_FORM and fault.status >= 500 and no_lack else fault.then

    def _learn(self, turn: _Turn) -> None:
        """The server is well, so the forms that it refused before it spoke are ones that it does not know."""
        for form, fault in turn.refused:
            self._forms.failed(form, turn.name, STRIKES if fault.status < 500 else 1)
        turn.refused.clear()

    async def _send(self, turn: _Turn, form: Form, messages: list[Message]) -> tuple[str, bool] | Fault:
        """One call, counted."""
        clock = asyncio.get_running_loop().time
        started = clock()
        completion: object = None
        outcome: str | Fault = Fault(BrainTimeout("cancelled"))
        try:
            body = {"model": self._model, "messages": messages, **request(form, turn.question, self._host)}
            extra = body.pop("extra_body", {})
            completion = await self._client.post("/chat/completions", body={**body, **extra}, cast_to=ChatCompletion)
            outcome = read(completion, self._host)
        except (openai.OpenAIError, ValueError, RecursionError) as error:
            outcome = fault_of(error, self._host)
        finally:
            self._account(turn, _spent(turn.name, messages, completion, outcome, clock() - started))
        return outcome if isinstance(outcome, Fault) else (outcome, was_cut(completion))

    def _account(self, turn: _Turn, call: Call) -> None:
        self.usage.add(call)
        turn.purse.calls.append(call)
        MODEL_CALLS.took(call.seconds, call.question, "answered" if call.ok else "failed")
        MODEL_TOKENS.count("read", by=call.tokens_in)
        MODEL_TOKENS.count("written", by=call.tokens_out)
        if self._on_call is not None:
            self._on_call(call)

    def _messages(self, turn: _Turn, *, schema: bool) -> list[Message]:
        system = turn.system
        if schema:
            system += "\n\n" + self._shape(turn, problem="", cut=False)[0]
        return [{"role": "system", "content": system}, {"role": "user", "content": turn.user}]

    def _repair(self, turn: _Turn, words: str, problem: str, cut: bool) -> list[Message]:
        """The question again; with what came back and what is wrong with it, where anything came back."""
        messages = self._messages(turn, schema=True)
        if words.strip():
            _, note = self._shape(turn, problem=problem, cut=cut)
            messages += [{"role": "assistant", "content": words}, {"role": "user", "content": note}]
        return messages

    def _shape(self, turn: _Turn, *, problem: str, cut: bool) -> tuple[str, str]:
        return self._renderer.render_prompt(
            "shape", turn.question, schema=plain_schema(turn.answers), problem=visible(problem), cut=cut
        )

    def _malformed(self, turn: _Turn, error: ValueError, cut: bool) -> BrainMalformed:
        why = "it was cut off at a limit of tokens" if cut else str(error)
        return BrainMalformed(f"the model's answer to {turn.name} does not fit: {why}")


class _Turn:
    """One question on its way: its two texts, what it has cost so far, and until when it may take."""

    def __init__(self, question: Question[Any], system: str, user: str, deadline: float) -> None:
        self.question = question
        self.name = question.name
        self.answers = question.answers
        self.system = system
        self.user = user
        self.deadline = deadline
        self.calls = 0
        self.purse = purse()
        self.retried = False
        self.refused: list[tuple[Form, Fault]] = []

    @property
    def is_spent(self) -> bool:
        """No call is left beyond those that were made."""
        return self.purse.left <= 0

    def count(self) -> None:
        """One more call; the first one of a question is free."""
        if self.calls:
            self.purse.left -= 1
        self.calls += 1


def _spent(question: str, messages: list[Message], completion: object, outcome: str | Fault, seconds: float) -> Call:
    """What one call cost. Tokens that the server did not count are estimated where it answered, else none."""
    read_, written = tokens(completion)
    answered = isinstance(outcome, str)
    estimated = answered and not read_ and not written
    if estimated:
        read_, written = sum(weight(m["content"]) for m in messages), weight(str(outcome))
    return Call(question, read_, written, seconds, answered, estimated)


def _checked(turn: _Turn, words: str) -> Answer:
    """The answer in the words of a model; ValueError says what is wrong."""
    try:
        data = cut_json(words)
        if data is None:
            raise ValueError("there is no JSON object in it")
        answer = decode(turn.answers, data, now_of(turn.question).tzinfo)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    answer = without_echoes(answer, turn.system, turn.user)
    if isinstance(answer, Text) and not answer.text.strip():
        raise ValueError("text: it is empty")
    return answer


def _hush_client_logs() -> None:
    """At DEBUG and INFO the client and its HTTP library print addresses and whole prompts."""
    for name in ("openai", "httpx2", "httpcore2", "httpx", "httpcore"):
        logger = logging.getLogger(name)
        if logger.level < logging.WARNING:
            logger.setLevel(logging.WARNING)
