"""Templates of pages, a theme's own among them; where one of these fails, ours stands in."""

import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import structlog
from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    TemplateError,
    TemplateNotFound,
    meta,
)

_SUFFIX = ".html"


class OwnTemplates(FileSystemLoader):
    """Loads the templates of a theme but those that cannot be compiled."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.folder = folder
        self.failures: dict[str, str] = {}

    def get_source(self, environment: Environment, template: str) -> Any:
        if template in self.failures:
            raise TemplateNotFound(template)
        return super().get_source(environment, template)


class Templates:
    """The templates of pages, with those of a theme in ``folder`` before ours."""

    def __init__(
        self, folder: Path | None, environment_of: Callable[[BaseLoader], Environment]
    ) -> None:
        shipped = PackageLoader("calendar_app.pages")
        self._own = OwnTemplates(folder) if folder else None
        self._shipped = environment_of(shipped)
        self._all = environment_of(ChoiceLoader([self._own, shipped])) if self._own else None

    def compile_own(self) -> dict[str, str]:
        """Return why templates of the theme cannot be used, by name; ours stand in for these."""
        if self._own is None or self._all is None:
            return {}
        self._own.failures.update(_failures(self._all, self._own))
        return self._own.failures

    def render(self, name: str, **context: Any) -> str:
        """Return the HTML of a template; a theme that fails is left out of it."""
        if self._own is None or self._all is None:
            return self._shipped.get_template(name).render(**context)
        try:
            return self._all.get_template(name).render(**context)
        except Exception as error:  # noqa: BLE001  # it is not our code, or else fails again
            html = self._shipped.get_template(name).render(**context)
            log_failure(_culprit(error, self._own.folder) or name, repr(error))
            return html


def log_failure(template: str, error: str) -> None:
    structlog.get_logger().error("template of the theme failed", template=template, error=error)


def _failures(environment: Environment, own: OwnTemplates) -> Iterator[tuple[str, str]]:
    """Yield name and reason of the templates that cannot be compiled, or name one that is not."""
    names = frozenset(environment.list_templates())
    for name in own.list_templates():
        if not name.endswith(_SUFFIX):
            continue
        try:
            source = own.get_source(environment, name)[0]
            environment.compile(source, name)
            parts = meta.find_referenced_templates(environment.parse(source, name))
        except TemplateError as error:
            line = getattr(error, "lineno", None)
            yield name, f"{error.message}{f' (line {line})' if line else ''}"
        except (OSError, UnicodeError) as error:
            yield name, str(error)
        else:
            if missing := next((part for part in parts if part and part not in names), None):
                yield name, f"there is no template {missing}"


def _culprit(error: Exception, folder: Path) -> str:
    """Return the name of the theme's template in which an error was raised, if it was in one."""
    paths = (Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__))
    own = [path.relative_to(folder).as_posix() for path in paths if path.is_relative_to(folder)]
    return own[-1] if own else ""
