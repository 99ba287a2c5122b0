"""Templates of the service and of themes, and the surfaces of the site that use them."""

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import CodeType
from typing import Any, ClassVar
from urllib.parse import urlsplit

import structlog
from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    meta,
    pass_context,
)
from jinja2.bccache import Bucket, BytecodeCache
from jinja2.runtime import Context as JinjaContext

from calendar_app.api.http.request import current
from calendar_app.settings import Settings
from calendar_app.site.html import wording
from calendar_app.site.html.pieces import ICONS, prose
from calendar_app.site.html.static_files import StaticFiles
from calendar_app.site.html.texts import CatalogTexts

_SUFFIX = ".html"
# In the context of a template: the texts in the language of its reader.
_TEXTS = "_texts"


class LiveSettings:
    """The settings as templates read them: those of the operator, and those of the desk."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open_at_desk = frozenset(settings.open_at_desk)

    def __getattr__(self, name: str) -> Any:
        source = current.context().site if name in self._open_at_desk else self._settings
        return getattr(source, name)


class Surface:
    """The templates and static files of the pages or of the desk, below ``prefix``.

    Templates of the directory ``own`` stand before those of the package; further ``packages`` have
    some as well.
    """

    package: ClassVar[str]
    prefix: ClassVar[str] = ""

    def __init__(
        self,
        settings: Settings,
        static: StaticFiles,
        own: Path | None = None,
        packages: Sequence[str] = (),
    ) -> None:
        self.settings = settings
        self.static = static
        self._addresses: dict[str, Mapping[str, str]] = {}
        self.templates = Templates((self.package, *packages), own, self._environment)

    def texts(self) -> CatalogTexts:
        """Return the texts of the request that runs."""
        raise NotImplementedError

    def names(self) -> dict[str, Any]:
        """Return the global names of all templates."""
        return {
            "settings": LiveSettings(self.settings),
            "wording": wording,
            "icons": ICONS,
            "static": self.static_address,
            "has_static": self.static.__contains__,
        }

    @pass_context
    def message(self, context: JinjaContext, message: str) -> str:
        """Return a message in the language of the page."""
        texts: CatalogTexts = context.get(_TEXTS) or self.texts()
        return texts.message(message)

    def filters(self) -> dict[str, Any]:
        """Return the filters of all templates."""
        return {
            "host": lambda address: urlsplit(address).hostname or address,
            "prose": lambda html: prose(html, current.context().addresses),
        }

    def page(self, template: str, texts: CatalogTexts, /, **parts: Any) -> str:
        """Return the HTML of a template, with texts in the language of its reader."""
        static = self._static_addresses(current.context().addresses.root_path).__getitem__
        shared = {"static": static, _TEXTS: texts, **texts.functions}
        return self.templates.render(template, **{**shared, **parts})

    def static_address(self, name: str) -> str:
        """Return the address of a static file, relative to the host."""
        return self._static_addresses(current.context().addresses.root_path)[name]

    def _static_addresses(self, root: str) -> Mapping[str, str]:
        """Return the addresses of all static files below the path of the site."""
        if root not in self._addresses:
            self._addresses[root] = {
                name: f"{root}{self.prefix}/static/{hashed}"
                for name, hashed in self.static.hashed_names.items()
            }
        return self._addresses[root]

    def _environment(self, loader: BaseLoader) -> Environment:
        """Return the environment that compiles templates."""
        environment = Environment(
            loader=loader,
            bytecode_cache=_COMPILED,
            autoescape=True,
            auto_reload=False,
            cache_size=-1,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n", "jinja2.ext.loopcontrols"],
        )
        environment.install_gettext_callables(  # type: ignore[attr-defined]  # of the extension
            lambda text: self.texts().gettext(text),
            lambda *forms: self.texts().ngettext(*forms),
            newstyle=True,
        )
        environment.globals.update(self.names())
        environment.filters.update(self.filters())
        return environment


class _Compiled(BytecodeCache):
    """Keeps compiled templates by name and text, since compiling takes longer than rendering."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code:
            self._codes[bucket.key, bucket.checksum] = bucket.code


# Of all applications of a process; all compile in the same way.
_COMPILED = _Compiled()


class LoadedTemplates(BaseLoader):
    """Reads all templates of a folder at once, except broken ones.

    A worker goes on with them when an upgrade replaces the files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.failures: dict[str, str] = {}
        self._sources: dict[str, str] = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self._read(path.relative_to(folder).as_posix(), path)

    def _read(self, name: str, path: Path) -> None:
        try:
            self._sources[name] = path.read_text(encoding="utf-8")
        except (OSError, UnicodeError) as error:
            self.failures[name] = str(error)

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        del environment
        if template in self.failures or template not in self._sources:
            raise TemplateNotFound(template)
        return self._sources[template], str(self.folder / template), lambda: True

    def list_templates(self) -> list[str]:
        return sorted(self._sources.keys() | self.failures.keys())


class Templates:
    """The templates of packages, with those of a theme in ``folder`` before ours."""

    def __init__(
        self,
        packages: Sequence[str],
        folder: Path | None,
        environment_of: Callable[[BaseLoader], Environment],
    ) -> None:
        shipped = ChoiceLoader([LoadedTemplates(_folder_of(package)) for package in packages])
        self._own = LoadedTemplates(folder) if folder else None
        self._shipped = environment_of(shipped)
        self._all = environment_of(ChoiceLoader([self._own, shipped])) if self._own else None
        if self._own and self._all:
            self._own.failures.update(_failures(self._all, self._own))

    @property
    def failures(self) -> Mapping[str, str]:
        """Why templates of the theme cannot be used, by name; ours stand in for these."""
        return self._own.failures if self._own else {}

    @property
    def environment(self) -> Environment:
        """Return the environment of our own templates."""
        return self._shipped

    @property
    def own_names(self) -> frozenset[str]:
        """The names of the templates that the theme has."""
        return frozenset(self._own.list_templates() if self._own else ())

    def render(self, name: str, /, **context: Any) -> str:
        """Return the HTML of a template; a theme that fails is left out of it."""
        if self._own is None or self._all is None:
            return self._shipped.get_template(name).render(**context)
        try:
            return self._all.get_template(name).render(**context)
        except Exception as error:  # noqa: BLE001  # it is not our code, or else fails again
            html = self._shipped.get_template(name).render(**context)
            log_failure(_culprit(error, self._own.folder) or name, repr(error))
            return html


def _folder_of(package: str) -> Path:
    """Return the folder of the templates of a package."""
    return Path(str(files(package))) / "templates"


def log_failure(template: str, error: str) -> None:
    structlog.get_logger().error("template of the theme failed", template=template, error=error)


def _failures(environment: Environment, theme: LoadedTemplates) -> Iterator[tuple[str, str]]:
    """Yield name and reason of templates that fail to compile, or include a missing one."""
    names = frozenset(environment.list_templates())
    for name in theme.list_templates():
        if not name.endswith(_SUFFIX) or name in theme.failures:
            continue
        try:
            source = theme.get_source(environment, name)[0]
            environment.compile(source, name)
            parts = meta.find_referenced_templates(environment.parse(source, name))
        except TemplateError as error:
            line = getattr(error, "lineno", None)
            yield name, f"{error.message}{f' (line {line})' if line else ''}"
        else:
            if missing := next((part for part in parts if part and part not in names), None):
                yield name, f"there is no template {missing}"


def _culprit(error: Exception, folder: Path) -> str:
    """Return the name of the theme's template in which an error was raised, if it was in one."""
    paths = (Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__))
    templates = [
        path.relative_to(folder).as_posix() for path in paths if path.is_relative_to(folder)
    ]
    return templates[-1] if templates else ""
