"""The shape of an answer: as a JSON schema for the server, and from what a model wrote back to an answer.

Servers that check a schema strictly know no open maps. For them a map becomes a list of `{"key": …, "value": …}`;
`decode` takes either form, so one reader serves every server.
"""

from __future__ import annotations

import json
import re
from datetime import date, datetime, time, tzinfo
from functools import cache
from typing import Any

from pydantic import ValidationError

from core.brain.answers import IN_MARKDOWN
from core.brain.questions import Answer

Schema = dict[str, Any]

ANY_VALUE: Schema = {
    "anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "null"},
    ]
}
"""What a strict server may write where a value is free."""

END_OF_DAY = time(18)
"""A day without an hour ends here (RULES 4)."""

MOST_BRACES = 50
"""Places in a text where an object may begin; a text with more of them is no answer."""

_NOISE = frozenset(
    {"$defs", "title", "description", "default", "format", "minLength", "maxLength", "minItems", "maxItems"}
)
_NAIVE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_UNSENDABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCED = re.compile(r"```(?:json|JSON)?\s*\n(.*?)```", re.DOTALL)


@cache
def plain_schema(answers: type[Answer]) -> Schema:
    """The answer's JSON schema without references, titles and prose: short enough for a prompt."""
    full = _full(answers)
    return _plain(full, full.get("$defs", {}))


@cache
def strict_schema(answers: type[Answer]) -> Schema:
    """The same, as strict servers want it: every field required, none added, maps as lists of key and value."""
    return _strict(plain_schema(answers))


@cache
def _full(answers: type[Answer]) -> Schema:
    return answers.model_json_schema()


def _plain(node: Schema, defs: dict[str, Schema]) -> Schema:
    if "$ref" in node:
        return _plain(defs[node["$ref"].rpartition("/")[2]], defs)
    kept = {key: value for key, value in node.items() if key not in _NOISE}
    if "properties" in kept:
        kept["properties"] = {name: _plain(field, defs) for name, field in kept["properties"].items()}
    if isinstance(kept.get("additionalProperties"), dict):
        kept["additionalProperties"] = _plain(kept["additionalProperties"], defs)
    if "items" in kept:
        kept["items"] = _plain(kept["items"], defs)
    if "anyOf" in kept:
        kept["anyOf"] = [_plain(choice, defs) for choice in kept["anyOf"]]
    return kept


def _strict(node: Schema) -> Schema:
    if node.get("type") == "object":
        if "properties" in node:
            fields = {name: _strict(field) for name, field in node["properties"].items()}
            return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
        free = node.get("additionalProperties")
        pair = {"key": {"type": "string"}, "value": _strict(free) if isinstance(free, dict) and free else ANY_VALUE}
        entry = {"type": "object", "properties": pair, "required": ["key", "value"], "additionalProperties": False}
        return {"type": "array", "items": entry}
    changed = dict(node)
    if "items" in node:
        changed["items"] = _strict(node["items"])
    if "anyOf" in node:
        changed["anyOf"] = [_strict(choice) for choice in node["anyOf"]]
    return changed


def cut_json(text: str) -> dict[str, Any] | None:
    """The JSON object in what a model wrote: bare, fenced, or with prose around it; None when there is none.

    Thoughts in `<think>` are passed over. Of several objects the largest is meant.
    """
    text = _THOUGHT.sub("", text).strip()
    for candidate in (text, *(match.strip() for match in _FENCED.findall(text))):
        try:
            whole = json.loads(candidate)
        except ValueError:
            continue
        if isinstance(whole, dict):
            return whole
    return max(_objects(text), key=lambda found: len(json.dumps(found)), default=None)


def _objects(text: str) -> list[dict[str, Any]]:
    decoder, found, at = json.JSONDecoder(), [], text.find("{")
    for _ in range(MOST_BRACES):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found


def decode(answers: type[Answer], data: dict[str, Any], zone: tzinfo | None) -> Answer:
    """An answer from parsed JSON; moments without offset are read in `zone`, days without hour end at 18:00, and
    Markdown in words that people will read becomes plain text.

    Raises ValueError, in words that the model (or the writer of a script) can act on, when the fields don't fit.
    """
    known = answers.model_fields.keys()
    if not known & data.keys() and len(data) == 1:
        # Some models wrap the answer in its own name.
        (inner,) = data.values()
        data = inner if isinstance(inner, dict) else data
    if not known & data.keys():
        raise ValueError(f"none of the fields {', '.join(known)} is there")
    shaped = _shaped(data, _full(answers), _full(answers).get("$defs", {}), zone)
    try:
        return answers.model_validate(shaped, context=IN_MARKDOWN)
    except ValidationError as error:
        raise ValueError(problems(error)) from None


def problems(error: ValidationError) -> str:
    """`field: what is wrong; …`, without the values."""
    return "; ".join(
        f"{'.'.join(str(part) for part in item['loc']) or 'answer'}: {item['msg']}" for item in error.errors()[:5]
    )


def _shaped(value: Any, schema: Schema, defs: dict[str, Schema], zone: tzinfo | None) -> Any:
    """`value` with lists of key and value turned into maps, moments given their offset, and texts fit to be sent."""
    schema = _chosen(schema, defs)
    if isinstance(value, str | date):
        text = value.isoformat() if isinstance(value, date) else _UNSENDABLE.sub("", value)
        return _moment(text, zone, day_too=schema.get("format") == "date-time")
    if schema.get("type") == "object" and "properties" not in schema:
        value = _as_map(value)
    if isinstance(value, dict):
        fields, rest = schema.get("properties", {}), schema.get("additionalProperties")
        rest = rest if isinstance(rest, dict) else {}
        return {key: _shaped(item, fields.get(key, rest), defs, zone) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shaped(item, schema.get("items", {}), defs, zone) for item in value]
    return value


def _chosen(schema: Schema, defs: dict[str, Schema]) -> Schema:
    """Follow a reference, and of "this or null" take this."""
    if "anyOf" in schema:
        schema = next((choice for choice in schema["anyOf"] if choice.get("type") != "null"), schema)
    if "$ref" in schema:
        return defs[schema["$ref"].rpartition("/")[2]]
    return schema


def _as_map(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, dict) and {"key", "value"} <= item.keys() for item in value):
        return {item["key"]: item["value"] for item in value}
    return value


def _moment(text: str, zone: tzinfo | None, *, day_too: bool) -> str:
    """A date-time with its offset, in ISO 8601; any other text as it is."""
    if _NAIVE.fullmatch(text.strip()):
        return _at(text.strip(), zone)
    if day_too and _DAY.fullmatch(text.strip()):
        return _at(f"{text.strip()}T{END_OF_DAY.isoformat()}", zone)
    return text


def _at(text: str, zone: tzinfo | None) -> str:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=zone).isoformat()
    except ValueError:
        return text
