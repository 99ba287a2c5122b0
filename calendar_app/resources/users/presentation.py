"""Users and invitations as JSON."""

from calendar_app.accounts.profiles import USER, Profile
from calendar_app.http.request import current
from calendar_app.presentation.records import JSONObject, date_text


def present(profile: Profile) -> JSONObject:
    """Present a user, without any secret."""
    return {
        "id": profile.id,
        "name": profile.name,
        "role": profile.role,
        "email": profile.email,
        "blocked": profile.blocked,
        "application_passwords": list(profile.labels),
        "has_desk_password": profile.has_desk_password,
        "sessions": profile.sessions,
        "invited_until": date_text(profile.invited) if profile.invited else None,
        "rest_url": current.addresses().record(USER.name, profile.id),
    }
