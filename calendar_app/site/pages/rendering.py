"""Templates and static files of the pages, with those of a theme before them."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import pass_context
from jinja2.runtime import Context as JinjaContext
from jinja2.runtime import Macro
from markupsafe import Markup

from calendar_app.api.http.request import current
from calendar_app.domain.kinds import event_fields
from calendar_app.errors import ConfigurationError
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.fragments import Fragments
from calendar_app.settings import Settings
from calendar_app.site.html.pieces import json_in_html
from calendar_app.site.html.rendering import Surface
from calendar_app.site.html.static_files import StaticFiles
from calendar_app.site.html.texts import CatalogTexts
from calendar_app.site.pages import events
from calendar_app.site.pages.places import day_in_field
from calendar_app.site.pages.refusals import FILTER_NAMES

_PAGES = Path(__file__).parent
# Templates of a theme that draw no part of another page.
_FRAME = {"base.html", "error.html", "submit.html", "submission.html", "submission_thanks.html"}


class Block(NamedTuple):
    """The languages of the reader and the event, for a block of a plugin.

    ``languages`` are those of the reader, the best one first. ``event`` is the one of the page, as
    its reader may see it; ``None`` on other pages.
    """

    languages: Sequence[str]
    event: ReadEvent | None


# Returns the HTML of all blocks at a place.
Blocks = Callable[[str, Block], Markup]


def no_blocks(_place: str, _block: Block) -> Markup:
    return Markup()


class Pages(Surface):
    """Templates and static files of the pages; those of a theme override ours."""

    package = "calendar_app.site.pages"

    def __init__(self, settings: Settings, blocks: Blocks = no_blocks) -> None:
        self._blocks = blocks
        folder = theme_folder(settings.theme)
        super().__init__(settings, static_files(settings), folder / "templates" if folder else None)
        # The parts of a theme may show whatever it likes, at any time.
        self._keeps = self.templates.own_names <= _FRAME

    def texts(self) -> CatalogTexts:
        return texts_in(current.context().error_chain)

    def names(self) -> dict[str, Any]:
        return {
            **super().names(),
            "kept": self.kept,
            "kept_part": self.kept_part,
            "blocks": self.blocks,
            "logo_address": self._logo_address,
            "footer_text": footer_text,
            "footer_links": footer_links,
            "filter_names": FILTER_NAMES,
            "embedded": False,
            "plain_texts": event_fields.PLAIN_TEXTS,
            "plain_flags": event_fields.PLAIN_FLAGS,
        }

    def filters(self) -> dict[str, Any]:
        return {
            **super().filters(),
            **events.FILTERS,
            "json": json_in_html,
            "day": day_in_field,
            "told": self.message,
            "default_address": default_address,
        }

    @pass_context
    def kept(self, context: JinjaContext, macro: Macro, event: ReadEvent, **how: object) -> str:
        """Return a macro's drawing of an event, cached while the event looks the same."""

        def draw() -> str:
            return macro(event, **how)

        name = f"{macro.name} {how} {context['embedded']}"
        return event.fragment(name, draw) if self._keeps else draw()

    @pass_context
    def kept_part(
        self,
        context: JinjaContext,
        name: str,
        version: bytes | None,
        *version_parts: object,
        caller: Callable[[], str],
    ) -> str:
        """Return a part of a page, cached for its content at this ``version``.

        Besides that it may depend on what is ``version_parts``, and on what all pages know. Without
        ``fragments`` in the page nothing is kept.
        """
        fragments: Fragments | None = context.get("fragments")
        if fragments is None or version is None or not self._keeps:
            return caller()
        takes_events = context["settings"].submissions
        full_name = (
            f"{name} {version_parts} {context['embedded']} {context['chain']} {takes_events}"
        )
        text: str = fragments.of(full_name, version, caller)
        return text

    @pass_context
    def blocks(self, context: JinjaContext, place: str, event: ReadEvent | None = None) -> Markup:
        """Return the blocks of plugins at a place of the page."""
        return self._blocks(place, Block(context["chain"], event))

    def _logo_address(self) -> str:
        logo = current.context().site.logo
        return self.static_address(logo) if logo in self.static else logo


def footer_links() -> list[tuple[str, str]]:
    """Return the text and the address of each link at the foot of pages."""
    pairs = (link.partition("=") for link in current.context().site.footer_links)
    return [(text.strip(), address) for text, _, address in pairs]


def footer_text(chain: Sequence[str]) -> str:
    """Return the text at the foot of pages in the first language of a chain that has one."""
    texts = current.context().site.footer_text
    return next((texts[tag] for tag in chain if texts.get(tag)), "")


@lru_cache(256)
def texts_in(chain: Sequence[str]) -> CatalogTexts:
    """Return the texts of pages in the first language of a chain that has some."""
    return CatalogTexts(("pages",), chain, FILTER_NAMES)


def static_files(settings: Settings, *folders: Path) -> StaticFiles:
    """Return the static files of pages, of a theme, and of further folders.

    Sites with tiles have those of Leaflet, of which maps are made.
    """
    theme = theme_folder(settings.theme)
    themed = [theme / "static"] if theme else []
    below = {}
    if settings.map_tiles:
        below["leaflet"] = Path(str(files("js_lib_leaflet"))) / "static" / "js_lib_leaflet"
    return StaticFiles([_PAGES / "static", *themed, *folders], below)


def theme_folder(name: str) -> Path | None:
    """Return the folder of a theme: one that ships with the service, or any other directory.

    Raises ``ConfigurationError`` where there is none.
    """
    if not name:
        return None
    for folder in (_PAGES / "themes" / name, Path(name)):
        if folder.is_dir():
            return folder
    raise ConfigurationError(f"The setting theme names no directory: {name}.")


def default_address(alternates: Sequence[Any]) -> str:
    """Return the address of a page for readers of no particular language."""
    usual = current.context().settings.default_language
    candidates = [each for each in alternates if each.is_written] or list(alternates)
    return str(next((each for each in candidates if each.language == usual), candidates[0]).address)
