"""Letters to those who answer for a source that has failed for a week."""

from calendar_app.api.http.request.state import Services
from calendar_app.changes.mail import Letter
from calendar_app.domain.kind import Record
from calendar_app.errors import Message
from calendar_app.site.desk.sessions import PREFIX
from calendar_app.site.desk.sources.words import reason_in_words
from calendar_app.site.html.texts import CatalogTexts
from calendar_app.sources.overview import SourceStatus

_SUBJECT = Message("{site}: a source cannot be read")
_TEXT = Message("The source “{source}” could not be read since {day}.")
_REASON = Message("The last reason: {reason}")
_WHERE = Message("Its page at the desk:")
_STAYS = Message("Its events stay as they are meanwhile.")


def tell_of_failures(services: Services) -> None:
    """Write once to the user responsible for each source that has failed for a week."""
    for stored in services.sources.overview.failing():
        for profile in services.profiles.find_by_ids([stored.source.responsible]):
            language = profile.language or services.settings.default_language
            letter = letter_about(stored, CatalogTexts(("desk",), (language,)), services)
            services.mailer.send(Letter(profile.email, *letter, language))


def letter_about(stored: SourceStatus, texts: CatalogTexts, services: Services) -> tuple[str, str]:
    """Return subject and text of a letter about a source."""
    settings, source, state = services.settings, stored.source, stored.state
    gaps: Record = {"source": source.name, "day": f"{state['failing_since']:%Y-%m-%d}"}
    reason = reason_in_words(state.get("reason", ""), texts)
    paragraphs = [
        texts.message(Message(_TEXT.pattern, **gaps)),
        texts.message(Message(_REASON.pattern, reason=reason)) if reason else "",
        texts.message(_STAYS),
    ]
    if settings.site_url:
        address = f"{settings.site_url.rstrip('/')}{PREFIX}/sources/{source.id}"
        paragraphs.append(f"{texts.message(_WHERE)}\n{address}")
    subject = texts.message(Message(_SUBJECT.pattern, site=settings.site_name))
    return subject, "\n\n".join(filter(None, paragraphs)) + "\n"
