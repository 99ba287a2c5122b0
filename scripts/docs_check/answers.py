"""Compares what a page shows with what was answered. ``…`` stands for what was left out."""

import json
import re
from typing import Any

_LEFT_OUT = "…"


def difference(language: str, shown: str, real: str) -> str:
    """Say where the answer lacks what is shown; nothing where it has it all."""
    return _json_difference(shown, real) if language == "json" else _text_difference(shown, real)


def _json_difference(shown: str, real: str) -> str:
    answers = documents(real)
    if not answers:
        return f"the answer is no JSON: {real.strip()[:200]}"
    return _lacking(json.loads(shown), answers[-1], "the answer")


def documents(text: str) -> list[Any]:
    """Return the JSON documents that ``text`` is made of; none where it is anything else."""
    decoder, found, position = json.JSONDecoder(), [], 0
    while rest := text[position:].lstrip():
        position = len(text) - len(rest)
        try:
            document, position = decoder.raw_decode(text, position)
        except ValueError:
            return []
        found.append(document)
    return found


def _lacking(shown: Any, real: Any, place: str) -> str:
    if isinstance(shown, str) and isinstance(real, str | int | float):
        alike = re.fullmatch(_pattern(shown), str(real), re.DOTALL) is not None
        alike = alike and (_LEFT_OUT in shown or isinstance(real, str))
    elif isinstance(shown, dict) and isinstance(real, dict):
        return _lacking_member(shown, real, place)
    elif isinstance(shown, list) and isinstance(real, list):
        return _lacking_item(shown, real, place)
    else:
        alike = shown == _LEFT_OUT or (type(shown) is type(real) and shown == real)
    return "" if alike else f"{place} is {_short(real)}, not {_short(shown)}"


def _lacking_member(shown: dict[str, Any], real: dict[str, Any], place: str) -> str:
    for name, value in shown.items():
        if name not in real:
            return f"{place} has no {name}: {_short(real)}"
        if lacking := _lacking(value, real[name], name):
            return lacking
    return ""


def _lacking_item(shown: list[Any], real: list[Any], place: str) -> str:
    if len(shown) > len(real) or (real and not shown):
        return f"{place} has {len(real)} items, not {len(shown)}"
    pairs = zip(shown, real, strict=False)
    return next(filter(None, (_lacking(one, other, place) for one, other in pairs)), "")


def _text_difference(shown: str, real: str) -> str:
    lines = iter(real.splitlines())
    for wanted in filter(None, map(str.strip, shown.splitlines())):
        pattern = r"\s+".join(map(_pattern, wanted.split()))
        if not any(re.fullmatch(pattern, line.strip()) for line in lines):
            return f"the line is missing: {wanted}"
    return ""


def _pattern(text: str) -> str:
    return ".*".join(map(re.escape, text.split(_LEFT_OUT)))


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]} …"  # noqa: PLR2004 - a line or two
