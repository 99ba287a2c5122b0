"""The table that a municipality or a club fills in: read by kind ``csv`` without a mapping.

Its headings are usual names of columns in the language of the site. The row below is an example,
which its number tells, and no event.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType

from calendar_app.domain.words import fold

# The fields of the template, in the order of its columns.
FIELDS = (
    *("uid", "title", "start", "start_time", "end", "end_time", "all_day"),
    *("venue", "address", "zip", "city", "organizer", "email", "phone"),
    *("website", "description", "image", "cost", "categories"),
)
_ENGLISH = "en"
HEADINGS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "en": (
            *("Number", "Title", "Start date", "Start time", "End date", "End time", "All day"),
            *("Venue", "Street", "Postcode", "Town", "Organizer", "E-mail", "Phone"),
            *("Website", "Description", "Picture", "Price", "Category"),
        ),
        "de": (
            *("Nummer", "Titel", "Datum", "Uhrzeit", "Enddatum", "Endzeit", "Ganztägig"),
            *("Veranstaltungsort", "Strasse", "PLZ", "Gemeinde", "Veranstalter", "E-Mail"),
            *("Telefon", "Webseite", "Beschreibung", "Bild", "Eintritt", "Kategorie"),
        ),
        "fr": (
            *("Numéro", "Titre", "Date de début", "Heure de début", "Date de fin"),
            *("Heure de fin", "Toute la journée", "Lieu", "Rue", "NPA", "Commune"),
            *("Organisateur", "E-mail", "Téléphone", "Site web", "Description", "Photo"),
            *("Prix", "Catégorie"),
        ),
        "it": (
            *("Numero", "Titolo", "Data", "Ora di inizio", "Data di fine", "Ora di fine"),
            *("Tutto il giorno", "Luogo", "Via", "CAP", "Comune", "Organizzatore", "E-mail"),
            *("Telefono", "Sito web", "Descrizione", "Immagine", "Prezzo", "Categoria"),
        ),
        "rm": (
            *("Numero", "Titul", "Data", "Ura", "Fin data", "Ura da finiziun", "Entir di"),
            *("Lieu", "Adressa", "NPA", "Vischnanca", "Organisatur", "E-mail", "Telefon"),
            *("Internet", "Descripziun", "Maletg", "Predsch", "Categorias"),
        ),
    }
)
_EXAMPLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "en": ("Example", "Concert of the band (an example: this row is not read)"),
        "de": ("Beispiel", "Konzert der Musikgesellschaft (Beispiel: Diese Zeile zählt nicht)"),
        "fr": ("Exemple", "Concert de la fanfare (exemple : cette ligne ne compte pas)"),
        "it": ("Esempio", "Concerto della banda (esempio: questa riga non conta)"),
        "rm": ("Exempel", "Concert da la musica (exempel: questa lingia na quinta betg)"),
    }
)
_NUMBERS = frozenset(fold(number) for number, _ in _EXAMPLES.values())
_WIDE, _USUAL = 44, 18  # columns of an Excel sheet, in characters
_LONG = frozenset({"title", "description"})


def is_example(number: str) -> bool:
    """Return whether the number of a row says that it is the example of the template."""
    return fold(number) in _NUMBERS


def csv_template(language: str, today: date) -> bytes:
    """Return the template as CSV, as Excel opens it."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=";")
    writer.writerow(headings(language))
    writer.writerow(_example(language, _day(language, today)))
    return stream.getvalue().encode("utf-8-sig")


def excel_template(language: str, today: date) -> bytes:
    """Return the template as an Excel workbook, with the headings always in sight."""
    # Loaded with the first workbook: openpyxl takes a tenth of a second.
    from openpyxl import Workbook  # noqa: PLC0415
    from openpyxl.styles import Font  # noqa: PLC0415

    workbook = Workbook(write_only=False)
    workbook.remove(workbook.worksheets[0])
    sheet = workbook.create_sheet()
    sheet.append(headings(language))
    sheet.append(_example(language, _day(language, today)))
    for field, (heading, example) in zip(FIELDS, sheet.iter_cols(max_row=2), strict=True):
        heading.font, example.font = Font(bold=True), Font(italic=True)
        width = _WIDE if field in _LONG else _USUAL
        sheet.column_dimensions[heading.column_letter].width = width
    sheet.freeze_panes = "A2"
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def headings(language: str) -> list[str]:
    """Return the headings in a language; English ones where there are none."""
    return list(HEADINGS.get(language, HEADINGS[_ENGLISH]))


def _day(language: str, today: date) -> str:
    day = date(today.year + 1, 6, 15)
    return f"{day:%d.%m.%Y}" if language in HEADINGS and language != _ENGLISH else day.isoformat()


def _example(language: str, day: str) -> list[str]:
    number, title = _EXAMPLES.get(language, _EXAMPLES[_ENGLISH])
    values = {
        "uid": number,
        "title": title,
        "start": day,
        "start_time": "20:00",
        "end": day,
        "end_time": "22:00",
        "venue": "Kulturhalle",
        "address": "Via Maistra 1",
        "zip": "7503",
        "city": "Samedan",
        "email": "info@example.org",
        "cost": "CHF 20",
        "website": "https://example.org/",
    }
    return [values.get(field, "") for field in FIELDS]
