"""Response schemas that kinds share, for the OpenAPI document.

Members are required where whole answers always have them; ``http/openapi/selections.py`` has the
schemas of answers of which ``_fields`` leaves some out.
"""

from collections.abc import Collection
from typing import ClassVar

import marshmallow as ma

from calendar_app.domain.statuses import REGISTERED


def texts_by_language() -> ma.fields.Dict:
    """Return the field of the texts of every language."""
    return ma.fields.Dict(
        keys=ma.fields.String(),
        values=ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.Raw(allow_none=True)),
        metadata={"description": "With `all` as language: the texts of every language."},
    )


class AnswerShape(ma.Schema):
    """A body whose members all come always, except those that ``sometimes`` names."""

    sometimes: ClassVar[Collection[str]] = ()

    def on_bind_field(self, field_name: str, field_obj: ma.fields.Field[object]) -> None:
        """Require the field, unless it comes only sometimes."""
        field_obj.required = field_name not in self.sometimes


class TranslationShape(AnswerShape):
    """The state of a record in one language."""

    status = ma.fields.String(metadata={"enum": ["current", "outdated", "missing"]})
    url = ma.fields.String()
    rest_url = ma.fields.String()


class LocalizedShape(AnswerShape):
    """The language fields of every record."""

    sometimes: ClassVar[Collection[str]] = ("variants",)

    language = ma.fields.String()
    fallback_fields = ma.fields.List(ma.fields.String())
    translations = ma.fields.Dict(
        keys=ma.fields.String(), values=ma.fields.Nested(TranslationShape)
    )
    variants = texts_by_language()


class PostShape(LocalizedShape):
    """The fields that events, venues and organizers share."""

    sometimes: ClassVar[Collection[str]] = (*LocalizedShape.sometimes, "json_ld")

    id = ma.fields.Integer()
    global_id = ma.fields.String()
    global_id_lineage = ma.fields.List(ma.fields.String())
    author = ma.fields.String()
    status = ma.fields.String(metadata={"enum": list(REGISTERED)})
    date = ma.fields.String()
    date_utc = ma.fields.String()
    modified = ma.fields.String()
    modified_utc = ma.fields.String()
    url = ma.fields.String()
    description = ma.fields.String()
    slug = ma.fields.String()
    json_ld = ma.fields.Dict(metadata={"description": "schema.org; where it stands alone."})


class TermShape(LocalizedShape):
    """The fields that categories and tags share."""

    sometimes: ClassVar[Collection[str]] = (*LocalizedShape.sometimes, "_links")

    id = ma.fields.Integer()
    count = ma.fields.Integer()
    name = ma.fields.String()
    description = ma.fields.String()
    slug = ma.fields.String()
    taxonomy = ma.fields.String()
    url = ma.fields.String()
    urls = ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.String())
    meta = ma.fields.List(ma.fields.Raw())
    _links = ma.fields.Dict()


class PageShape(AnswerShape):
    """The fields of every list besides its records."""

    sometimes: ClassVar[Collection[str]] = ("next_rest_url", "previous_rest_url")

    rest_url = ma.fields.String()
    next_rest_url = ma.fields.String()
    previous_rest_url = ma.fields.String()
    total = ma.fields.Integer()
    total_pages = ma.fields.Integer()


class MediaUseShape(AnswerShape):
    """A record that uses a picture."""

    type = ma.fields.String(metadata={"enum": ["event", "venue", "organizer"]})
    id = ma.fields.Integer()
    url = ma.fields.Url(metadata={"description": "its address in this interface"})


class ErrorDataShape(ma.Schema):
    status = ma.fields.Integer(required=True)
    params = ma.fields.Raw()
    details = ma.fields.Raw()
    term_id = ma.fields.Integer()
    used_by = ma.fields.List(ma.fields.Nested(MediaUseShape))
    uses = ma.fields.Integer()
    request_id = ma.fields.String()
    json_error_code = ma.fields.Integer()
    json_error_message = ma.fields.String()


class ErrorShape(ma.Schema):
    """The body of every error."""

    code = ma.fields.String(required=True)
    message = ma.fields.String(required=True)
    data = ma.fields.Nested(ErrorDataShape, required=True)
