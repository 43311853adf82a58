"""Events as Feishu posts them: encrypted and signed."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from Crypto.Cipher import AES

from bot.channels.feishu.webhook import Secrets, signature
from tests.wire.feishu_api.events import TOKEN

NOW = 1_773_626_400.0
KEY = "encrypt-key"
BOTH = Secrets(KEY, TOKEN)


def encrypted(said: Any, key: str = KEY) -> bytes:
    plain = json.dumps(said).encode()
    pad = 16 - len(plain) % 16
    cipher = AES.new(hashlib.sha256(key.encode()).digest(), AES.MODE_CBC, b"i" * 16)
    text = base64.b64encode(b"i" * 16 + cipher.encrypt(plain + bytes([pad]) * pad)).decode()
    return json.dumps({"encrypt": text}).encode()


def signed(body: bytes, *, at: float = NOW, key: str = KEY, names: Any = str) -> dict[str, str]:
    headers = {
        "X-Lark-Request-Timestamp": str(int(at)),
        "X-Lark-Request-Nonce": "n1",
        "X-Lark-Signature": signature(str(int(at)), "n1", key, body),
    }
    return {names(name): value for name, value in headers.items()}
