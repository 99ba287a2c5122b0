"""The pictures that a site tells of: brought here where that is asked for, each once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from calendar_app.accounts.caller import Caller
from calendar_app.calendar.bulk.borrowed_pictures import (
    BorrowedPictures,
    ForeignPicture,
    tells_the_same_file,
    tells_the_same_text,
)
from calendar_app.calendar.bulk.records import Outcome
from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters
from calendar_app.imports.downloading import Downloader, DownloadError
from calendar_app.imports.tec.report import Report

_NAME = "media"
# The id of every picture that would be here by now.
_PRETENDED = -1

# SourceRecord of each picture: the collection, pictures done now, pictures in all.
Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Bringing:
    """How pictures are brought: by whom they are fetched, or that it is only to be rehearsed."""

    downloader: Downloader
    rehearsed: bool = False


class PictureTaking:
    """Finds the pictures that are here, and brings the others where there is a ``bringing``."""

    def __init__(
        self,
        borrowed: BorrowedPictures,
        bringing: Bringing | None,
        caller: Caller,
        language: str,
    ) -> None:
        self._borrowed = borrowed
        self._bringing = bringing
        self._caller = caller
        self._language = language

    def sources(self) -> Mapping[int, str]:
        """Return where each picture came from that was brought here, by id."""
        return self._borrowed.sources()

    def take(
        self, pictures: Iterable[ForeignPicture], report: Report, watch: Watch
    ) -> dict[str, int]:
        """Return the ids of those that are here in the end, by address; report the others.

        Where none is brought, that is known without what the site tells, which is not read.
        """
        if self._bringing is None:
            return {source: number for number, source in self.sources().items()}
        # Of one that several records show, one that wants it does.
        told = {one.source: one for one in sorted(pictures, key=lambda one: one.wanted)}
        known = self._borrowed.known(told)
        here = {source: record["_id"] for source, record in known.items()}
        wanted = [one for source, one in told.items() if one.wanted or source in known]
        for picture in wanted:
            try:
                number, outcome = self._taken(picture, known.get(picture.source), self._bringing)
                here[picture.source] = number
                report.note(_NAME, outcome)
            except DownloadError as error:
                report.refuse(_NAME, f"picture {picture.source}", str(error))
            except InvalidParameters as error:
                report.refuse(_NAME, f"picture {picture.source}", " ".join(error.reasons.values()))
            watch(_NAME, 1, len(wanted))
        return here

    def _taken(
        self, picture: ForeignPicture, known: Record | None, bringing: Bringing
    ) -> tuple[int, Outcome]:
        if known is None:
            if bringing.rehearsed:
                return _PRETENDED, Outcome.CREATED
            fetch = self._fetching(picture, bringing)
            return self._borrowed.bring(
                picture, fetch, self._caller, self._language
            ), Outcome.CREATED
        return self._renewed(picture, known, bringing)

    def _renewed(
        self, picture: ForeignPicture, known: Record, bringing: Bringing
    ) -> tuple[int, Outcome]:
        """Keep up with what the site has changed about a picture that is here."""
        worded = not tells_the_same_text(known, picture, self._language)
        # Languages of one site may tell of a file in two ways; the first one counts.
        filed = picture.wanted and not tells_the_same_file(known, picture)
        number, outcome = known["_id"], Outcome.UPDATED if worded else Outcome.UNCHANGED
        if bringing.rehearsed:
            return number, Outcome.UPDATED if filed else outcome
        if worded:
            self._borrowed.word(known, picture.alt_text, self._caller, self._language)
            (known,) = self._borrowed.known([picture.source]).values()
        if filed:
            fetch = self._fetching(picture, bringing)
            number, renewed = self._borrowed.renew(
                known, picture, fetch, self._caller, self._language
            )
            outcome = outcome if renewed is Outcome.UNCHANGED else renewed
        return number, outcome

    def _fetching(
        self, picture: ForeignPicture, bringing: Bringing
    ) -> Callable[[], tuple[bytes, str]]:
        def fetch() -> tuple[bytes, str]:
            found = bringing.downloader.fetch(picture.source)
            return found.data, found.name

        return fetch
