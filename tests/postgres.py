"""A PostgreSQL schema of its own for a test: made when it is entered, dropped when it is left."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


def url_of(server_url: str, schema: str, *, hasty: bool = False) -> str:
    """The URL of a schema. `hasty`: nothing here outlives a power cut, so nobody waits for the disk."""
    options = f"-csearch_path%3D{schema}" + ("%20-csynchronous_commit%3Doff" if hasty else "")
    return f"{server_url}{'&' if '?' in server_url else '?'}options={options}"


@contextmanager
def own_schema(server_url: str, name: str, *, hasty: bool = False) -> Iterator[str]:
    """The URL of an empty schema of this process alone."""
    import psycopg

    schema = f"{name}_{os.getpid()}"
    with psycopg.connect(server_url, autocommit=True) as server:
        server.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")  # type: ignore[arg-type]
        server.execute(f"CREATE SCHEMA {schema}")  # type: ignore[arg-type]
        try:
            yield url_of(server_url, schema, hasty=hasty)
        finally:
            server.execute(f"DROP SCHEMA {schema} CASCADE")  # type: ignore[arg-type]
