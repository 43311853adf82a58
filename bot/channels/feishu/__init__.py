"""Feishu and Lark, on lark-oapi. Only `library` imports it, which takes seconds."""
