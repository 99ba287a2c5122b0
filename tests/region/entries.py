"""The true events of the region: what takes place, when and where, whatever a feed says of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random

from region.places import Club, Place

SINGLE, SERIES, EXHIBITION = "single", "series", "exhibition"
WEEK = timedelta(days=7)
COMPOUNDS = (
    ("Gospel", "Abend"), ("Jass", "Turnier"), ("Floh", "Markt"), ("Advents", "Konzert"),
    ("Kinder", "Theater"), ("Spiel", "Abend"), ("Dorf", "Fest"), ("Orgel", "Konzert"),
    ("Winter", "Wanderung"), ("Film", "Nacht"), ("Bücher", "Börse"), ("Kultur", "Tag"),
)  # fmt: skip
THEMES = (
    "Edelweiss", "Enzian", "Alpenrose", "Steinbock", "Murmeltier", "Lawine", "Gletscher", "Arve",
    "Capricorn", "Engiadina", "Surselva", "Prättigau", "Flurina", "Ursli", "Bernina", "Albula",
    "Rätia", "Calanda", "Silvretta", "Piz Nair", "Morgenrot", "Abendstern", "Nordlicht", "Föhn",
    "Regenbogen", "Sternschnuppe", "Mondschein", "Feuerwerk", "Holzschnitt", "Wollfaden",
    "Glockenspiel", "Alphorn", "Hackbrett", "Schwyzerörgeli", "Kontrabass", "Querflöte",
)  # fmt: skip
# They have the same title at the same time in many towns.
GENERIC = ("Gottesdienst", "Mittagstisch", "Krabbelgruppe", "Deutschkurs", "Seniorenturnen")
HOURS = (time(10), time(14), time(17), time(19), time(19, 30), time(20))


@dataclass
class Entry:
    """A single event, a weekly series of ``count`` dates, or an exhibition of weeks.

    ``changed`` is the day of its last change; a ``removed`` one does not take place, and no feed
    has it any more.
    """

    number: int
    kind: str
    stem: tuple[str, str]
    theme: str
    start: datetime
    length: timedelta
    place: Place
    club: Club
    count: int = 1
    all_day: bool = False
    canceled: bool = False
    removed: bool = False
    added: int = 0
    changed: int = 0

    @property
    def title(self) -> str:
        return f"{''.join(self.stem).capitalize()} {self.theme}".strip()

    @property
    def takes_place(self) -> bool:
        return not (self.canceled or self.removed)

    def dates(self) -> list[tuple[datetime, datetime]]:
        """Return start and end of each date, by the clock of the region."""
        starts = (self.start + WEEK * number for number in range(self.count))
        return [(start, start + self.length) for start in starts]


def drawn(number: int, place: Place, club: Club, first: date, random: Random) -> Entry:
    """Return an event by chance in the year that begins with ``first``."""
    kind = random.choices((SINGLE, SERIES, EXHIBITION), (83, 10, 7))[0]
    day = first + timedelta(days=random.randrange(1, 360))
    start = datetime.combine(day, random.choice(HOURS))
    stem, theme = random.choice(COMPOUNDS), random.choice(THEMES)
    count, length, all_day = 1, timedelta(hours=2), False
    if kind == SERIES:
        count = random.randrange(3, 9)
        if random.random() < 0.5:
            stem, theme = (random.choice(GENERIC), ""), ""
            start = datetime.combine(day - timedelta(days=day.weekday()), time(10))
    if kind == EXHIBITION:
        # Some of them have begun.
        start = datetime.combine(day - timedelta(days=random.randrange(0, 20)), time(10))
        length, all_day = timedelta(days=random.randrange(10, 60), hours=7), random.random() < 0.5
    if all_day:
        start = datetime.combine(start, time())
        length = timedelta(days=length.days)
    return Entry(number, kind, stem, theme, start, length, place, club, count, all_day)


class Timetable:
    """Lets no two events begin at one place at once."""

    def __init__(self) -> None:
        self._taken: set[tuple[int, datetime]] = set()

    def take(self, entry: Entry) -> bool:
        """Take the dates of an entry, if all are free."""
        keys = _dates_at_places(entry)
        if keys & self._taken:
            return False
        self._taken |= keys
        return True

    def move(self, entry: Entry, start: datetime, place: Place) -> None:
        """Move an entry that has taken its dates, if it can take others."""
        before = entry.start, entry.place
        self._taken -= _dates_at_places(entry)
        entry.start, entry.place = start, place
        if not self.take(entry):
            entry.start, entry.place = before
            self.take(entry)


def _dates_at_places(entry: Entry) -> set[tuple[int, datetime]]:
    return {(entry.place.number, start) for start, _ in entry.dates()}


def variants_of(entry: Entry) -> Iterator[str]:
    """Yield the titles under which different feeds have one event."""
    first, second = (*entry.stem, "")[:2]
    yield entry.title
    if not second:
        yield f"{first} im Dorf"
        yield first.upper()
        return
    yield f"{first}-{second} {entry.theme}"
    yield f"{entry.theme}: {entry.title.split()[0]}"
    yield entry.title.upper()
    yield f"{entry.title} mit Apéro"
