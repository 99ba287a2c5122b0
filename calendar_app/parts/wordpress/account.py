"""Who calls, as WordPress says it: the route by which programs test their credentials."""

from collections.abc import Mapping
from types import MappingProxyType

from flask import Response

from calendar_app.accounts.callers import Caller, Right
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.errors.refusals import CHALLENGE, Refusal
from calendar_app.api.http.fields.scalars import OneOf
from calendar_app.api.http.fields.schema import RequestSchema
from calendar_app.api.http.request import current
from calendar_app.api.http.views.loading import Refused, load_parameters
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.domain.richtext import escape
from calendar_app.domain.slugs import slugify
from calendar_app.errors import Message
from calendar_app.parts.wordpress.contexts import CONTEXTS, EDIT, EMBED, VIEW
from calendar_app.parts.wordpress.names import NAMESPACE

PATH = f"/{NAMESPACE}/users/me"
_POSTS = ("posts", "tribe_events", "tribe_venues", "tribe_organizers")
# The capabilities that each right gives; {} stands for each of the kinds of posts.
_CAPABILITIES: Mapping[Right, tuple[str, ...]] = MappingProxyType(
    {
        Right.EDIT: ("edit_{}",),
        Right.EDIT_PUBLISHED: ("edit_published_{}",),
        Right.EDIT_OTHERS: ("edit_others_{}",),
        Right.DELETE: ("delete_{}",),
        Right.DELETE_PUBLISHED: ("delete_published_{}",),
        Right.DELETE_OTHERS: ("delete_others_{}",),
        Right.PUBLISH: ("publish_{}",),
        Right.READ_PRIVATE: ("read_private_{}", "edit_private_{}"),
        Right.MANAGE_CATEGORIES: ("manage_categories",),
        Right.MANAGE_TAGS: ("manage_post_tags",),
        Right.UPLOAD: ("upload_files",),
        Right.UNFILTERED_HTML: ("unfiltered_html",),
        Right.MANAGE_USERS: ("list_users", "create_users", "edit_users", "delete_users"),
    }
)
_NOT_LOGGED_IN = Message("You are not currently logged in.")


class MeSchema(RequestSchema):
    """The parameters of the route."""

    context = OneOf(CONTEXTS, load_default=VIEW, description="What the user is for.")


_SCHEMA = MeSchema()


class Me(ResourceView):
    """The authenticated user."""

    def get(self) -> Response:
        context = current.context()
        if not context.caller.id:
            raise Refused(Refusal(401, "rest_not_logged_in", _NOT_LOGGED_IN, headers=CHALLENGE))
        sent = load_parameters(_SCHEMA, context.parameters)
        return answer(_present(context.caller, sent["context"]))


def _present(caller: Caller, purpose: str) -> JSONObject:
    context = current.context()
    body: JSONObject = {
        "id": caller.id,
        "name": escape(caller.shown_name),
        "url": "",
        "description": "",
        "link": f"{context.addresses.site}/",
        "slug": slugify(caller.name),
        "_links": {"self": [{"href": f"{context.addresses.index}{PATH.removeprefix('/')}"}]},
    }
    if purpose == EMBED:
        return body
    body["meta"] = []
    return {**body, **_edited(caller)} if purpose == EDIT else body


def _edited(caller: Caller) -> JSONObject:
    """Return the fields that only the user sees."""
    profile = current.context().services.profiles.find(caller.id)
    return {
        "username": profile.name,
        "first_name": "",
        "last_name": "",
        "nickname": profile.shown_name,
        "email": profile.email,
        "locale": profile.language,
        "roles": [profile.role],
        "capabilities": _capabilities(caller),
        "extra_capabilities": {profile.role: True},
    }


def _capabilities(caller: Caller) -> dict[str, bool]:
    names = [
        "read",
        *(name for right in Right if caller.may(right) for name in _CAPABILITIES[right]),
    ]
    return {name.format(posts): True for name in names for posts in _POSTS}
