"""Users, for administrators."""

from collections.abc import Mapping
from typing import Any, ClassVar

from flask import Response, views
from flask.typing import ResponseReturnValue

from calendar_app.accounts.policy import ROLES
from calendar_app.accounts.profiles import USER, Profile, named_like
from calendar_app.api.http.answers.answering import answer, entity_tag
from calendar_app.api.http.fields.scalars import Flag, OneOf, Text
from calendar_app.api.http.fields.schema import RequestSchema, RequestValues
from calendar_app.api.http.lists.filtering import ListRequest, ListSchema, by
from calendar_app.api.http.lists.paging import answer_page, list_address
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import managing_users
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import require_permission
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.records import date_text
from calendar_app.api.presentation.shapes import Field, JSONObject, Shape, ShapeFields
from calendar_app.api.resources.managed import SingleReadSchema
from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message, PreconditionFailed
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

    name = Text(required=True, description="The name with which they log in. It stays.")
    role = OneOf(tuple(ROLES), required=True, description="What they may do.")
    email = Text(blank=True, description="Where they are reached.")
    display_name = Text(blank=True, description="The name by which people know them.")
    blocked = Flag(description="Whether they are kept out of the interface and the desk.")


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
        "mailed": Field("boolean", lambda it: it.mailed, "Whether a mail server has taken it."),
    },
)
_USER: ShapeFields[Profile] = {
    "id": Field("integer", lambda it: it.id, "The id of the user."),
    "name": Field("string", lambda it: it.name, "The display name."),
    "role": Field(tuple(ROLES), lambda it: it.role, "The role, which says what the user may do."),
    "email": Field("string", lambda it: it.email, "The e-mail address."),
    "display_name": Field("string", lambda it: it.display_name, "Empty where they chose none."),
    "blocked": Field("boolean", lambda it: it.blocked, "Whether the user is locked out."),
    "application_passwords": Field(["string"], lambda it: list(it.labels), "What they are called."),
    "has_desk_password": Field(
        "boolean", lambda it: it.has_desk_password, "Whether a password for the desk is set."
    ),
    "sessions": Field("integer", lambda it: it.sessions, "How many they have at the desk."),
    "invited_until": Field(
        "string|null",
        lambda it: date_text(it.invited) if it.invited else None,
        "Until when their invitation holds, in UTC.",
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


blueprint = Blueprint("users", __name__, description="Who may write")
_CHANGED = ("role", "email", "display_name", "blocked")


class UserView(ResourceView):
    """A view on users; no answer is kept, since it may hold a link that is shown once."""

    def dispatch_request(self, **path: Any) -> ResponseReturnValue:
        if current.context().request.method in ("GET", "HEAD"):
            return super().dispatch_request(**path)
        return views.MethodView.dispatch_request(self, **path)


@blueprint.route("/users")
class Users(UserView):
    @require_permission("edit", USER)
    @blueprint.arguments(UserListSchema, location="query")
    @blueprint.response(200, page_of(_PRESENTED, USER.name))
    def get(self, list_request: ListRequest) -> Response:
        """List users, by name.

        Only administrators may. No secret is shown, nor what is stored of it.
        """
        context, listing = current.context(), list_request.listing
        profiles, clause = context.services.profiles, listing.clause
        users = [_PRESENTED.present(profile) for profile in profiles.page(clause, listing.window)]
        page = Page([], listing.window, lambda: profiles.count(clause))
        return answer_page(USER, page, lambda: users, list_address(USER, context))

    @require_permission("create", USER)
    @blueprint.arguments(NewUserChangeSchema)
    @blueprint.response(201, _INVITED)
    def post(self, sent: RequestValues) -> Response:
        """Make a user, and invite them.

        The answer has a link, shown this once, at which they set their password for the desk.
        """
        identities = (sent.get("email", ""), sent.get("display_name", ""))
        profile = managing_users.create(sent["name"], sent["role"], *identities)
        location = current.context().addresses.record(USER.name, profile.id)
        return answer(_invited(profile, sent), 201, {"Location": location})


@blueprint.route("/users/<digits:id>")
class User(UserView):
    @require_permission("edit", USER)
    @blueprint.arguments(SingleReadSchema, location="query")
    @blueprint.response(200, _PRESENTED)
    def get(self, _sent: RequestValues, **path: int) -> Response:
        """Read a user.

        Only administrators may. No secret is shown, nor what is stored of it.
        """
        return _answer(_user(path))

    @require_permission("edit", USER)
    @blueprint.arguments(UserChangeSchema(partial=True))
    @blueprint.response(200, _PRESENTED)
    def post(self, sent: RequestValues, **path: int) -> Response:
        """Change the role or the e-mail of a user, or block them.

        Another role and a block end their sessions. The last administrator stays one.
        """
        profile = _user(path)
        _require_match(profile)
        if sent.get("name", profile.name) != profile.name:
            raise InvalidParameters({"name": Message("The name of a user stays.")})
        changes = {name: sent[name] for name in _CHANGED if name in sent}
        return _answer(managing_users.change(profile.id, changes))

    put = patch = post

    @require_permission("delete", USER)
    @blueprint.arguments(SingleReadSchema, location="query")
    @blueprint.response(200, _PRESENTED)
    def delete(self, _sent: RequestValues, **path: int) -> Response:
        """Remove a user.

        What they wrote stays. The last administrator stays too.
        """
        profile = _user(path)
        _require_match(profile)
        return _answer(managing_users.remove(profile.id))


@blueprint.route("/users/<digits:id>/invitation")
class UserInvitation(UserView):
    @require_permission("edit", USER)
    @blueprint.arguments(InvitationRequestSchema)
    @blueprint.response(200, _INVITED)
    def post(self, sent: RequestValues, **path: int) -> Response:
        """Invite a user to set their password for the desk.

        The answer has a link that holds once and for a day; earlier ones are void.
        """
        return answer(_invited(_user(path), sent))


@blueprint.route("/users/<digits:id>/sessions")
class UserSessions(UserView):
    @require_permission("delete", USER)
    @blueprint.arguments(SingleReadSchema, location="query")
    @blueprint.response(200, _PRESENTED)
    def delete(self, _sent: RequestValues, **path: int) -> Response:
        """End all sessions of a user at the desk.

        They can log in again, unless they are blocked.
        """
        return _answer(managing_users.end_sessions(_user(path).id))


@blueprint.route("/users/<digits:id>/application-passwords/<label>")
class ApplicationPassword(UserView):
    @require_permission("delete", USER)
    @blueprint.arguments(SingleReadSchema, location="query")
    @blueprint.response(200, _PRESENTED)
    def delete(self, _sent: RequestValues, **path: Any) -> Response:
        """Revoke an application password of a user.

        Programs with it come in no longer.
        """
        return _answer(managing_users.revoke(path["id"], path["label"]))


def _user(path: Mapping[str, int]) -> Profile:
    return current.context().services.profiles.find(path["id"])


def _answer(profile: Profile) -> Response:
    return answer(_PRESENTED.present(profile))


def _invited(profile: Profile, sent: RequestValues) -> JSONObject:
    invitation = managing_users.invite(profile, by_mail=sent.get("mail", True))
    invited = _PRESENTED.present(_user({"id": profile.id}))
    return invited | {"invitation": _INVITATION.present(invitation)}


def _require_match(profile: Profile) -> None:
    """Raise ``PreconditionFailed`` where ``If-Match`` names another state of the user."""
    if_match, body = current.context().request.if_match, _answer(profile).get_data()
    if if_match and not if_match.star_tag and not if_match.contains(entity_tag(body)):
        raise PreconditionFailed
