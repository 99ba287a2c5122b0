"""The towns of the region, their halls, and the clubs that bear one name in many towns."""

from dataclasses import dataclass
from random import Random

# Name and zip of each town.
TOWNS = (
    ("Samedan", "7503"), ("Celerina", "7505"), ("Pontresina", "7504"), ("Zernez", "7530"),
    ("Scuol", "7550"), ("Ftan", "7551"), ("Sent", "7554"), ("Tschlin", "7559"),
    ("Davos", "7270"), ("Klosters", "7250"), ("Schiers", "7220"), ("Landquart", "7302"),
    ("Chur", "7000"), ("Domat", "7013"), ("Trin", "7014"), ("Flims", "7017"),
    ("Laax", "7031"), ("Ilanz", "7130"), ("Vella", "7144"), ("Vals", "7132"),
    ("Trun", "7166"), ("Disentis", "7180"), ("Sedrun", "7188"), ("Thusis", "7430"),
    ("Zillis", "7432"), ("Andeer", "7440"), ("Savognin", "7460"), ("Tiefencastel", "7450"),
    ("Lenzerheide", "7078"), ("Churwalden", "7075"), ("Arosa", "7050"), ("Poschiavo", "7742"),
    ("Brusio", "7743"), ("Sils", "7514"), ("Silvaplana", "7513"), ("Zuoz", "7524"),
    ("Madulain", "7523"), ("Bergün", "7482"), ("Filisur", "7477"), ("Alvaneu", "7492"),
)  # fmt: skip
HALLS = (
    "Turnhalle", "Mehrzweckhalle", "Kirche", "Kulturhalle", "Kirchgemeindehaus", "Gemeindesaal",
    "Aula", "Schulhaus", "Bibliothek", "Ludothek", "Museum", "Dorfplatz", "Rathaus", "Stadthalle",
    "Kongresszentrum", "Hotel Post", "Restaurant Krone", "Gasthaus Sonne", "Hotel Bären", "Kino",
    "Sporthalle", "Eishalle", "Hallenbad", "Schwimmbad", "Reithalle", "Markthalle", "Werkhof",
    "Feuerwehrhaus", "Jugendhaus", "Altersheim", "Spital", "Pfarrhaus", "Pfarrsaal", "Kapelle",
    "Klosterkirche", "Friedhofkapelle", "Burg", "Schloss", "Kleintheater", "Konzertsaal",
    "Musikschule", "Berufsschule", "Kindergarten", "Tagesstätte", "Festplatz", "Sportplatz",
    "Tennishalle", "Schützenhaus", "Waldhütte", "Skihütte", "Bahnhof", "Talstation",
    "Bergrestaurant", "Dorfladen", "Bäckerei", "Galerie", "Atelier", "Kurhaus", "Parkhaus",
    "Infostelle",
)  # fmt: skip
STREETS = (
    "Schulstrasse", "Hauptstrasse", "Kirchgasse", "Bahnhofstrasse", "Dorfstrasse", "Via Maistra",
    "Via Nova", "Plazza", "Promenade", "Quadratscha", "Obere Gasse", "Untere Gasse",
)  # fmt: skip
CLUBS = (
    "Frauenverein", "Turnverein", "Musikgesellschaft", "Männerchor", "Kirchgemeinde", "Samariter",
    "Kulturkommission", "Schützenverein", "Skiclub", "Dorfverein", "Theaterverein", "Pfadi",
)  # fmt: skip


@dataclass(frozen=True)
class Town:
    """A town; ``number`` tells its place on the map."""

    number: int
    name: str
    zip: str

    @property
    def point(self) -> tuple[float, float]:
        return 46.3 + self.number // 8 * 0.12, 9.1 + self.number % 8 * 0.15


@dataclass(frozen=True)
class Place:
    """A hall as it stands in the world: ``street`` with its number."""

    number: int
    name: str
    town: Town
    street: str

    @property
    def point(self) -> tuple[float, float]:
        latitude, longitude = self.town.point
        step = self.number % 10
        return round(latitude + step * 0.005, 4), round(longitude - step * 0.005, 4)

    def __str__(self) -> str:
        return f"{self.name}, {self.street}, {self.town.zip} {self.town.name}"


@dataclass(frozen=True)
class Club:
    """An organizer with contacts of its own."""

    name: str
    town: Town

    @property
    def email(self) -> str:
        return f"{self.name}@{self.town.name}.example".lower().translate(_ASCII)

    @property
    def phone(self) -> str:
        return f"+41 81 {self.town.zip[:3]} {self.town.number:02} {CLUBS.index(self.name):02}"


_ASCII = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def towns_of(number: int) -> list[Town]:
    return [Town(place, *each) for place, each in enumerate(TOWNS[:number])]


def places_of(towns: list[Town], names: int, each: int, random: Random) -> list[Place]:
    """Return ``each`` halls a town, of so many ``names``; in every tenth town two have one name."""
    places: list[Place] = []
    for town in towns:
        chosen = random.sample(HALLS[:names], each)
        if town.number % 10 == 0:
            chosen.append(chosen[0])
        streets = random.sample([f"{street} {n}" for street in STREETS for n in range(1, 9)], 20)
        for name in chosen:
            places.append(Place(len(places), name, town, streets.pop()))
    return places
