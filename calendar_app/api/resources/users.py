"""Users, for administrators."""

from collections.abc import Mapping
from typing import Any, ClassVar

from flask import Response, views
from flask.typing import ResponseReturnValue

from calendar_app.accounts.callers import ROLES, Caller
from calendar_app.accounts.profiles import USER, Profile, named_like
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.fields.scalars import Flag, OneOf, Text
from calendar_app.api.http.fields.schema import RequestSchema, RequestValues
from calendar_app.api.http.lists.filtering import ListRequest, ListSchema, by
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import managing_users
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import require_permission
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.records import date_text
from calendar_app.api.presentation.shapes import Field, JSONObject, Shape, ShapeFields
from calendar_app.api.resources.managed import Managed, SingleReadSchema, add_managed
from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message
from calendar_app.storage.query.clauses import Clause, differs, equals
from calendar_app.storage.query.list_query import AnyOrder, Page


def _blocked(value: object, _context: Context) -> Clause:
    return equals("blocked", True) if value else differs("blocked", True)


class UserListSchema(ListSchema):
    """Parameters of the list of users."""

    kind = USER

    class Meta(ListSchema.Meta):
        exclude: ClassVar = ("translation_status", "translation_state", "translation_origin")

    role = OneOf(
        tuple(ROLES),
        metadata=by(lambda role, _: equals("role", role), "Only users with this role."),
    )
    search = Text(
        blank=True,
        metadata=by(
            lambda text, _: named_like(text), "Only users with this in a name or their e-mail."
        ),
    )
    blocked = Flag(metadata=by(_blocked, "Only users who are blocked, or only the others."))

    def sorting(self, _values: Record, _context: Context) -> AnyOrder:
        return ()


class UserChangeSchema(RequestSchema):
    """Request body of a user; read-only fields are ignored."""

    name = Text(required=True, description="The name they log in with. It cannot be changed.")
    role = OneOf(tuple(ROLES), required=True, description="What they may do.")
    email = Text(blank=True, description="The e-mail address.")
    display_name = Text(blank=True, description="The display name.")
    blocked = Flag(description="Whether they are locked out of the interface and the desk.")


class InvitationRequestSchema(RequestSchema):
    """Request body of an invitation."""

    mail = Flag(description="Whether the link goes by e-mail, where the service sends any.")


class NewUserChangeSchema(UserChangeSchema, InvitationRequestSchema):
    """Request body of a new user, who is invited."""

    class Meta(UserChangeSchema.Meta):
        exclude: ClassVar = ("blocked",)


_INVITATION = Shape[managing_users.Invitation](
    "Invitation",
    {
        "link": Field("string", lambda it: it.link, "Where the password is set."),
        "mailed": Field("boolean", lambda it: it.mailed, "Whether a mail server accepted it."),
    },
)
_USER: ShapeFields[Profile] = {
    "id": Field("integer", lambda it: it.id, "The id of the user."),
    "name": Field("string", lambda it: it.name, "The display name."),
    "role": Field(tuple(ROLES), lambda it: it.role, "The role, which says what the user may do."),
    "email": Field("string", lambda it: it.email, "The e-mail address."),
    "display_name": Field(
        "string",
        lambda it: it.display_name,
        "The language of the desk; empty where they chose none.",
    ),
    "blocked": Field("boolean", lambda it: it.blocked, "Whether the user is locked out."),
    "application_passwords": Field(["string"], lambda it: list(it.labels), "The display name."),
    "has_desk_password": Field(
        "boolean", lambda it: it.has_desk_password, "Whether a password for the desk is set."
    ),
    "sessions": Field(
        "integer", lambda it: it.sessions, "The number of their sessions at the desk."
    ),
    "invited_until": Field(
        "string|null",
        lambda it: date_text(it.invited) if it.invited else None,
        "When their invitation expires, in UTC.",
    ),
    "rest_url": Field(
        "string",
        lambda it: current.context().addresses.record(USER.name, it.id),
        "The address of the user in this interface.",
    ),
}
# Without any secret.
_PRESENTED = Shape("User", _USER)
_INVITED = Shape[Profile](
    "InvitedUser",
    {**_USER, "invitation": Field(_INVITATION, meaning="The invitation that was sent.")},
)


blueprint = Blueprint("users", __name__, description="Users")
_FOR_ADMINISTRATORS = "For administrators. Secrets and their hashes are never shown."
_CHANGED = ("role", "email", "display_name", "blocked")


class UserView(ResourceView):
    """A view on users; no answer is kept, since it may hold a link that is shown once."""

    def dispatch_request(self, **path: Any) -> ResponseReturnValue:
        if current.context().request.method in ("GET", "HEAD"):
            return super().dispatch_request(**path)
        return views.MethodView.dispatch_request(self, **path)


class _Users:
    """The use cases of users, as administrators manage them."""

    def get(self, entry_id: int, _caller: Caller) -> Profile:
        return _user(entry_id)

    def change(self, entry_id: int, changes: Mapping[str, Any], _caller: Caller) -> Profile:
        profile = _user(entry_id)
        if changes.get("name", profile.name) != profile.name:
            raise InvalidParameters({"name": Message("The name of a user stays.")})
        own = {name: changes[name] for name in _CHANGED if name in changes}
        return managing_users.change(entry_id, own)

    def remove(self, entry_id: int, _caller: Caller) -> Profile:
        return managing_users.remove(entry_id)


def _read_page(list_request: ListRequest) -> tuple[list[Profile], Page]:
    profiles, listing = current.context().services.profiles, list_request.listing
    page = Page([], listing.window, lambda: profiles.count(listing.clause))
    return profiles.page(listing.clause, listing.window), page


def _add(sent: RequestValues) -> tuple[int, JSONObject]:
    identities = (sent.get("email", ""), sent.get("display_name", ""))
    profile = managing_users.create(sent["name"], sent["role"], *identities)
    return profile.id, _invited(profile, sent)


_MANAGED = Managed(
    USER,
    lambda action: require_permission(action, USER),
    _Users,
    _read_page,
    adds=NewUserChangeSchema(),
    changes=UserChangeSchema(partial=True),
    answers=_PRESENTED,
    added=_INVITED,
    add=_add,
    words={
        "list": f"List users, by name.\n\n{_FOR_ADMINISTRATORS}",
        "create": "Make a user, and invite them.\n\n"
        "The answer has a link, shown only once, at which they set their password for the desk.",
        "read": f"Read a user.\n\n{_FOR_ADMINISTRATORS}",
        "change": "Change the role or the e-mail of a user, or block them.\n\n"
        "A new role or a block ends their sessions. The last administrator keeps this role.",
        "remove": "Remove a user.\n\nWhat they wrote stays. The last administrator stays.",
    },
    lists=UserListSchema,
    view=UserView,
)
add_managed(blueprint, _MANAGED)


@blueprint.route("/users/<digits:id>/invitation")
class UserInvitation(UserView):
    @require_permission("edit", USER)
    @blueprint.arguments(InvitationRequestSchema)
    @blueprint.response(200, _INVITED)
    def post(self, sent: RequestValues, **path: int) -> Response:
        """Invite a user to set their password for the desk.

        The answer has a link that works once, within a day; earlier links stop working.
        """
        return answer(_invited(_user(path["id"]), sent))


@blueprint.route("/users/<digits:id>/sessions")
class UserSessions(UserView):
    @require_permission("delete", USER)
    @blueprint.arguments(SingleReadSchema, location="query")
    @blueprint.response(200, _PRESENTED)
    def delete(self, _sent: RequestValues, **path: int) -> Response:
        """End all sessions of a user at the desk.

        They can log in again, unless they are blocked.
        """
        return _answer(managing_users.end_sessions(_user(path["id"]).id))


@blueprint.route("/users/<digits:id>/application-passwords/<label>")
class ApplicationPassword(UserView):
    @require_permission("delete", USER)
    @blueprint.arguments(SingleReadSchema, location="query")
    @blueprint.response(200, _PRESENTED)
    def delete(self, _sent: RequestValues, **path: Any) -> Response:
        """Revoke an application password of a user.

        Programs that use it are refused from then on.
        """
        return _answer(managing_users.revoke(path["id"], path["label"]))


def _user(user_id: int) -> Profile:
    return current.context().services.profiles.find(user_id)


def _answer(profile: Profile) -> Response:
    return answer(_PRESENTED.present(profile))


def _invited(profile: Profile, sent: RequestValues) -> JSONObject:
    invitation = managing_users.invite(profile, by_mail=sent.get("mail", True))
    invited = _PRESENTED.present(_user(profile.id))
    return invited | {"invitation": _INVITATION.present(invitation)}
