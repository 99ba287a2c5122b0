"""The rows of a table: CSV of any program, or the first sheet of an Excel workbook."""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, time, timedelta
from typing import Any, Protocol

from calendar_app.errors import Message
from calendar_app.sources.charsets import decode
from calendar_app.sources.parsed import ParsedCalendar, SourceError

_DELIMITERS = ",;\t|"
# Excel writes the delimiter in a line of its own, and takes it from there.
_SEPARATOR_LINE = re.compile(r"\"?sep=(?P<delimiter>.)\"?[ \t]*(?:\r\n|\r|\n)", re.IGNORECASE)
_FIRST_LINE = re.compile(r"[^\r\n]*")
_ZIP = b"PK\x03\x04"
_MAX_CELLS = 2_000_000
_MAX_COLUMNS = 200
_MAX_UNPACKED = 200_000_000  # bytes
# An hour or a second in the format of a cell: what it shows is a time, and not a day alone.
_HAS_CLOCK = re.compile(r"[hs]", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_LONGEST_FORMAT = 255  # characters, as Excel has it; the pattern's time grows with their square


class Sheet(Protocol):
    """A table with text in its cells; rows may be shorter or longer than the header."""

    def header(self) -> list[str]: ...
    def rows(self) -> Iterator[list[str]]: ...


def sheet_of(content: bytes, parsed: ParsedCalendar) -> Sheet:
    """Return the table in a content; raise ``SourceError`` where it cannot be read.

    ``parsed`` notes the sheets of a workbook that are left out.
    """
    return ExcelSheet(content, parsed) if content.startswith(_ZIP) else CsvSheet(content)


class CsvSheet:
    """A table as CSV, of which one row at a time is in memory."""

    def __init__(self, content: bytes) -> None:
        text = decode(content).lstrip("\r\n ")
        if separator := _SEPARATOR_LINE.match(text):
            text = text[separator.end() :]
            self._delimiter = separator["delimiter"]
        else:
            first = _FIRST_LINE.match(text)
            self._delimiter = max(_DELIMITERS, key=(first[0] if first else "").count)
        # A text stream of the text itself would take four octets for each character.
        self._content = text.encode()

    def header(self) -> list[str]:
        return [name.strip() for name in next(self._lines(), [])]

    def rows(self) -> Iterator[list[str]]:
        lines = self._lines()
        next(lines, None)
        yield from lines

    def _lines(self) -> Iterator[list[str]]:
        stream = io.TextIOWrapper(io.BytesIO(self._content), "utf-8", newline="")
        try:
            yield from csv.reader(stream, delimiter=self._delimiter)
        except csv.Error as error:
            raise SourceError("The table cannot be read: a cell in it does not end.") from error


class ExcelSheet:
    """The first sheet of a workbook (.xlsx); dates and times are written as ISO 8601."""

    def __init__(self, content: bytes, parsed: ParsedCalendar) -> None:
        with _refusing_workbook():
            _refuse_expansion(content)
            # Loaded with the first workbook: openpyxl takes a tenth of a second.
            from openpyxl import load_workbook  # noqa: PLC0415

            with closing(load_workbook(io.BytesIO(content), read_only=True)) as workbook:
                sheets = [each for each in workbook.worksheets if each.sheet_state == "visible"]
                if not sheets:
                    raise SourceError("The workbook has no sheet that is shown.")
                self._rows = [*_filled(_texts(sheets[0]))]
        for sheet in sheets[1:]:
            parsed.leave_out(f"sheet {sheet.title}", "Only the first sheet is read.")

    def header(self) -> list[str]:
        return [name.strip() for name in self._rows[0]] if self._rows else []

    def rows(self) -> Iterator[list[str]]:
        return iter(self._rows[1:])


@contextmanager
def _refusing_workbook() -> Iterator[None]:
    """Raise ``SourceError`` for whatever openpyxl raises at a damaged workbook."""
    try:
        yield
    except SourceError:
        raise
    except Exception as error:
        raise SourceError("It is not a readable Excel workbook (.xlsx).") from error


def _refuse_expansion(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > _MAX_UNPACKED:
        raise SourceError(
            Message(
                "Its workbook has more than {number} MB unpacked.", number=_MAX_UNPACKED // 10**6
            )
        )


def _texts(sheet: Any) -> Iterator[list[str]]:
    """Yield the texts in the cells of each row."""
    # The size that a file says of itself may be wrong.
    sheet.reset_dimensions()
    cells = 0
    for row in sheet.iter_rows(max_col=_MAX_COLUMNS):
        cells += len(row)
        if cells > _MAX_CELLS:
            raise SourceError(Message("The table has more than {number} cells.", number=_MAX_CELLS))
        yield [_text(cell.value, cell.number_format or "") for cell in row]


def _filled(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    return (row for row in rows if any(row))


def _text(value: Any, number_format: str) -> str:
    """Return the value of a cell as text, close to its display in the sheet."""
    match value:
        case None:
            text = ""
        case bool():
            text = str(value).lower()
        case datetime():
            is_day = value.time() == time.min and not shows_clock(number_format)
            text = f"{value:%Y-%m-%d}" if is_day else f"{value:%Y-%m-%d %H:%M:%S}"
        case time():
            text = f"{value:%H:%M:%S}"
        case timedelta():
            text = str(timedelta(seconds=round(value.total_seconds())))
        case float() if value.is_integer():
            text = str(int(value))
        case _:
            text = str(value).strip()
    return text


def shows_clock(number_format: str) -> bool:
    return _HAS_CLOCK.search(_QUOTED.sub("", number_format[:_LONGEST_FORMAT])) is not None
