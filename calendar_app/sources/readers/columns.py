"""The columns of a table: which field each is, by the settings of the source or by usual names."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from calendar_app.domain.kinds import event_fields
from calendar_app.domain.words import fold
from calendar_app.errors import Message
from calendar_app.sources.parsed import SourceError

# The names that columns usually have: in English, German, French, Italian and Romansh, in exports
# of Outlook, in the import template of The Events Calendar, and in our own CSV.
NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "uid": ("uid", "id", "nr", "nummer", "numero", "number", "event id"),
        "title": (
            *("title", "name", "subject", "event", "summary", "event name", "event title"),
            *("titel", "betreff", "anlass", "veranstaltung", "bezeichnung"),
            *("titre", "evenement", "objet", "intitule", "manifestation"),
            *("titolo", "evento", "oggetto", "manifestazione", "titul", "occurrenza"),
        ),
        "excerpt": ("excerpt", "event excerpt", "kurzbeschreibung", "kurztext", "teaser", "resume"),
        "description": (
            *("description", "text", "details", "body", "event description", "notes"),
            *("beschreibung", "beschrieb", "bemerkungen", "descrizione", "descripziun"),
        ),
        "start": (
            *("start", "start date", "date", "begin", "event start date", "startdatum"),
            *(
                "datum",
                "beginn",
                "von",
                "beginnt am",
                "tag",
                "debut",
                "date de debut",
                "commence le",
            ),
            *("data", "inizio", "data di inizio", "data inizio", "inizia il", "cumenzament"),
        ),
        "start_time": (
            *("start time", "time", "event start time", "zeit", "uhrzeit", "startzeit"),
            *("beginnt um", "beginn", "anfangszeit", "heure", "heure de debut", "debut"),
            *("ora", "orario", "ora di inizio", "ora inizio", "temp", "ura"),
        ),
        "end": (
            *("end", "end date", "event end date", "enddatum", "ende", "bis", "endet am"),
            *("fin", "date de fin", "finit le", "fine", "data di fine", "data fine", "fin data"),
        ),
        "end_time": (
            *("end time", "event end time", "endzeit", "endet um", "ende", "heure de fin", "fin"),
            *("ora di fine", "ora fine", "ura da finiziun"),
        ),
        "all_day": (
            *("all day", "all day event", "ganztagig", "ganztagiges ereignis", "ganzer tag"),
            *("journee entiere", "toute la journee", "tutto il giorno", "giornata intera"),
            "entir di",
        ),
        "timezone": (
            *("timezone", "time zone", "event timezone", "zeitzone", "fuseau horaire"),
            *("fuso orario", "zona da temp"),
        ),
        "language": ("language", "sprache", "langue", "lingua", "linguatg"),
        "venue": (
            *("venue", "location", "place", "event venue name", "venue name", "event venue"),
            *("ort", "lokal", "veranstaltungsort", "lieu", "emplacement", "luogo", "posizione"),
            "lieu-da",
        ),
        "address": (
            "address",
            "adresse",
            "strasse",
            "street",
            "rue",
            "indirizzo",
            "via",
            "adressa",
        ),
        "zip": ("zip", "postcode", "plz", "npa", "code postal", "cap", "npa/plz", "postal code"),
        "city": (
            *("city", "town", "stadt", "gemeinde", "ortschaft", "ville", "localite", "commune"),
            *("citta", "comune", "vischnanca"),
        ),
        "country": ("country", "land", "pays", "paese", "pajais"),
        "geo_lat": ("geo lat", "latitude", "lat", "breitengrad"),
        "geo_lng": ("geo lng", "longitude", "lng", "lon", "langengrad"),
        "organizer": (
            *("organizer", "organiser", "event organizer name", "event organizer"),
            *("veranstalter", "veranstalterin", "organisator", "organisateur", "organizzatore"),
            "organisatur",
        ),
        "email": ("email", "e-mail", "mail", "courriel", "posta elettronica"),
        "phone": ("phone", "telephone", "telefon", "telefono", "tel"),
        "website": (
            *("website", "event website", "url", "link", "web", "webseite", "site web"),
            *("sito web", "internet"),
        ),
        "online_url": ("online", "online url", "stream", "livestream"),
        "attendance_mode": ("attendance mode",),
        "image": (
            *("image", "event featured image", "picture", "photo", "bild", "foto", "immagine"),
            "maletg",
        ),
        "cost": (
            *("cost", "event cost", "price", "preis", "eintritt", "kosten", "prix", "entree"),
            *("tarif", "prezzo", "entrata", "predsch"),
        ),
        "currency_symbol": ("event currency symbol", "currency symbol"),
        "currency_position": ("event currency position", "currency position"),
        "currency_code": ("event iso currency code", "currency code", "currency", "wahrung"),
        "categories": (
            *("categories", "category", "event category", "event categories", "kategorie"),
            *("kategorien", "rubrik", "categorie", "categoria", "categorias"),
        ),
        "tags": (
            *("tags", "tag", "event tags", "schlagworte", "stichworte", "mots-cles"),
            "parole chiave",
        ),
        "status": ("event status", "status", "state", "stato", "etat", "stadi"),
        "status_reason": ("status reason", "grund", "raison", "motivo"),
        "private": ("private", "privat", "prive", "privato"),
        "sensitivity": ("sensitivity", "vertraulichkeit", "critere de diffusion", "riservatezza"),
        "accessibility": ("accessibility",),
        "in_language": ("in language",),
        "min_age": ("min age", "mindestalter"),
        "max_age": ("max age", "hochstalter"),
        "audience": ("audience",),
        "registration_url": ("registration url", "anmeldung"),
        **{field.name: (field.name.replace("_", " "),) for field in event_fields.PLAIN},
    }
)
# In our own CSV, which this column tells: said by other columns, or of no use elsewhere.
_OWN = "utc_start_date"
_DERIVED = frozenset({"id", _OWN, "utc_end_date", "url", "modified_utc", "ai_disclosure"})
_NEEDED = ("title", "start")


def fields_of(header: Sequence[str], columns: Mapping[str, str]) -> dict[str, int]:
    """Return the place of each field's column: by ``columns``, else by a usual name.

    Raises ``SourceError`` where a column of the settings, or one that is needed, is not there.
    """
    names = [_plain(name) for name in header]
    fields: dict[str, int] = {}
    for field, usual in NAMES.items():
        chosen = columns.get(field, "")
        if chosen and _plain(chosen) not in names:
            raise SourceError(
                Message(
                    "The table has no column {name}, but {names}.",
                    name=chosen,
                    names=", ".join(header),
                )
            )
        used = {*fields.values()}
        for option in (chosen,) if chosen else (field, *usual):
            places = [place for place, name in enumerate(names) if name == _plain(option)]
            if free := [place for place in places if place not in used]:
                fields[field] = free[0]
                break
    for field in _NEEDED:
        if field not in fields:
            raise SourceError(
                Message(
                    "The table has no column for {field}: name one of {names}.",
                    field=field,
                    names=", ".join(header)[:300],
                )
            )
    return fields


def unread(header: Sequence[str], fields: Mapping[str, int]) -> list[str]:
    """Return the columns that nothing is taken of."""
    places = {*fields.values()}
    unread = [name for place, name in enumerate(header) if name and place not in places]
    return [name for name in unread if _OWN not in header or name not in _DERIVED]


def _plain(name: str) -> str:
    """Return a name of a column for comparison: ``start_date`` is "Start date"."""
    return " ".join(fold(name).replace("_", " ").split())
