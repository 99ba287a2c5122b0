"""Proposals of translations, from what the calendar has said before."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import marshmallow as ma
from flask import Response

from calendar_app.calendar.remembering.proposing import Answer, Asked, Recalled
from calendar_app.domain.differences import difference, marked
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.translations import words_of
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.answers.answering import answer
from calendar_app.http.errors.problems import refuse
from calendar_app.http.fields.scalars import Converted, OneOf
from calendar_app.http.fields.schema import Parameter, RequestSchema
from calendar_app.http.request import current
from calendar_app.http.request.current import Context
from calendar_app.http.request.negotiation import named_language
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import require_permission
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.kinds import EVENT, KINDS, MEDIA, SERIES
from calendar_app.presentation.shapes import Field, JSONObject, Shape

_KINDS: Mapping[str, Kind] = {kind.name: kind for kind in (*KINDS, SERIES, MEDIA)}
_HTML = (Markup.HTML, Markup.INLINE)
MOST_TEXTS, LONGEST = 20, 20_000


def _language(value: Any, context: Context) -> str:
    tag = named_language(value, context.settings.languages) if isinstance(value, str) else None
    if tag is None:
        raise ValueError(Message("This must be a language of the site."))
    return tag


class _Texts(Parameter):
    """A list of texts, or texts by field."""

    schema: Mapping[str, Any] = {
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "maxItems": MOST_TEXTS},
            {"type": "object", "additionalProperties": {"type": "string"}},
        ]
    }

    def read(self, value: Any, _context: Context) -> list[tuple[str, str]]:
        """Return each text with its field, empty where none is named."""
        texts = list(value.items()) if isinstance(value, dict) else value
        if isinstance(value, list):
            texts = [("", text) for text in value]
        if not isinstance(texts, list) or not all(isinstance(text, str) for _, text in texts):
            refuse(Message("texts must be a list of texts, or texts by field."))
        if not 0 < len(texts) <= MOST_TEXTS:
            refuse(Message("texts must have 1 to {most} texts.", most=MOST_TEXTS))
        if any(len(text) > LONGEST for _, text in texts):
            refuse(Message("Each of the texts may have {most} characters.", most=LONGEST))
        return texts


class ProposalRequestSchema(RequestSchema):
    """Texts of one language, to be said in another one."""

    source = Converted(
        _language, {"type": "string"}, required=True, description="The language of the texts."
    )
    target = Converted(
        _language, {"type": "string"}, required=True, description="The language that is asked for."
    )
    texts = _Texts(required=True, description="A list of texts, or texts by field.")
    kind = OneOf(tuple(_KINDS), description="Of which kind of record they are; else of events.")

    @ma.validates_schema
    def require_two_languages(self, values: Record, **_: Any) -> None:
        if values["source"] == values["target"]:
            reason = Message("target must be another language than source.")
            raise InvalidParameters({"target": reason})


@dataclass(frozen=True, slots=True)
class _Proposed:
    """A proposal, beside the words of the text for which it was asked."""

    words: str
    recalled: Recalled


def _address(recalled: Recalled) -> str | None:
    addresses = current.context().addresses
    has_record = recalled.kind in _KINDS
    return addresses.record(recalled.kind, recalled.record) if has_record else None


_ORIGIN = Shape[Recalled](
    "ProposalOrigin",
    {
        "kind": Field("string", lambda it: it.kind),
        "id": Field("integer", lambda it: it.record),
        "field": Field("string", lambda it: it.field),
        "rest_url": Field("string|null", _address, "null where it comes from a file of TMX."),
    },
)
_PROPOSAL = Shape[_Proposed](
    "Proposal",
    {
        "text": Field("string", lambda it: it.recalled.text, "How it was said."),
        "source": Field("string", lambda it: it.recalled.source, "The text that was said so."),
        "likeness": Field(
            "number",
            lambda it: round(it.recalled.likeness, 1),
            "How alike source and text are, in percent; 100: their words are equal.",
        ),
        "difference": Field(
            "string",
            lambda it: marked(difference(it.recalled.source, it.words)),
            "What the text has otherwise than source, marked as ins and del.",
        ),
        "uses": Field(
            "integer", lambda it: it.recalled.number, "How many of the newest records say it so."
        ),
        "from": Field(_ORIGIN, lambda it: _ORIGIN.present(it.recalled), "A record that says it."),
    },
)
_SENTENCE = Shape[_Proposed](
    "SentenceProposal",
    {
        "sentence": Field("string", lambda it: it.words),
        "proposal": Field(_PROPOSAL, _PROPOSAL.present),
    },
)


@dataclass(frozen=True, slots=True)
class _Answered:
    field: str
    text: str
    answer: Answer


def _proposals(answered: _Answered) -> list[JSONObject]:
    words = words_of(answered.text)
    return [_PROPOSAL.present(_Proposed(words, each)) for each in answered.answer.proposals]


_ANSWER = Shape[_Answered](
    "ProposedText",
    {
        "field": Field("string", lambda it: it.field, "The field; empty where none was named."),
        "text": Field("string", lambda it: it.text, "The text that was sent."),
        "proposals": Field([_PROPOSAL], _proposals, "Equal ones, else those that are like it."),
        "sentences": Field(
            [_SENTENCE],
            lambda it: [_SENTENCE.present(_Proposed(*each)) for each in it.answer.sentences],
            "Sentences of it that were said before, where all of it was not.",
        ),
    },
)
_ANSWERS = Shape[Mapping[str, Any]](
    "Proposals",
    {
        "source": Field("string", lambda it: it["source"]),
        "target": Field("string", lambda it: it["target"]),
        "texts": Field([_ANSWER], lambda it: list(map(_ANSWER.present, it["answers"]))),
    },
)

blueprint = Blueprint("translations", __name__, description="What was translated before")


@blueprint.route("/translations/propose")
class TranslationProposals(ResourceView):
    @require_permission("create", EVENT)
    @blueprint.arguments(ProposalRequestSchema)
    @blueprint.response(200, _ANSWERS)
    def post(self, sent: Record) -> Response:
        """Propose translations of texts, as the calendar has said them before.

        Nothing is stored. Texts that you may not read are never proposed.
        """
        kind = _KINDS[sent.get("kind", EVENT.name)]
        asked = [
            Asked(text, kind.texts.get(field) in _HTML, kind.name, field)
            for field, text in sent["texts"]
        ]
        context = current.context()
        answers = context.services.recall.propose(
            asked, sent["source"], sent["target"], context.caller
        )
        pairs = zip(sent["texts"], answers, strict=True)
        answered = [_Answered(field, text, own) for (field, text), own in pairs]
        return answer(_ANSWERS.present({**sent, "answers": answered}))
