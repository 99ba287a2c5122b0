"""The post types and taxonomies that the site has, by which programs find their routes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from flask import Response

from calendar_app.accounts.callers import Caller, Right
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.errors.refusals import CHALLENGE, Refusal
from calendar_app.api.http.fields.scalars import OneOf, Text
from calendar_app.api.http.fields.schema import RequestSchema
from calendar_app.api.http.request import current
from calendar_app.api.http.views.loading import Refused, load_parameters
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.domain.kinds import MEDIA
from calendar_app.domain.texts.messages import translated
from calendar_app.errors import Message
from calendar_app.parts.wordpress import names
from calendar_app.parts.wordpress.attachments import ATTACHMENT
from calendar_app.parts.wordpress.contexts import CONTEXTS, CURIES, EDIT, EMBED, VIEW

_ADDRESSED = ("name", "slug", "rest_base", "rest_namespace", "icon", "_links")


@dataclass(frozen=True, slots=True)
class Described:
    """A post type or a taxonomy: its ``slug``, and its ``base`` in addresses.

    ``related`` are the taxonomies of a post type, or the post types of a taxonomy.
    """

    slug: str
    base: str
    name: Message
    related: tuple[str, ...] = ()
    hierarchical: bool = False
    has_archive: bool = False
    right: Right = Right.EDIT


@dataclass(frozen=True, slots=True)
class Collection:
    """All of a sort, at ``/wp/v2/{path}``, with the codes by which WordPress refuses."""

    path: str
    members: Mapping[str, Described]
    relation: str
    unknown: Refusal
    forbidden: Message


def _by_slug(*members: Described) -> Mapping[str, Described]:
    return MappingProxyType({each.slug: each for each in members})


_TAXONOMIES = tuple(each.taxonomy for each in (names.TAGS, names.CATEGORIES))
POST_TYPES = Collection(
    "types",
    _by_slug(
        Described(ATTACHMENT, MEDIA.name, Message("Pictures"), right=Right.UPLOAD),
        Described(
            names.EVENTS.name, names.EVENTS.name, Message("Events"), _TAXONOMIES, has_archive=True
        ),
        Described(names.VENUES.name, names.VENUES.name, Message("Venues")),
        Described(names.ORGANIZERS.name, names.ORGANIZERS.name, Message("Organizers")),
    ),
    "taxonomies",
    Refusal(404, "rest_type_invalid", Message("There is no such post type.")),
    Message("You may not edit posts of this type."),
)
TAXONOMIES = Collection(
    "taxonomies",
    _by_slug(
        Described(
            names.TAGS.taxonomy,
            names.TAGS.name,
            Message("Tags"),
            (names.EVENTS.name,),
            right=Right.MANAGE_TAGS,
        ),
        Described(
            names.CATEGORIES.taxonomy,
            names.CATEGORIES.name,
            Message("Categories"),
            (names.EVENTS.name,),
            hierarchical=True,
            right=Right.MANAGE_CATEGORIES,
        ),
    ),
    "types",
    Refusal(404, "rest_taxonomy_invalid", Message("There is no such taxonomy.")),
    Message("You may not manage the terms of this taxonomy."),
)
COLLECTIONS = (POST_TYPES, TAXONOMIES)


class ReadSchema(RequestSchema):
    """The parameters of a single one."""

    context = OneOf(CONTEXTS, load_default=VIEW, description="What it is for.")


class TaxonomyListSchema(ReadSchema):
    """The parameters of the taxonomies."""

    type = Text(description="Only those of this post type.")


def list_schema(collection: Collection) -> RequestSchema:
    """Return the parameters of all of a sort."""
    return TaxonomyListSchema() if collection is TAXONOMIES else ReadSchema()


def all_view(collection: Collection) -> type[ResourceView]:
    """Return the view of all of a sort, by their slugs."""
    schema = list_schema(collection)

    class All(ResourceView):
        def get(self) -> Response:
            context = current.context()
            sent = load_parameters(schema, context.parameters)
            members = [
                each
                for each in collection.members.values()
                if sent.get("type") is None or sent["type"] in each.related
            ]
            if sent["context"] == EDIT:
                members = [each for each in members if context.caller.may(each.right)]
                if not members:
                    raise _refused(collection, "rest_cannot_view", context.caller)
            body = {each.slug: _present(collection, each, sent["context"]) for each in members}
            return answer(translated(body, context.chain))

    return All


def one_view(collection: Collection) -> type[ResourceView]:
    """Return the view of one of a sort."""
    schema = ReadSchema()

    class One(ResourceView):
        def get(self, slug: str) -> Response:
            context = current.context()
            member = collection.members.get(slug)
            if member is None:
                raise Refused(collection.unknown)
            sent = load_parameters(schema, context.parameters)
            if sent["context"] == EDIT and not context.caller.may(member.right):
                raise _refused(collection, "rest_forbidden_context", context.caller)
            body = _present(collection, member, sent["context"])
            return answer(translated(body, context.chain))

    return One


def _refused(collection: Collection, code: str, caller: Caller) -> Refused:
    if caller.known:
        return Refused(Refusal(403, code, collection.forbidden))
    return Refused(Refusal(401, code, collection.forbidden, headers=CHALLENGE))


def _present(collection: Collection, member: Described, purpose: str) -> JSONObject:
    root = f"{current.context().addresses.index}{names.NAMESPACE}"
    body: JSONObject = {
        "description": "",
        "hierarchical": member.hierarchical,
        "name": member.name,
        "slug": member.slug,
        collection.relation: list(member.related),
        "rest_base": member.base,
        "rest_namespace": names.NAMESPACE,
        "_links": {
            "collection": [{"href": f"{root}/{collection.path}"}],
            "wp:items": [{"href": f"{root}/{member.base}"}],
            "curies": CURIES,
        },
    }
    if collection is POST_TYPES:
        body |= {"has_archive": member.has_archive, "icon": None}
    if purpose == EMBED:
        return {name: value for name, value in body.items() if name in _ADDRESSED}
    return {**body, **_edited(collection, member)} if purpose == EDIT else body


def _edited(collection: Collection, member: Described) -> dict[str, Any]:
    """Return what editors see beside: what forms have to show of a record."""
    labels = {"name": member.name}
    if collection is TAXONOMIES:
        shown = {"public": True, "publicly_queryable": True, "show_ui": True}
        return {"labels": labels, "show_cloud": True, "visibility": shown}
    supports = ("title", "editor", "author", "thumbnail", "custom-fields")
    return {"labels": labels, "viewable": True, "supports": dict.fromkeys(supports, True)}
