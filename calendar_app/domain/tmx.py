"""The memory as a file of TMX 1.4b, which other programs for translators read and write.

Each unit of the memory is a ``tu`` with a ``tuv`` for each language. Markup stands in it as text,
as ``datatype="html"`` says. https://www.gala-global.org/tmx-14b
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import IO, Any
from xml.etree.ElementTree import Element, tostring

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
<header creationtool="calendar-app" creationtoolversion="1" segtype="block" o-tmf="calendar-app" \
adminlang="en" srclang="*all*" datatype="html"/>
<body>
"""
_FOOT = "</body>\n</tmx>\n"
# Nothing is loaded from elsewhere, and no entity is expanded.
_SAFELY: Mapping[str, bool] = MappingProxyType(
    {
        "resolve_entities": False,
        "load_dtd": False,
        "no_network": True,
        "remove_comments": True,
        "remove_pis": True,
    }
)
# Our own properties of a unit.
_DIGITS = 3  # of a place
_FIELD, _PLACE, _KIND = "x-field", "x-place", "x-kind"


class NoTmx(ValueError):
    """A file is not TMX, or breaks off."""


@dataclass(frozen=True, slots=True)
class TmxUnit:
    """A text, or the sentence at a ``place``, in several languages."""

    texts: dict[str, str]
    kind: str = ""
    field: str = ""
    place: int = 0
    name: str = ""


def tmx_parts(units: Iterable[TmxUnit]) -> Iterator[bytes]:
    """Yield the parts of a TMX file, in UTF-8."""
    yield _HEAD.encode()
    for unit in units:
        yield tostring(_element(unit), encoding="utf-8") + b"\n"
    yield _FOOT.encode()


def _element(unit: TmxUnit) -> Element:
    kind = "sentence" if unit.place else "block"
    element = Element(
        "tu", {"tuid": unit.name, "segtype": kind} if unit.name else {"segtype": kind}
    )
    for name, value in ((_KIND, unit.kind), (_FIELD, unit.field), (_PLACE, str(unit.place))):
        prop = Element("prop", {"type": name})
        prop.text = value
        element.append(prop)
    for tag, text in unit.texts.items():
        variant, segment = Element("tuv", {_LANGUAGE: tag}), Element("seg")
        segment.text = text
        variant.append(segment)
        element.append(variant)
    return element


def read(file: IO[bytes]) -> Iterator[TmxUnit]:
    """Yield the units of a file, of this program or another; raise ``NoTmx`` where it is none."""
    from lxml import etree  # noqa: PLC0415  # workers that answer requests need no parser

    is_tmx = False
    try:
        for event, element in etree.iterparse(file, ("start", "end"), **_SAFELY):
            if not is_tmx:
                is_tmx = element.tag == "tmx" and not _declares_entities(element)
            if not is_tmx:
                raise NoTmx
            if event == "end" and element.tag == "tu":
                yield _unit(element)
                element.clear()
    except etree.XMLSyntaxError as error:
        raise NoTmx(str(error)) from error


def _declares_entities(root: Any) -> bool:
    """Return whether the DOCTYPE brings entities, which could grow without end."""
    declarations = root.getroottree().docinfo.internalDTD
    return declarations is not None and any(declarations.iterentities())


def _unit(element: Any) -> TmxUnit:
    properties = {prop.get("type", ""): prop.text or "" for prop in element.iter("prop")}
    place = properties.get(_PLACE, "")
    texts = {}
    for variant in element.iter("tuv"):
        segment = variant.find("seg")
        tag = variant.get(_LANGUAGE) or variant.get("lang") or ""
        if segment is not None and tag:
            texts[tag] = "".join(segment.itertext())
    return TmxUnit(
        texts,
        properties.get(_KIND, ""),
        properties.get(_FIELD, ""),
        int(place) if place.isdecimal() and len(place) <= _DIGITS else 0,
        element.get("tuid", ""),
    )
