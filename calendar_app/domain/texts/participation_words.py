"""Names access, audience and registration of an event in the words of readers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.errors import Message

ACCESSIBILITY_WORDS: Mapping[str, Message] = MappingProxyType(
    {
        "wheelchair": Message("Accessible by wheelchair"),
        "accessible_toilet": Message("Wheelchair-accessible toilet"),
        "accessible_parking": Message("Parking for disabled people"),
        "seating": Message("Seats for those who cannot stand"),
        "companion": Message("Free entry for a companion"),
        "assistance_dog": Message("Assistance dogs are welcome"),
        "hearing_loop": Message("Hearing loop"),
        "sign_language": Message("Sign language"),
        "captions": Message("Captions"),
        "audio_description": Message("Audio description"),
        "tactile": Message("With things to touch"),
        "braille": Message("Texts in Braille"),
        "large_print": Message("Texts in large print"),
        "plain_language": Message("Plain language"),
        "quiet": Message("Quiet, with few stimuli"),
    }
)
GROUP_WORDS: Mapping[str, Message] = MappingProxyType(
    {
        "families": Message("Families"),
        "children": Message("Children"),
        "young_people": Message("Young people"),
        "adults": Message("Adults"),
        "seniors": Message("Older people"),
        "women": Message("Women"),
        "men": Message("Men"),
        "lgbtiq": Message("Queer people"),
        "newcomers": Message("Newcomers"),
        "visitors": Message("Visitors"),
        "students": Message("Students"),
        "schools": Message("School classes"),
        "professionals": Message("Professionals"),
    }
)


def ages_in_words(audience: Mapping[str, Any]) -> Message | None:
    """Return the ages of an audience; ``None`` where it has none."""
    first, last = audience.get("min_age"), audience.get("max_age")
    match first, last:
        case None, _:
            return None
        case 0, None:
            return Message("For all ages")
        case _, None:
            return Message("From {age} years", age=first)
        case 0, _:
            return Message("Up to {age} years", age=last)
        case _ if first == last:
            return Message("{age} years", age=first)
        case _:
            return Message("{first} to {last} years", first=first, last=last)


def audience_in_words(audience: Record | None) -> list[Message]:
    """Return for whom an event is: the ages, then the groups."""
    if audience is None:
        return []
    ages = ages_in_words(audience)
    groups = [GROUP_WORDS[word] for word in audience.get("groups", ())]
    return [*([ages] if ages else []), *groups]
