"""Venues, organizers and terms as one caller reads them."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import CATEGORY, ORGANIZER, TAG, VENUE
from calendar_app.domain.kinds.linked import MEDIA
from calendar_app.domain.ledger import DISCLOSURES, MARKS, disclosure_of
from calendar_app.readmodel.records import LocalText, ReadContext, ReadRecord

_ADDRESS = ("address", "city", "country")


class ReadVenue(ReadRecord):
    """A venue that the caller may read."""

    segment = label = "venue"
    kind = VENUE

    @cached_property
    def point(self) -> tuple[float, float] | None:
        """Longitude and latitude."""
        location = self.record["location"]
        if not location:
            return None
        longitude, latitude = location["coordinates"]
        return longitude, latitude

    @property
    def zip(self) -> str:
        return self.shared_line("zip")

    @property
    def phone(self) -> str:
        return self.shared_line("phone")

    @property
    def website(self) -> str:
        return self.text("website").text

    @cached_property
    def address_lines(self) -> tuple[str, ...]:
        """Street, town and country, each on a line of its own."""
        town = " ".join(part for part in (self.zip, self.line("city").text) if part)
        lines = (self.line("address").text, town, self.line("country").text)
        return tuple(line for line in lines if line)

    @property
    def address_disclosure(self) -> str:
        """The word for texts of machines, if there is one in the address."""
        return disclosure_of(self._marks(*_ADDRESS))

    @property
    def has_address(self) -> bool:
        """Whether there is a street or a town."""
        return bool(self.text("address") or self.text("city"))

    @property
    def name_and_town(self) -> LocalText:
        """Name and town on one line; a name that has the town in it stands alone."""
        name, town = self.name, self.line("city").text
        if not town or town in name.text:
            return name
        return self._with_name(f"{name.text}, {town}", "city")

    @property
    def name_and_address(self) -> LocalText:
        """Name and address on one line."""
        text = ", ".join(part for part in (self.name.text, *self.address_lines) if part)
        return self._with_name(text, *_ADDRESS)

    def _with_name(self, text: str, *parts: str) -> LocalText:
        """Return the name with other texts, marked where nobody has checked one of them."""
        name = self.name
        marks = (name.mark, *self._marks(*parts))
        mark = max(marks, key=lambda each: DISCLOSURES.get(each, ""))
        return replace(name, text=text, mark=mark)

    def _marks(self, *names: str) -> Iterable[str]:
        return (self.text(name).mark for name in names) if MARKS in self.record else ()


class ReadOrganizer(ReadRecord):
    """An organizer that the caller may read."""

    segment = label = "organizer"
    kind = ORGANIZER

    @property
    def phone(self) -> str:
        return self.shared_line("phone")

    @property
    def email(self) -> str:
        return self.shared_line("email")

    @property
    def website(self) -> str:
        return self.text("website").text


class ReadTerm(ReadRecord):
    """A category or a tag, as ``segment`` says."""

    label = "name"

    def __init__(self, record: Record, context: ReadContext, segment: str) -> None:
        super().__init__(record, context)
        self.segment = segment
        self.kind = CATEGORY if segment == CATEGORY.singular else TAG


class ReadMedia(ReadRecord):
    """A picture by itself."""

    segment, label = "media", "title"
    kind = MEDIA
