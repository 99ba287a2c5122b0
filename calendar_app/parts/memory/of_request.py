"""The services of this part for the request that is answered."""

from calendar_app.api.http.request import current
from calendar_app.parts.memory.services import TranslationServices


def requested_services() -> TranslationServices:
    """Return the services of the application that answers; only it has the routes of this part."""
    services = current.context().services.translation
    if not isinstance(services, TranslationServices):
        raise TypeError(f"{services!r} is of another part.")
    return services
