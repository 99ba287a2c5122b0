"""Schemas of requests: first the shape of all parameters, then the records that they name.

No field asks for the request that runs: the values that are loaded bring their context along.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

import marshmallow as ma

from calendar_app.api.http.errors.problems import INVALID, Missing, wrong_type
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context

RequestValues = Mapping[str, Any]


class Values(dict[str, Any]):
    """Parameters, with the context of their request."""

    __slots__ = ("context",)

    def __init__(self, values: Mapping[str, Any], context: Context) -> None:
        super().__init__(values)
        self.context = context


class Parameter(ma.fields.Field[Any]):
    """Base of all fields; reports missing and null values by stage.

    ``finds_locked`` declares that a parameter of a list asks only for what an event shows without
    its password: title, dates, status and id. Every other one finds no locked event.
    """

    schema: Mapping[str, Any] = MappingProxyType({"type": "string"})

    def __init__(
        self, *, description: str = "", finds_locked: bool = False, **options: Any
    ) -> None:
        super().__init__(**options)
        self.finds_locked = finds_locked
        if description:
            self.metadata = {**self.metadata, "description": description}
        self.error_messages["required"] = "Missing."

    def _deserialize(self, value: Any, *name_and_data: Any, **_: Any) -> Any:
        data = name_and_data[1]
        context = data.context if isinstance(data, Values) else current.context()
        return self.read(value, context)

    def read(self, value: Any, _context: Context, /) -> Any:
        """Return a value in our notation; raise ``ValidationError`` for an impossible one."""
        return value

    def make_error(self, key: str, **_: Any) -> ma.ValidationError:
        if key == "required":
            return ma.ValidationError([Missing("Missing.")])
        # Null skips the validators, and has the wrong type.
        fitting = self.schema.get("type") if key == "null" else None
        return ma.ValidationError([wrong_type(self.sent_name, fitting) if fitting else INVALID])

    @property
    def sent_name(self) -> str:
        return str(self.data_key or self.name)


class NamesRecords(Parameter):
    """A field that names records; they are looked up once the shape of all fields is read."""

    def linked_ids(self, _value: Any) -> Mapping[str, set[int]]:
        """Return the ids, by kind, of records that are read whole, with those of other fields."""
        return {}

    def named_terms(self, _value: Any) -> Mapping[str, Collection[int | str]]:
        """Return the entries, by kind, that name terms; looked up with those of other fields."""
        return {}

    def resolve(self, value: Any, context: Context, /) -> Any:
        """Return the ids of names; raise ``ValidationError`` for unknown names."""
        raise NotImplementedError


class RequestSchema(ma.Schema):
    """Base of the schemas of requests; unknown names are ignored."""

    class Meta:
        unknown = ma.EXCLUDE

    def foreign_names(self, _body: Mapping[str, Any]) -> Collection[str]:
        """Return the paths of fields that have the shape of another program, and are ignored."""
        return ()

    def load(self, data: Any, **options: Any) -> Any:
        """Load parameters; those without a context are of the request that runs."""
        values = data if isinstance(data, Values) else Values(data, current.context())
        try:
            return super().load(values, **options)
        except ma.ValidationError as error:
            reasons = error.messages_dict
            error.messages = {name: reasons[name] for name in self._in_order(reasons)}
            raise

    @ma.validates_schema(skip_on_field_errors=False, pass_original=True)
    def resolve_names(self, values: dict[str, Any], sent: Values, **_: Any) -> None:
        """Replace the names in ``values`` by their ids."""
        fields = [
            (field.attribute or name, field)
            for name, field in self.fields.items()
            if isinstance(field, NamesRecords) and (field.attribute or name) in values
        ]
        linked: dict[str, set[int]] = {}
        terms: dict[str, Collection[int | str]] = {}
        for name, field in fields:
            linked |= field.linked_ids(values[name])
            terms |= field.named_terms(values[name])
        if linked or terms:
            sent.context.read_linked(linked, terms)
        reasons = {}
        for name, field in fields:
            try:
                if values[name] is not None:
                    values[name] = field.resolve(values[name], sent.context)
            except ma.ValidationError as error:
                del values[name]
                reasons[field.sent_name] = error.messages
        if reasons:
            raise ma.ValidationError(reasons)

    def value_of(self, name: str, sent: Values) -> Any:
        """Return the value of one parameter alone."""
        field = self.fields[name]
        value = field.deserialize(sent[name], name, sent)
        return field.resolve(value, sent.context) if isinstance(field, NamesRecords) else value

    def _in_order(self, reasons: Mapping[str, Any]) -> list[str]:
        """Return names of parameters in the order of the fields."""
        names = [field.data_key or name for name, field in self.fields.items()]
        return sorted(reasons, key=lambda name: names.index(name) if name in names else len(names))
