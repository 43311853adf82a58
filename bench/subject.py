"""One bot under measurement, in a process of its own: `python -m bench.subject ours|bare --base-url URL …`.

Both run until SIGTERM. The first `getUpdates` that the server sees of them means that they are ready.
"""

from __future__ import annotations

import argparse
import asyncio
import signal


def ours(options: argparse.Namespace) -> None:
    """The product as `serve` puts it together, but for Telegram's rates, which a loopback server does not have."""
    from bot.app import build_app
    from bot.channels.rate import Rate, Rates
    from bot.channels.telegram import TelegramChannel
    from bot.logs import set_up_logs
    from bot.parts import close_brain, configured_brain
    from bot.settings import build_settings
    from bot.system import SystemClock, SystemIds

    unlimited = Rates(chat=Rate(10_000, 1.0), group=None, overall=Rate(10_000, 1.0))
    members = [
        {"id": f"p_{n}", "name": f"成员{n}", "telegram": n, "role": "member"} for n in range(2, options.chats + 1)
    ]
    data: dict[str, object] = {"owner": {"id": "p_1", "name": "老板", "telegram": 1}, "people": members}
    if options.model:
        data["model"] = {"base_url": options.model, "api_key": "bench", "name": "bench"}
    settings = build_settings(data, "the bench")
    set_up_logs(settings.log_level, settings.log_format, settings.secrets())

    async def run() -> None:
        clock = SystemClock()
        channel = TelegramChannel(options.token, clock, base_url=options.base_url, rates=unlimited)
        brain = configured_brain(settings)
        app = await build_app(
            settings,
            clock=clock,
            ids=SystemIds(),
            brain=brain,
            channels={channel.name: channel},
            database_url=f"sqlite:///{options.database}",
        )
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, app.stop)
        try:
            await app.run()
        finally:
            await app.close()
            await channel.close()
            await close_brain(brain)

    asyncio.run(run())


def bare(options: argparse.Namespace) -> None:
    """python-telegram-bot as its own examples use it: an application, polling, one handler; no store, no order."""
    from typing import Any

    from telegram import Update
    from telegram.ext import ApplicationBuilder, MessageHandler, filters

    client: Any = None
    if options.model:
        import openai

        client = openai.AsyncOpenAI(api_key="bench", base_url=options.model, max_retries=0)

    async def echo(update: Update, _: Any) -> None:
        message = update.effective_message
        assert message is not None
        text = message.text or ""
        if client is not None:
            completion = await client.chat.completions.create(
                model="bench", messages=[{"role": "user", "content": text}], response_format={"type": "text"}
            )
            text = completion.choices[0].message.content
        await message.reply_text(text)

    builder = ApplicationBuilder().token(options.token).base_url(options.base_url).job_queue(None)
    application = builder.concurrent_updates(options.at_once).build()
    application.add_handler(MessageHandler(filters.TEXT, echo))
    application.run_polling(bootstrap_retries=5)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.subject", description="One bot under measurement.")
    parser.add_argument("which", choices=("ours", "bare"))
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--token", required=True)
    parser.add_argument("--database", default=":memory:")
    parser.add_argument("--chats", type=int, default=1, help="people who may write to ours")
    parser.add_argument("--model", help="base URL of a model server")
    parser.add_argument("--at-once", type=int, default=16, help="updates that the bare bot handles side by side")
    chosen = parser.parse_args()
    {"ours": ours, "bare": bare}[chosen.which](chosen)
