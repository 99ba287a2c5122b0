"""The base of all records that are read: texts by the fallback chain, address, picture.

Rights, redaction and fallback are decided in this package, once. TEC's JSON, JSON-LD, pages,
feeds and the tables of the desk render what it yields; none of them chooses a language.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, ClassVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from markupsafe import Markup, escape

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import has_owner, may_edit, role_allows
from calendar_app.calendar.reading.links import Linked, SeriesFacts
from calendar_app.calendar.reading.provenance import UNKNOWN, Provenance
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.languages import Localized, localize
from calendar_app.domain.ledger import (
    DISCLOSURES,
    HUMAN,
    MARKS,
    MEMORY,
    UNREVIEWED,
    WITHHELD,
    disclosure_of,
    entry_of,
    has_words,
    mark_of,
    origin_in,
    readable,
)
from calendar_app.domain.richtext import decoded
from calendar_app.domain.statuses import FUTURE, PRIVATE, PUBLISH
from calendar_app.domain.texts.directions import turned
from calendar_app.domain.translations import MISSING, compared_fields, source_language
from calendar_app.readmodel.addresses import Addresses
from calendar_app.readmodel.fragments import Fragments
from calendar_app.settings import Settings

# The states in which a record has a page under its slug.
_WITH_PAGE = (PUBLISH, FUTURE, PRIVATE)
_MARKED = Markup("<span{}>{}</span>")
_LANGUAGE = Markup(' lang="{}"')
_DIRECTION = Markup(' dir="{}"')
_DISCLOSURE = Markup(' ai-disclosure="{}"')
_RECALLED = Markup(' data-origin="memory"')
# Of a language in which no machine wrote.
BY_PEOPLE: Mapping[str, Any] = {"origin": HUMAN, "reviewed": True}
# Sizes that clients read without checking that they exist.
_SIZES = ("thumbnail", "medium", "large")


@dataclass(frozen=True, slots=True)
class LocalText:
    """A text and its language; ``is_borrowed`` where it stands in for the requested language.

    ``mark`` is that of the ledger, where no person wrote the text. ``direction`` is that of the
    script, where a borrowed text runs the other way than the requested language.
    """

    text: str
    language: str = ""
    is_borrowed: bool = False
    mark: str = ""
    direction: str = ""

    def __bool__(self) -> bool:
        return bool(self.text)

    def __str__(self) -> str:
        return self.text

    def __html__(self) -> Markup:
        """Return the text escaped, within an element where there is something to say of it."""
        if not (self.is_borrowed or self.mark):
            return escape(self.text)
        attributes = self.attributes
        return _MARKED.format(attributes, self.text) if attributes else escape(self.text)

    @property
    def attributes(self) -> Markup:
        """The attributes of the element around it: its language if borrowed, and its origin."""
        language = _LANGUAGE.format(self.language) if self.is_borrowed else Markup()
        if self.direction:
            language += _DIRECTION.format(self.direction)
        origin = _DISCLOSURE.format(self.disclosure) if self.disclosure else Markup()
        return language + (_RECALLED if self.is_recalled else origin)

    @property
    def is_recalled(self) -> bool:
        """Whether the translation memory filled it in, and nobody has checked it."""
        return self.mark == MEMORY

    @property
    def disclosure(self) -> str:
        """The word for texts of machines; empty where a person wrote it."""
        return DISCLOSURES.get(self.mark, "")

    @property
    def borrowed_from(self) -> str:
        """The language that the text is borrowed from, else empty."""
        return self.language if self.is_borrowed else ""


def shown(record: Record, settings: Settings) -> Record:
    """Return a record with the texts that the site shows to readers."""
    return readable(record, WITHHELD[settings.machine_text]) if MARKS in record else record


def local_text(record: Record, name: str, chain: Sequence[str]) -> LocalText:
    """Return the text of a field in the first language of the chain that has it."""
    variants = record["variants"]
    for language in chain:
        texts = variants.get(language)
        if texts is not None and name in texts:
            mark = mark_of(record, language, name) if MARKS in record else ""
            way = turned(language, chain[0])
            return LocalText(texts[name], language, language != chain[0], mark, way)
    return LocalText("", chain[0])


def disclosure_among(texts: Iterable[LocalText]) -> str:
    """Return the word for the texts that machines wrote; empty where none did."""
    marks = [text.mark for text in texts if text.mark]
    return disclosure_of(marks) if marks else ""


def _decoded(stored: LocalText) -> LocalText:
    """Return a text without the entities with which it is stored."""
    return replace(stored, text=decoded(stored.text)) if "&" in stored.text else stored


@dataclass(frozen=True, slots=True)
class ReadContext:
    """The reader, password and languages of an answer, and the linked records.

    ``chain`` has the requested language first. ``series`` has the facts about the series of
    events, ``linked`` the records that the caller may read, both by id. ``provenance`` tells who
    publishes them. Without ``fragments``
    nothing that is rendered is kept.
    """

    caller: Caller
    chain: tuple[str, ...]
    addresses: Addresses
    settings: Settings
    zone: ZoneInfo
    linked: Linked
    series: Mapping[int, SeriesFacts] = field(default_factory=dict)
    provenance: Provenance = UNKNOWN
    password: str | None = field(default=None, repr=False)
    fragments: Fragments | None = field(default=None, repr=False)

    def version(self, record: Record) -> bytes | None:
        """Return a digest of all that is read of a record; ``None`` where nothing is kept."""
        if self.fragments is None:
            return None
        publishers = self.provenance.of(record)
        return self.fragments.version(record, self.linked, self.series, publishers)

    def list_version(self, records: Sequence[Record], *described: object) -> bytes | None:
        """Return a digest of all that is read of a list; ``None`` where nothing is kept."""
        if self.fragments is None:
            return None
        publishers = [self.provenance.of(each) for each in records]
        return self.fragments.list_version(
            records, self.linked, self.series, publishers, *described
        )


class ReadRecord:
    """A record of any kind; ``segment`` is the first part of its page's path."""

    segment: str
    label: ClassVar[str]
    kind: Kind

    def __init__(self, record: Record, context: ReadContext) -> None:
        self.stored = record
        self.record = shown(record, context.settings)
        self.context = context
        self.id: int = record["_id"]
        self.language = context.chain[0]  # the requested one

    @cached_property
    def version(self) -> bytes | None:
        return self.context.version(self.record)

    @property
    def lineage(self) -> Sequence[str]:
        """The ids by which calendars know it from which it comes."""
        lineage: Sequence[str] = self.record.get("lineage", ())
        return lineage

    def fragment(self, name: str, render: Callable[[], str]) -> str:
        """Return the result of ``render`` for the record, cached under this ``name``."""
        fragments = self.context.fragments
        if fragments is None or self.version is None:
            return render()
        text: str = fragments.of(name, self.version, render)
        return text

    def may_edit(self, kind: Kind) -> bool:
        """Say whether the caller may edit the record."""
        caller = self.context.caller
        if not has_owner(kind.singular):
            return role_allows(caller, "edit", kind.singular)
        return may_edit(caller, self.record)

    def all_texts(self, kind: Kind) -> Record:
        """Return the record with the texts of all languages that the caller may read."""
        return self.stored if self.may_edit(kind) else self.record

    def text_origins(self, kind: Kind) -> dict[str, dict[str, Record]]:
        """Return the entries of the ledger by language and field, as far as texts may be read."""
        stored = self.all_texts(kind)
        names = list(self.open_fields(compared_fields(kind)))
        return {
            language: {
                name: entry_of(stored, language, name)
                for name in names
                if stored["variants"][language].get(name)
            }
            for language in self.context.settings.languages
            if language in stored["variants"]
        }

    @cached_property
    def name(self) -> LocalText:
        """The title or the name, as plain text."""
        return self.text(self.label)

    @cached_property
    def description(self) -> LocalText:
        """The description as HTML."""
        return self.text("description")

    @cached_property
    def own_texts(self) -> Sequence[LocalText]:
        """All texts of the record itself that readers are shown, each with its mark."""
        return [self.text(name) for name in compared_fields(self.kind)]

    @cached_property
    def marked_texts(self) -> Sequence[LocalText]:
        """Those of its own texts that machines wrote."""
        return [text for text in self.own_texts if text.mark] if MARKS in self.record else []

    @property
    def marked_page_texts(self) -> Sequence[LocalText]:
        """Those of its own texts that machines wrote, and the description of its picture if so."""
        described = [self.picture.alt] if self.picture and self.picture.alt.mark else []
        return [*self.marked_texts, *described]

    @cached_property
    def disclosure(self) -> str:
        """The word for texts of machines, if there is one among its own texts."""
        return disclosure_among(self.marked_texts)

    @cached_property
    def page_disclosure(self) -> str:
        """The word for texts of machines, if there is one on its page."""
        return disclosure_among(self.marked_page_texts)

    @property
    def is_recalled(self) -> bool:
        """Whether the translation memory filled in a text of its own that nobody has checked."""
        return any(text.is_recalled for text in self.marked_texts)

    @cached_property
    def original_language(self) -> str:
        """The language from which its marked texts are translated; empty without one."""
        language = next((text.language for text in self.marked_texts), "")
        return source_language(self.record, language) or "" if language else ""

    @property
    def original(self) -> str:
        """The address of the page in that language; empty without one."""
        language, settings = self.original_language, self.context.settings
        return self._page_in(language, settings.chain(language)) if language else ""

    def _page_in(self, language: str, chain: Iterable[str]) -> str:
        """Return the address of the page in a language, by the slug of those readers."""
        variants = self.record["variants"]
        slugs = (variants[tag]["slug"] for tag in chain if "slug" in variants.get(tag, ()))
        return self.page(next(slugs, ""), language)

    @cached_property
    def slug(self) -> str:
        return self.text("slug").text

    @cached_property
    def url(self) -> str:
        """The address of the page in the requested language."""
        return self.page(self.slug, self.language)

    @cached_property
    def path(self) -> str:
        """The address of the page, relative to the host."""
        return self.context.addresses.path(self.url)

    def page(self, slug: str, language: str) -> str:
        """Return the address of the page in a language, by the slug there."""
        addresses, status = self.context.addresses, self.record.get("status")
        if status is None or (status in _WITH_PAGE and slug):
            return addresses.page(self.segment, slug, language)
        return addresses.unpublished_page(self.segment, self.id, language)

    def standing(self, language: str) -> str:
        """Return whether a translation is current, outdated or missing."""
        state: str = self.record["standing"].get(language, MISSING)
        if self.record is self.stored or self.label in self.record["variants"].get(language, ()):
            return state
        return MISSING  # Its name is not shown.

    def _written_by(self, language: str) -> Mapping[str, Any]:
        """Return who wrote the texts of a language, and whether none waits for a check.

        Where there are none for this reader, nobody did.
        """
        texts = self.record["variants"].get(language, {})
        open_texts = {name: texts[name] for name in self.open_fields(texts)}
        if self.label not in texts and not has_words(open_texts):
            return {}
        if MARKS not in self.stored:
            return BY_PEOPLE
        waits = language in self.stored.get(UNREVIEWED, ())
        return {"origin": origin_in(self.stored, language), "reviewed": not waits}

    def translations(self, collection: str) -> dict[str, dict[str, Any]]:
        """Return state, page and address of the record in each language of the site."""
        addresses = self.context.addresses
        return {
            language: {
                "status": self.standing(language),
                **self._written_by(language),
                "url": self._page_in(language, chain),
                "rest_url": addresses.translated_record(collection, self.id, language),
            }
            for language, chain in self.context.settings.chains().items()
        }

    def localized(self, fields: Iterable[str]) -> Localized:
        """Return the texts of several fields, each in the first language that has it."""
        return localize(self.record["variants"], self.open_fields(fields), self.context.chain)

    def text(self, name: str) -> LocalText:
        """Return the text of a field in the first language of the chain that has it."""
        chain = self.context.chain
        return (
            local_text(self.record, name, chain) if self.is_open(name) else LocalText("", chain[0])
        )

    def line(self, name: str) -> LocalText:
        """Return a field of one line, which is stored with the entities that were sent."""
        return _decoded(self.text(name))

    def shared_line(self, name: str) -> str:
        """Return a field of one line that all languages share."""
        return decoded(self.record[name])

    def is_open(self, _name: str) -> bool:
        """Say whether the caller may read a text."""
        return True

    def open_fields(self, fields: Iterable[str]) -> Iterable[str]:
        """Return those of the fields that the caller may read."""
        return fields

    @cached_property
    def picture(self) -> "ReadPicture | None":
        """The picture; ``None`` without one, or where it is missing."""
        return picture_of(self.record, self.context)


@dataclass(frozen=True, slots=True)
class PictureSize:
    """A file of a picture; measures of pictures elsewhere may be unknown."""

    url: str
    width: int | None
    height: int | None
    mime: str = ""
    filesize: int | None = None  # bytes


@dataclass(frozen=True, slots=True)
class ReadPicture:
    """A picture of a record: its ``full`` size, and smaller ``sizes`` by name.

    ``id`` is 0 for one at another site. ``focus`` is what all crops keep, as ``object-position`` of
    CSS writes it: "30% 20%", from the left and from the top; empty: the middle.
    """

    id: int
    full: PictureSize
    extension: str
    sizes: Mapping[str, PictureSize]
    alt_text: LocalText = LocalText("")  # as it was sent, with entities
    credit: str = ""
    license: str = ""
    focus: str = ""

    @property
    def alt(self) -> LocalText:
        """The alternative text as plain text."""
        return _decoded(self.alt_text)


def picture_of(record: Record, context: ReadContext) -> ReadPicture | None:
    """Return the picture of a record.

    ``image_file`` holds the measures of an imported picture, valid for its URL only.
    """
    image, file = record.get("image"), record.get("image_file", {})
    if isinstance(image, str) and image:
        return external_picture(image, file if file.get("url") == image else {})
    media = context.linked.get("media", {}).get(image) if isinstance(image, int) else None
    return stored_picture(media, context) if media else None


def external_picture(url: str, file: Record) -> ReadPicture:
    """Return a picture at another site, with its measures if they are known."""
    full = PictureSize(url, file.get("width"), file.get("height"))
    sizes = dict.fromkeys(_SIZES, full)
    for name, size in file.get("sizes", {}).items():
        sizes[name] = PictureSize(size["url"], size.get("width"), size.get("height"))
    suffix = PurePosixPath(urlsplit(url).path).suffix
    return ReadPicture(0, full, suffix.removeprefix(".").lower(), sizes)


def stored_picture(media: Record, context: ReadContext) -> ReadPicture:
    """Return a picture that is stored here."""
    folder = context.addresses.picture_folder(media)
    sizes = {name: _stored_size(size, folder) for name, size in media["sizes"].items()}
    alt_text = local_text(shown(media, context.settings), "alt_text", context.chain)
    full = _stored_size(media, folder)
    rights = (decoded(media.get(name, "")) for name in ("credit", "license", "focus"))
    return ReadPicture(media["_id"], full, media["extension"], sizes, alt_text, *rights)


def _stored_size(size: Record, folder: str) -> PictureSize:
    url = f"{folder}/{size['filename']}"
    return PictureSize(url, size["width"], size["height"], size["mime"], size["filesize"])
