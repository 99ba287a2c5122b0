"""Compare the output that a page shows with the real one; ``…`` stands for any text."""

import json
import re
from typing import Any

_LEFT_OUT = "…"


def difference(language: str, expected: str, output: str) -> str:
    """Return the first difference, empty if there is none."""
    return (
        _json_difference(expected, output)
        if language == "json"
        else _text_difference(expected, output)
    )


def _json_difference(expected: str, output: str) -> str:
    answers = documents(output)
    if not answers:
        return f"the answer is no JSON: {output.strip()[:200]}"
    return _value_difference(json.loads(expected), answers[-1], "the answer")


def documents(text: str) -> list[Any]:
    """Return the JSON documents in ``text``, none if it has other text."""
    decoder, parsed, position = json.JSONDecoder(), [], 0
    while rest := text[position:].lstrip():
        position = len(text) - len(rest)
        try:
            document, position = decoder.raw_decode(text, position)
        except ValueError:
            return []
        parsed.append(document)
    return parsed


def _value_difference(expected: Any, actual: Any, place: str) -> str:
    if isinstance(expected, str) and isinstance(actual, str | int | float):
        alike = re.fullmatch(_pattern(expected), str(actual), re.DOTALL) is not None
        alike = alike and (_LEFT_OUT in expected or isinstance(actual, str))
    elif isinstance(expected, dict) and isinstance(actual, dict):
        return _member_difference(expected, actual, place)
    elif isinstance(expected, list) and isinstance(actual, list):
        return _item_difference(expected, actual, place)
    else:
        alike = expected == _LEFT_OUT or (type(expected) is type(actual) and expected == actual)
    return "" if alike else f"{place} is {_short(actual)}, not {_short(expected)}"


def _member_difference(expected: dict[str, Any], actual: dict[str, Any], place: str) -> str:
    for name, value in expected.items():
        if name not in actual:
            return f"{place} has no {name}: {_short(actual)}"
        if fault := _value_difference(value, actual[name], name):
            return fault
    return ""


def _item_difference(expected: list[Any], actual: list[Any], place: str) -> str:
    if len(expected) > len(actual) or (actual and not expected):
        return f"{place} has {len(actual)} items, not {len(expected)}"
    pairs = zip(expected, actual, strict=False)
    return next(
        filter(
            None,
            (
                _value_difference(expected_item, actual_item, place)
                for expected_item, actual_item in pairs
            ),
        ),
        "",
    )


def _text_difference(expected: str, output: str) -> str:
    lines = iter(output.splitlines())
    for expected_line in filter(None, map(str.strip, expected.splitlines())):
        pattern = r"\s+".join(map(_pattern, expected_line.split()))
        if not any(re.fullmatch(pattern, line.strip()) for line in lines):
            return f"the line is missing: {expected_line}"
    return ""


def _pattern(text: str) -> str:
    return ".*".join(map(re.escape, text.split(_LEFT_OUT)))


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]} …"  # noqa: PLR2004 - a line or two
