"""Turns what a schema complains about into one sentence that names the culprit and the cure."""

from __future__ import annotations

import difflib
import re
import types
from collections.abc import Iterable, Mapping
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, SecretStr, ValidationError

Path = tuple[str | int, ...]

_WANTED = {
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "float_type": "a number",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "string_type": "text in quotes",
    "list_type": "a list in square brackets",
    "tuple_type": "a list in square brackets",
    "dict_type": "a table of keys and values",
    "model_type": "a table of keys and values",
    "model_attributes_type": "a table of keys and values",
}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like `word`, or None when none is."""
    found = difflib.get_close_matches(word.lower(), [k for k in known if k], n=1, cutoff=0.5)
    return found[0] if found else None


def hint(word: str, known: Iterable[str]) -> str:
    """`did you mean 'x'?`, or the known words themselves where none is near."""
    words = list(known)
    near = nearest(word, words)
    return f"did you mean {near!r}?" if near else f"known are {', '.join(words)}."


def dotted(path: Path) -> str:
    """`('people', 0, 'id')` as `people[0].id`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def explain(error: ValidationError, model: type[BaseModel], where: str, given: Mapping[Path, str] | None = None) -> str:
    """The first complaint of `error` as one sentence.

    `where` names the file; `given` says for values that came from elsewhere (an environment variable) what to name.
    """
    first = _deepest(error)
    path: Path = tuple(p for p in first["loc"] if not _is_tag(p))
    origin = next((given[path[:n]] for n in range(len(path), 0, -1) if given and path[:n] in given), None)
    if first["type"] == "extra_forbidden":
        known = fields_at(model, path[:-1])
        name = dotted(path)
        return f"{origin or where}: unknown key {name!r}; {hint(str(path[-1]), known)}"
    if first["type"] == "missing":
        return f"{where}: {dotted(path)} is missing; add it."
    value = "" if is_secret(model, path) else f" = {_shown(first['input'])}"
    culprit = f"{dotted(path)}{value}" if path else value.removeprefix(" = ")
    return f"{origin or where}: {culprit} will not do; {_cure(first)}"


def _deepest(error: ValidationError) -> Any:
    """Of a union's complaints the one that came furthest, else the first."""
    complaints = error.errors(include_url=False)
    unknown = [c for c in complaints if c["type"] == "extra_forbidden"]
    return unknown[0] if unknown else complaints[0]


def _is_tag(part: str | int) -> bool:
    """Parts that pydantic adds to a path for the branches of a union: `tuple[str, ...]`, `literal['a']`, `str`."""
    return isinstance(part, str) and ("[" in part or part in ("str", "int"))


def _shown(value: Any) -> str:
    text = re.sub(r"://([^/@:]*):[^/@]*@", r"://\1:***@", repr(value))
    return text if len(text) <= 60 else text[:57] + "..."


def _cure(complaint: Any) -> str:
    kind, context = complaint["type"], complaint.get("ctx", {})
    if kind == "literal_error":
        return f"it must be one of {context['expected'].replace(' or ', ', ')}."
    if kind in _WANTED:
        return f"it must be {_WANTED[kind]}."
    if kind == "value_error":
        text = str(context["error"])
        return text if text.endswith((".", "?")) else text + "."
    text = str(complaint["msg"])
    return text[0].lower() + text[1:] + "."


def _models(annotation: Any) -> list[type[BaseModel]]:
    """The models that an annotation may hold."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if get_origin(annotation) in (Union, types.UnionType, tuple, list, dict) or get_args(annotation):
        return [m for part in get_args(annotation) for m in _models(part)]
    return []


def fields_at(model: type[BaseModel], path: Path) -> list[str]:
    """The keys that the table at `path` knows."""
    models = [model]
    for part in path:
        if isinstance(part, int):
            continue
        models = [m for table in models if (f := _field(table, part)) for m in _models(f.annotation)]
    return sorted({f.alias or name for table in models for name, f in table.model_fields.items()})


def leaves(model: type[BaseModel], path: Path = ()) -> list[Path]:
    """The paths of all keys that hold no table."""
    found: list[Path] = []
    for key in fields_at(model, path):
        below = leaves(model, (*path, key))
        found += below or [(*path, key)]
    return found


def is_secret(model: type[BaseModel], path: Path) -> bool:
    """Whether the value at `path` is a secret."""
    models = [model]
    annotation: Any = None
    for part in path:
        found = [f for table in models if (f := _field(table, part))]
        annotation = found[0].annotation if found else None
        models = _models(annotation)
    return annotation is SecretStr or SecretStr in get_args(annotation)


def _field(table: type[BaseModel], key: str | int) -> Any:
    return next((f for name, f in table.model_fields.items() if (f.alias or name) == key), None)
