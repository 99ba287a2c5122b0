"""Request and response schemas of users."""

from typing import ClassVar

import marshmallow as ma

from calendar_app.accounts.policy import ROLES
from calendar_app.accounts.profiles import named_like
from calendar_app.http.fields.scalars import Flag, OneOf, Text
from calendar_app.http.lists.filtering import ListSchema, by
from calendar_app.http.presentation.shapes import AnswerShape, PageShape
from calendar_app.query.clauses import Clause, differs, equals


def _blocked(value: object) -> Clause:
    return equals("blocked", True) if value else differs("blocked", True)


class UserListSchema(ListSchema):
    """Parameters of the list of users."""

    class Meta:
        unknown = ma.EXCLUDE
        exclude: ClassVar = ("translation_status",)

    role = OneOf(
        tuple(ROLES), metadata=by(lambda role: equals("role", role), "Only users with this role.")
    )
    search = Text(
        blank=True, metadata=by(named_like, "Only users with this in their name or e-mail.")
    )
    blocked = Flag(metadata=by(_blocked, "Only users who are blocked, or only the others."))


class UserChangeSchema(ma.Schema):
    """Request body of a user; read-only fields are ignored."""

    class Meta:
        unknown = ma.EXCLUDE

    name = Text(required=True, description="The name with which they log in. It stays.")
    role = OneOf(tuple(ROLES), required=True, description="What they may do.")
    email = Text(blank=True, description="Where they are reached.")
    blocked = Flag(description="Whether they are kept out of the interface and the desk.")


class InvitationRequestSchema(ma.Schema):
    """Request body of an invitation."""

    class Meta:
        unknown = ma.EXCLUDE

    mail = Flag(description="Whether the link goes by e-mail, where the service sends any.")


class NewUserChangeSchema(UserChangeSchema, InvitationRequestSchema):
    """Request body of a new user, who is invited."""

    class Meta(UserChangeSchema.Meta):
        exclude: ClassVar = ("blocked",)


class UserReadSchema(ma.Schema):
    """Parameters of reads and deletes."""

    class Meta:
        unknown = ma.EXCLUDE

    context = ma.fields.Raw(metadata={"description": "Taken for the reference's sake."})


class InvitationShape(AnswerShape):
    """An invitation, shown only once."""

    link = ma.fields.String(metadata={"description": "Where the password is set."})
    mailed = ma.fields.Boolean(metadata={"description": "Whether a mail server has taken it."})


class UserSchema(AnswerShape):
    """Response body of a user."""

    id = ma.fields.Integer()
    name = ma.fields.String()
    role = ma.fields.String(metadata={"enum": list(ROLES)})
    email = ma.fields.String()
    blocked = ma.fields.Boolean()
    application_passwords = ma.fields.List(
        ma.fields.String(), metadata={"description": "What they are called."}
    )
    has_desk_password = ma.fields.Boolean()
    sessions = ma.fields.Integer(metadata={"description": "How many they have at the desk."})
    invited_until = ma.fields.String(
        allow_none=True, metadata={"description": "Until when their invitation holds, in UTC."}
    )
    rest_url = ma.fields.String()


class InvitedUserSchema(UserSchema):
    """Response body of a user who is invited."""

    invitation = ma.fields.Nested(InvitationShape)


class UserPageSchema(PageShape):
    users = ma.fields.List(ma.fields.Nested(UserSchema))
