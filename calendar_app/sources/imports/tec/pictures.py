"""Brings the pictures that the records of a site show, each file once.

Each is a record of its own, as at the site, with its note as ``kept_pictures`` describes it. A text
that people change here stays while the site's does.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from calendar_app.calendar.editor import Editor
from calendar_app.calendar.pictures.uploads import Pictures, Upload
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT, MEDIA, ORGANIZER, VENUE
from calendar_app.domain.provenance import ANY_SOURCE, NOTES, names_of
from calendar_app.errors import InvalidParameters
from calendar_app.sources.imports.downloading import Downloader, DownloadError
from calendar_app.sources.imports.tec import values
from calendar_app.sources.imports.tec.batches import OPERATOR, ReportResults
from calendar_app.sources.imports.tec.counterparts import Counterparts
from calendar_app.sources.imports.tec.imported_records import ImportedRecord
from calendar_app.sources.imports.tec.pages import Progress, RecordedPages, owners
from calendar_app.sources.imports.tec.records import source_of
from calendar_app.sources.imports.tec.values import Raw
from calendar_app.sources.kept_pictures import content_digest
from calendar_app.sources.results import Outcome, Result, reason_of

# The id of every picture that a dry run would bring.
_DRY_RUN_ID = -1

# Returns whether to bring the picture of a record; ``None`` skips its text too.
Brings = Callable[[Kind, str, Raw], bool | None]


@dataclass(frozen=True, slots=True)
class SourcePicture:
    """A picture of the site; unless ``new`` it only updates the text of an imported one."""

    address: str
    id: int
    alt_text: str
    new: bool


class PictureImporter:
    """Brings pictures with their texts in one language; without a ``downloader`` none."""

    def __init__(
        self,
        here: Counterparts,
        editor: Editor,
        pictures: Pictures,
        downloader: Downloader | None,
        language: str,
    ) -> None:
        self._here = here
        self._editor = editor
        self._pictures = pictures
        self._downloader = downloader
        self._language = language

    def addresses(self) -> dict[int, str]:
        """Return the first address at the site of each imported picture, by id."""
        return {number: own[0] for number, own in self._addresses().items()}

    def _addresses(self) -> dict[int, list[str]]:
        records = self._here.imported.notes(MEDIA)
        addresses = {record["_id"]: names_of(record) for record in records}
        return {number: own for number, own in addresses.items() if own}

    def run(
        self, pictures: Iterable[SourcePicture], report: ReportResults, progress: Progress
    ) -> dict[str, int]:
        """Bring the pictures; return the ids of all imported ones by address."""
        ids = {each: number for number, own in self._addresses().items() for each in own}
        if self._downloader is None:
            return ids
        # Of several records with one picture, those that bring it count.
        by_address = {each.address: each for each in sorted(pictures, key=lambda each: each.new)}
        relevant = [each for each in by_address.values() if each.new or each.address in ids]
        for picture in relevant:
            label = f"picture {picture.address}"
            result = Result(Outcome.UNCHANGED, label, picture.address, kind=MEDIA.name)
            try:
                existing = self._here.imported.find(MEDIA, [picture.address])
                if existing:
                    result.outcome = self._update(existing[picture.address], picture)
                else:
                    ids[picture.address] = self._bring(picture, self._downloader)
                    result.outcome = Outcome.NEW
            except (DownloadError, InvalidParameters) as error:
                result.outcome, result.reason = Outcome.REFUSED, reason_of(error)
            report([result])
            progress(MEDIA.name, 1, len(relevant))
        return ids

    def _bring(self, picture: SourcePicture, downloader: Downloader) -> int:
        """Store a new picture and return its id, the site's own if that is free."""
        if self._here.dry_run:
            return _DRY_RUN_ID
        data, name = downloader.fetch(picture.address)
        texts = {self._language: picture.alt_text} if picture.alt_text else {}
        note = {
            "source": ANY_SOURCE,
            "uid": picture.address,
            "alt_text": texts,
            "content": content_digest(data),
        }
        changes = {
            "variants": {language: {"alt_text": text} for language, text in texts.items()},
            NOTES: [note],
        }
        record = ImportedRecord(source=picture.address, id=picture.id, changes={})
        record_id = self._here.ids_for(MEDIA, [record])[picture.address]
        upload = Upload(data, name, changes, record_id)
        return int(self._pictures.upload(upload, OPERATOR, self._language)["_id"])

    def _update(self, record: Record, picture: SourcePicture) -> Outcome:
        """Update the text of a picture, where the site has changed it."""
        notes, language = record[NOTES], self._language
        note = next(each for each in notes if each["uid"] == picture.address)
        if note["alt_text"].get(language, "") == picture.alt_text:
            return Outcome.UNCHANGED
        changes = {
            "variants": {language: {"alt_text": picture.alt_text or None}},
            NOTES: [
                {**each, "alt_text": {**each["alt_text"], language: picture.alt_text}}
                if each is note
                else each
                for each in notes
            ],
        }
        if not self._here.dry_run:
            self._editor.change(MEDIA, record["_id"], changes, OPERATOR, language)
        return Outcome.CHANGED


def shown_pictures(pages: RecordedPages, brings: Brings) -> Iterator[SourcePicture]:
    """Yield the pictures of all records for which ``brings`` is not ``None``."""
    alt_texts = pages.alt_texts()
    for kind in (VENUE, ORGANIZER, EVENT):
        for raw in pages.records(kind.name):
            for owner_kind, owner in owners(kind, raw):
                yield from _shown_by(owner_kind, owner, brings, alt_texts)


def _shown_by(
    kind: Kind, raw: Raw, brings: Brings, alt_texts: Mapping[int, str]
) -> Iterator[SourcePicture]:
    """Yield the picture of a record, unless it cannot be read."""
    try:
        new, address = brings(kind, source_of(kind.name, raw), raw), values.picture(raw)
        if new is None or address is None:
            return
        picture_id = values.number(raw["image"], "id")
        alt_text = values.line(raw["image"], "alt_text") or values.line(raw["image"], "alt")
    except ValueError:
        return
    alt_text = alt_text or values.unescaped(alt_texts.get(picture_id, ""))
    yield SourcePicture(address, picture_id, alt_text, new)
