"""Pages of the desk made of templates: their language, navigation, notices and paging."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

from flask import Flask, Response, current_app, g
from werkzeug.routing import MapAdapter

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import has_inbox
from calendar_app.api.http.request import current
from calendar_app.api.http.request.negotiation import ENGLISH
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import look_up
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.texts.messages import catalog_language, catalogs
from calendar_app.errors import Message, Unavailable
from calendar_app.settings import Settings
from calendar_app.site.desk import sessions
from calendar_app.site.desk.sessions import PREFIX, address, csrf_token
from calendar_app.site.html import wording
from calendar_app.site.html.answers import redirect
from calendar_app.site.html.rendering import Surface
from calendar_app.site.html.texts import CatalogTexts
from calendar_app.site.pages.forms import member_of
from calendar_app.site.pages.rendering import static_files
from calendar_app.storage.query.list_query import Window

Tone = Literal["done", "warning", "problem"]
_EXTENSION = "calendar_desk"
_TEMPLATES = "calendar_desk_templates"
_SEE_OTHER = 303
_FOUND = 302
# Texts of the pages that the desk shows too, such as the names of kinds.
_CATALOGS = ("desk", "pages")
_MISSING = "desk.missing_page"


class Look(Surface):
    """Templates and static files of the desk; a theme's styles hold for it too."""

    package, prefix = "calendar_app.site.desk", PREFIX

    def __init__(self, settings: Settings, packages: Sequence[str]) -> None:
        static = static_files(settings, Path(__file__).parent / "static")
        super().__init__(settings, static, packages=packages)
        # What plugins add to the menu, in the language of the user.
        self.further: Callable[[], Iterable[MenuEntry]] = tuple

    def texts(self) -> CatalogTexts:
        return texts()

    def names(self) -> dict[str, Any]:
        return {
            **super().names(),
            "address": address,
            "page_link": page_link,
            "csrf_token": csrf_token,
            "caller": sessions.caller,
            "write": Right.EDIT,
            "navigation": navigation,
            "inbox_number": inbox_number,
            "notices": take_notices,
            "local_time": local_time,
            "short_moment": short_moment,
            "saved_in_words": saved_in_words,
        }

    def filters(self) -> dict[str, Any]:
        return {**super().filters(), "message_text": self.message, "member": member_of}


def add_templates(app: Flask, package: str) -> None:
    """Let the desk, which is installed later, have the templates of another package too."""
    app.extensions.setdefault(_TEMPLATES, []).append(package)


def install(app: Flask, settings: Settings) -> None:
    app.extensions[_EXTENSION] = Look(settings, app.extensions.get(_TEMPLATES, ()))


def look() -> Look:
    """Return the templates and static files of the running application."""
    rendering: Look = current_app.extensions[_EXTENSION]
    return rendering


def render(template: str, status: int = 200, **parts: Any) -> Response:
    """Return a page made of a template below ``templates/desk``."""
    shared = {
        "language": language(),
        "site_root": current.context().addresses.root_path,
    }
    html = look().page(f"desk/{template}", texts(), **shared, **parts)
    return Response(html, status, mimetype="text/html")


def render_list(
    template: str, status: int = 200, *, number: int, pages: int, **parts: Any
) -> Response:
    """Return a page of a list; a request for one behind the last page is led to the last."""
    if number > max(pages, 1) and current.context().request.method == "GET":
        return redirect(page_link(max(pages, 1)), _FOUND)
    return render(template, status, number=number, pages=pages, **parts)


def see(path: str) -> Response:
    """Lead to a page of the desk after a write."""
    return redirect(address(path), _SEE_OTHER)


def local_time(moment: datetime) -> str:
    """Return a moment in UTC, without a zone, as a day and time of the site."""
    local = moment.replace(tzinfo=UTC).astimezone(current.context().zone)
    return wording.when(local, local, language(), all_day=False)


def saved_in_words(name: str, moment: datetime | None) -> str:
    """Name who saved a record last, and when, to the owner of an older form."""
    if not name or moment is None:
        return message_text(Message("Somebody else has saved this meanwhile."))
    context = current.context()
    local = moment.replace(tzinfo=UTC).astimezone(context.zone)
    if local.date() != context.today().date():
        return message_text(
            Message("{name} saved this on {date}.", name=name, date=local_time(moment))
        )
    time = wording.clock(local, language())
    return message_text(Message("{name} saved this at {time}.", name=name, time=time))


def short_moment(moment: datetime) -> str:
    """Return a moment in UTC as a day, of today as the time alone."""
    context = current.context()
    local, now = (
        each.replace(tzinfo=UTC).astimezone(context.zone) for each in (moment, context.now())
    )
    is_today = local.date() == now.date()
    return (
        wording.clock(local, language())
        if is_today
        else wording.date_range(local.date(), local.date(), language())
    )


# The language of the desk.


def offered() -> tuple[str, ...]:
    """Return the languages in which the desk can be used."""
    return tuple(sorted(catalogs("desk")))


def language() -> str:
    """Return the language of the desk: the one of the user, else of the browser.

    English is that of a country, since days and times are written in two ways.
    """
    if "desk_language" not in g:
        session, context = sessions.find_session(), current.context()
        accepted = [tag for tag, _ in context.request.accept_languages]
        chosen = (session and session.language) or catalog_language(
            (*accepted, context.settings.default_language), "desk"
        )
        g.desk_language = _english(context) if chosen == ENGLISH else chosen
    tag: str = g.desk_language
    return tag


def _english(context: current.Context) -> str:
    """Return the English of the site, else the variety that the reader prefers."""
    of_site = next((tag for tag in context.settings.languages if tag.startswith("en-")), ENGLISH)
    if of_site != ENGLISH:
        return of_site
    return "en-US" if context.writes_american(ENGLISH) else "en-GB"


def settle_language() -> None:
    """Let records be shown in the user's language too, where the site has it."""
    settings = current.context().settings
    show_records_in(look_up(language(), settings.languages) or settings.default_language)


def show_records_in(tag: str) -> None:
    """Show records in this language, with its fallbacks."""
    context = current.context()
    context.use_languages(context.settings.chain(tag))


def texts() -> CatalogTexts:
    """Return the texts in the user's language."""
    return _texts_in((language(), *current.context().chain))


@lru_cache(256)
def _texts_in(chain: Sequence[str]) -> CatalogTexts:
    return CatalogTexts(_CATALOGS, chain)


def gettext(text: str) -> str:
    """Return a text of the desk in the user's language."""
    return texts().gettext(text)


def message_text(message: str) -> str:
    """Return a message in the user's language, be it of the desk, the pages or the interface."""
    return texts().message(message)


# Notices on the page that follows a write.


@dataclass(frozen=True, slots=True)
class Undo:
    """The form that takes a change back: its page of the desk, and its fields."""

    path: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Notice:
    """A message about the last write, with the way to ``undo`` it."""

    tone: str
    text: str
    undo: Undo | None


def notify(message: str, tone: Tone = "done", undo: Undo | None = None) -> None:
    """Show a notice on the next page of this session, with a button to ``undo`` the action."""
    pattern = message.pattern if isinstance(message, Message) else message
    gaps = dict(message.gaps) if isinstance(message, Message) else {}
    notice: Record = {"pattern": pattern, "gaps": gaps, "tone": tone}
    if undo:
        notice["undo"] = {"path": undo.path, "fields": dict(undo.fields)}
    current.context().services.accounts.sessions.add_notice(sessions.session(), notice)


def take_notices() -> list[Notice]:
    """Return the notices that wait, each of them once."""
    session = sessions.find_session()
    if session is None or not session.notices:
        return []
    try:
        current.context().services.accounts.sessions.clear_notices(session)
    except Unavailable:  # They wait: the page that says so must be shown without the database.
        return []
    return [_notice(**notice) for notice in session.notices]


def _notice(pattern: str, gaps: Record, tone: str, undo: Record | None = None) -> Notice:
    return Notice(tone, message_text(Message(pattern, **gaps)), Undo(**undo) if undo else None)


def notify_other_slug(sent: str, present: str) -> None:
    """Say that a record has another name in its address than was asked for."""
    changed = Message(
        "The name «{slug}» in the address is changed to «{present}».", slug=sent, present=present
    )
    notify(changed, "warning")


# The main navigation.

_INBOX, _TRANSLATIONS, _SOURCES = "/queue/", "/translations/", "/sources/"
# Pages of single texts belong to the list of what waits for translation.
_TRANSLATE = "/translate/"


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A part of the desk, for users with a right."""

    path: str
    name: str
    needs: Right | None = None
    # The setting without which there is no such part.
    setting: str = "desk"


ENTRIES = (
    MenuEntry(_INBOX, Message("Inbox"), Right.EDIT_OTHERS),
    MenuEntry("/events/", Message("Events"), Right.EDIT),
    MenuEntry("/venues/", Message("Venues"), Right.EDIT),
    MenuEntry("/organizers/", Message("Organizers"), Right.EDIT),
    MenuEntry("/categories/", Message("Categories"), Right.MANAGE_CATEGORIES),
    MenuEntry("/tags/", Message("Tags"), Right.MANAGE_TAGS),
    MenuEntry("/media/", Message("Pictures"), Right.UPLOAD),
    MenuEntry(_TRANSLATIONS, Message("Translations"), Right.EDIT),
    MenuEntry(_SOURCES, Message("Sources"), Right.EDIT_OTHERS),
    MenuEntry("/trash/", Message("Trash"), Right.EDIT),
    MenuEntry("/webhooks/", Message("Webhooks"), Right.MANAGE_USERS),
    MenuEntry("/users/", Message("Users"), Right.MANAGE_USERS),
    MenuEntry("/settings/", Message("Settings"), Right.MANAGE_USERS),
)
# What keepers of sources open too, each with what is theirs.
_OF_KEEPERS = (_INBOX, _SOURCES)


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the navigation; ``current`` is a value of ``aria-current``, or empty."""

    name: str
    address: str
    current: str
    number: str = ""


_MOST_SHOWN = 99


def inbox_number() -> str:
    """Return how much waits in the inbox of the user; empty for nothing."""
    caller = sessions.caller()
    if not has_inbox(caller):
        return ""
    if "desk_inbox" not in g:
        g.desk_inbox = 0
        with suppress(Unavailable):  # The page that says so is shown without the database.
            services = current.context().services
            reports = services.mistakes.waiting(caller)
            g.desk_inbox = services.inbox.numbers(caller).waiting + reports
    waiting: int = g.desk_inbox
    return f"{_MOST_SHOWN}+" if waiting > _MOST_SHOWN else str(waiting or "")


def navigation() -> Iterator[Link]:
    """Yield the links of the parts that the user may open, those of plugins last."""
    context = current.context()
    path, caller = context.request.path, context.caller
    part = f"{PREFIX}{_TRANSLATIONS}" if _TRANSLATE in path else path
    adapter = current_app.url_map.bind("")
    for entry in (*ENTRIES, *look().further()):
        is_on = getattr(context.settings, entry.setting)
        may_open = is_on and (entry.needs is None or caller.may(entry.needs))
        may_open = may_open or (entry.path in _OF_KEEPERS and bool(caller.kept_sources))
        if not may_open or not _is_there(adapter, f"{PREFIX}{entry.path}"):
            continue
        whole = f"{PREFIX}{entry.path}"
        is_below = part.startswith(whole)
        mark = "page" if path == whole else "true" if is_below else ""
        number = inbox_number() if entry.path == _INBOX else ""
        yield Link(entry.name, address(entry.path), mark, number)


def _is_there(adapter: MapAdapter, path: str) -> bool:
    """Say whether the settings of the site give an address a page."""
    endpoint, _ = adapter.match(path)
    return bool(endpoint != _MISSING)


def add_to_menu(app: Flask, entries: Callable[[], Iterable[MenuEntry]]) -> None:
    """Let the menu of an application have these entries too."""
    app.extensions[_EXTENSION].further = entries


# Lists page by page.


def sent_window(size: int) -> Window:
    """Return the requested page number; the first one if it is no number."""
    return Window(parse_digits(current.context().request.args.get("page", "")) or 1, size)


def page_link(number: int) -> str:
    """Return a link to another page of the same list."""
    query = current.context().request.args.to_dict(flat=False) | {"page": [str(number)]}
    return f"?{urlencode(query, doseq=True)}"
