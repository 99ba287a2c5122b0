"""Proposals of translations from the calendar's own memory, and its glossary."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import marshmallow as ma
from flask import Response

from calendar_app.accounts.callers import Right
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.fields.scalars import Converted, OneOf
from calendar_app.api.http.fields.schema import Parameter, RequestSchema
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import require_permission
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.shapes import Field, JSONObject, Shape
from calendar_app.domain.differences import difference, marked
from calendar_app.domain.glossary import GlossaryTerm, GlossaryTerms
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.kinds import EVENT, KINDS, MEDIA, SERIES
from calendar_app.domain.translations import words_of
from calendar_app.errors import InvalidParameters, Message, NotAllowed
from calendar_app.parts.memory.glossary import MOST_TERMS
from calendar_app.parts.memory.of_request import requested_services
from calendar_app.parts.memory.remembering.proposing import Answer, Recalled, RecallQuery

_KINDS: Mapping[str, Kind] = {kind.name: kind for kind in (*KINDS, SERIES, MEDIA)}
_HTML = (Markup.HTML, Markup.INLINE)
MOST_TEXTS, LONGEST, LONGEST_TERM = 20, 20_000, 200


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


class _Changes(Parameter):
    """Terms, each with how it is to be said; as nothing, it is taken away."""

    schema: Mapping[str, Any] = {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "term": {
                    "type": "string",
                    "maxLength": LONGEST_TERM,
                    "description": "The term, as it occurs in texts.",
                },
                "translation": {
                    "type": ["string", "null"],
                    "maxLength": LONGEST_TERM,
                    "description": "Its translation; null removes the term.",
                },
            },
            "required": ["term", "translation"],
        },
        "maxItems": MOST_TERMS,
    }

    def read(self, value: Any, _context: Context) -> dict[str, str]:
        """Return the translations by term."""
        sent = value if isinstance(value, list) and len(value) <= MOST_TERMS else []
        terms = [each for each in sent if isinstance(each, dict)]
        if not terms or len(terms) < len(sent):
            refuse(Message("terms must be a list of 1 to {most} terms.", most=MOST_TERMS))
        translations = {
            _line(each.get("term")): _line(each.get("translation") or "") for each in terms
        }
        if "" in translations:
            refuse(Message("Each of the terms must have a term."))
        return translations


def _line(text: Any) -> str:
    """Return a term in its stored form; refuse an invalid one."""
    line = " ".join(text.split()) if isinstance(text, str) else ""
    if not isinstance(text, str) or not line.isprintable() or len(line) > LONGEST_TERM:
        refuse(Message("terms must be lines of up to {most} characters.", most=LONGEST_TERM))
    return line


class _PairSchema(RequestSchema):
    """Two languages of the site."""

    source = Converted(
        _language, {"type": "string"}, required=True, description="The language of the texts."
    )
    target = Converted(
        _language, {"type": "string"}, required=True, description="The language to translate into."
    )

    @ma.validates_schema
    def require_two_languages(self, values: Record, **_: Any) -> None:
        if values["source"] == values["target"]:
            reason = Message("target must be another language than source.")
            raise InvalidParameters({"target": reason})


class ProposalRequestSchema(_PairSchema):
    """Texts of one language, to be said in another one."""

    texts = _Texts(required=True, description="A list of texts, or texts by field.")
    kind = OneOf(
        tuple(_KINDS), description="The kind of record the texts belong to; events by default."
    )


class GlossaryReadSchema(_PairSchema):
    """The pair of languages of the requested glossary."""


class GlossaryChangeSchema(_PairSchema):
    """Terms that are added, changed or taken away."""

    terms = _Changes(
        required=True,
        description="Terms, each with its translation; an empty one removes the term.",
    )


_TERM = Shape[GlossaryTerm](
    "Term",
    {
        "term": Field("string", lambda it: it.term, "The term, as it occurs in texts."),
        "translation": Field("string", lambda it: it.translation, "The translation to use."),
    },
)


def _terms(terms: GlossaryTerms) -> list[JSONObject]:
    return [_TERM.present(each) for each in terms]


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
        "kind": Field("string", lambda it: it.kind, "The kind of the record."),
        "id": Field("integer", lambda it: it.record, "The id of the record."),
        "field": Field("string", lambda it: it.field, "The field of the record."),
        "rest_url": Field(
            "string|null", _address, "null if it comes from a TMX file or from the glossary."
        ),
    },
)
_PROPOSAL = Shape[_Proposed](
    "Proposal",
    {
        "text": Field("string", lambda it: it.recalled.text, "The translation."),
        "source": Field("string", lambda it: it.recalled.source, "The translated text."),
        "likeness": Field(
            "number",
            lambda it: round(it.recalled.likeness, 1),
            "The similarity of source and text, in percent; 100: the same words.",
        ),
        "difference": Field(
            "string",
            lambda it: marked(difference(it.recalled.source, it.words)),
            "The differences between text and source, marked up as ins and del.",
        ),
        "uses": Field(
            "integer",
            lambda it: it.recalled.number,
            "The number of recent records with this translation.",
        ),
        "misses": Field(
            [_TERM],
            lambda it: _terms(it.recalled.misses),
            "Terms of the glossary that it translates otherwise.",
        ),
        "from": Field(
            _ORIGIN, lambda it: _ORIGIN.present(it.recalled), "A record that contains it."
        ),
    },
)
_SENTENCE = Shape[_Proposed](
    "SentenceProposal",
    {
        "sentence": Field(
            "string", lambda it: it.words, "The sentence, in the language that is translated from."
        ),
        "proposal": Field(
            _PROPOSAL, _PROPOSAL.present, "A translation of the sentence; null where there is none."
        ),
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
        "proposals": Field([_PROPOSAL], _proposals, "Exact matches, else similar ones."),
        "sentences": Field(
            [_SENTENCE],
            lambda it: [_SENTENCE.present(_Proposed(*each)) for each in it.answer.sentences],
            "Sentences translated before, where the text as a whole was not.",
        ),
        "terms": Field(
            [_TERM], lambda it: _terms(it.answer.terms), "Terms of the glossary that occur in it."
        ),
    },
)
_ANSWERS = Shape[Mapping[str, Any]](
    "Proposals",
    {
        "source": Field("string", lambda it: it["source"], "The language that is translated from."),
        "target": Field("string", lambda it: it["target"], "The language that is translated to."),
        "texts": Field(
            [_ANSWER],
            lambda it: list(map(_ANSWER.present, it["answers"])),
            "The texts in the order in which they were sent.",
        ),
    },
)
_GLOSSARY = Shape[Mapping[str, Any]](
    "Glossary",
    {
        "source": Field("string", lambda it: it["source"], "The language that is translated from."),
        "target": Field("string", lambda it: it["target"], "The language that is translated to."),
        "terms": Field([_TERM], lambda it: _terms(it["terms"]), "The terms of the glossary."),
    },
)

blueprint = Blueprint("translations", __name__, description="Translation memory and glossary")


@blueprint.route("/translations/propose")
class TranslationProposals(ResourceView):
    @require_permission("create", EVENT)
    @blueprint.arguments(ProposalRequestSchema)
    @blueprint.response(200, _ANSWERS)
    def post(self, sent: Record) -> Response:
        """Propose translations of texts from earlier translations in this calendar.

        Nothing is stored. Texts that you may not read are never proposed.
        """
        kind = _KINDS[sent.get("kind", EVENT.name)]
        queries = [
            RecallQuery(text, kind.texts.get(field) in _HTML, kind.name, field)
            for field, text in sent["texts"]
        ]
        context = current.context()
        answers = requested_services().recall.propose(
            queries, sent["source"], sent["target"], context.caller
        )
        pairs = zip(sent["texts"], answers, strict=True)
        answered = [_Answered(field, text, own) for (field, text), own in pairs]
        return answer(_ANSWERS.present({**sent, "answers": answered}))


@blueprint.route("/translations/glossary")
class GlossaryOfPair(ResourceView):
    @require_permission("create", EVENT)
    @blueprint.arguments(GlossaryReadSchema, location="query")
    @blueprint.response(200, _GLOSSARY)
    def get(self, sent: Record) -> Response:
        """Return the glossary of two languages."""
        glossary = requested_services().glossary
        terms = glossary.terms(sent["source"], sent["target"])
        return answer(_GLOSSARY.present({**sent, "terms": terms}))

    @require_permission("create", EVENT)
    @blueprint.arguments(GlossaryChangeSchema)
    @blueprint.response(200, _GLOSSARY)
    def post(self, sent: Record) -> Response:
        """Add, change and remove terms of the glossary; null removes one.

        Terms that are not sent stay. This is for those who may edit the texts of others.
        """
        context = current.context()
        if not context.caller.may(Right.EDIT_OTHERS):
            raise NotAllowed
        glossary = requested_services().glossary
        terms = glossary.change(sent["source"], sent["target"], sent["terms"])
        return answer(_GLOSSARY.present({**sent, "terms": terms}))
