"""Creates the declared indexes, drops those they replace, and sets the history MongoDB keeps."""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from typing import Any

from pymongo import IndexModel
from pymongo.errors import OperationFailure, PyMongoError

from calendar_app.domain.kind import Index
from calendar_app.errors import ConfigurationError
from calendar_app.storage.mongo.error_translation import translate_errors
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.stages import collation

Declared = Mapping[str, Iterable[Index]]

# What MongoDB tells of an index that has no conditions.
_PLAIN = frozenset({"v", "key", "ns", "background"})
# What else than its fields makes an index the one that is declared.
_LIFETIME = "expireAfterSeconds"
_OPTIONS = ("unique", "partialFilterExpression", _LIFETIME)
# What MongoDB answers to who drops an index that is not there, or not finished.
_NOT_FOUND = 27
# What it answers to who makes one beside another of the same fields or the same name.
_IN_THE_WAY = frozenset({85, 86})


def ensure_indexes(store: Store, declared: Declared) -> None:
    """Create the missing indexes; several processes may do so at once.

    ``declared`` maps a collection to its indexes. Where none is missing, no right is needed.
    """
    with translate_errors():
        for name, indexes in declared.items():
            models = [_model(index) for index in indexes]
            existing = store.database[name].index_information()
            for model in models:
                _apply_lifetime(store, name, model, existing)
            if not all(_is_there(model, existing) for model in models):
                _create(store, name, models)


def drop_deferred(store: Store, declared: Declared) -> None:
    """Drop the indexes through which many writes would be slow, until ``ensure_indexes``."""
    names = {
        name: [_name(_model(index)) for index in indexes]
        for name, indexes in deferred(declared).items()
    }
    drop_indexes(store, names)


def deferred(declared: Declared) -> Declared:
    """Return the indexes through which many writes would be slow."""
    chosen = {
        name: [each for each in indexes if each.deferred] for name, indexes in declared.items()
    }
    return {name: indexes for name, indexes in chosen.items() if indexes}


def drop_replaced(store: Store, declared: Declared) -> None:
    """Drop the indexes of other settings that declared ones replace."""
    with translate_errors():
        for collection, indexes in declared.items():
            models = {_name(model): model.document for model in map(_model, indexes)}
            for name, index in store.database[collection].index_information().items():
                replaced = any(_does_as_well(model, index) for model in models.values())
                if name not in models and replaced:
                    _drop(store, collection, name)


def drop_indexes(store: Store, names: Mapping[str, Iterable[str]]) -> None:
    """Drop the indexes of these names, by collection, that are there."""
    with translate_errors():
        for name, retired in names.items():
            for index in store.database[name].index_information().keys() & set(retired):
                _drop(store, name, index)


def missing_indexes(store: Store, declared: Declared) -> list[str]:
    """Return the names, ``collection.index``, of the missing indexes."""
    missing = []
    with translate_errors():
        for name, indexes in declared.items():
            existing = store.database[name].index_information()
            models = [_model(index) for index in indexes]
            missing += [
                f"{name}.{_name(index)}" for index in models if not _is_there(index, existing)
            ]
    return missing


def _is_there(model: IndexModel, existing: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether the collection has the index of the model."""
    declared, index = model.document, existing.get(_name(model))
    return (
        index is not None
        and list(declared["key"].items()) == list(dict(index["key"]).items())
        and all(declared.get(option) == index.get(option) for option in _OPTIONS)
        and ("collation" in declared) == ("collation" in index)
        # MongoDB tells more of how texts are sorted than was said.
        and declared.get("collation", {}).items() <= index.get("collation", {}).items()
    )


def _apply_lifetime(
    store: Store, name: str, model: IndexModel, existing: MutableMapping[str, Any]
) -> None:
    """Change the lifetime of documents where an index has another one than its model."""
    index, lifetime = existing.get(_name(model), {}), model.document.get(_LIFETIME)
    if lifetime is not None and index.get(_LIFETIME, lifetime) != lifetime:
        change = {"name": _name(model), _LIFETIME: lifetime}
        store.database.command("collMod", name, index=change)
        index[_LIFETIME] = lifetime


def _create(store: Store, name: str, models: list[IndexModel]) -> None:
    try:
        store.database[name].create_indexes(models)
    except OperationFailure as error:
        if error.code not in _IN_THE_WAY:
            raise
        reason = (error.details or {}).get("errmsg", error)
        raise ConfigurationError(
            f"An index of {name} is in the way of one that is needed; drop it. {reason}"
        ) from error


def _drop(store: Store, name: str, index: str) -> None:
    """Drop an index, unless somebody else just has, or is making it at the moment."""
    try:
        store.database[name].drop_index(index)
    except OperationFailure as error:
        if error.code != _NOT_FOUND:
            raise


def _does_as_well(declared: Mapping[str, Any], existing: Mapping[str, Any]) -> bool:
    """Return whether an index begins with the fields of another, in any language.

    One of few records never does as well as one of all.
    """
    if "partialFilterExpression" in declared:
        return False
    fields, other_fields = list(declared["key"].items()), list(dict(existing["key"]).items())
    if "collation" in existing:
        begin = _of_any_language(fields)[: len(other_fields)]
        of_texts = any("." in field for field, _ in other_fields) and "collation" in declared
        return of_texts and begin == _of_any_language(other_fields)
    plain = existing.keys() <= _PLAIN and "collation" not in declared
    begins = fields[: len(other_fields)] == other_fields
    return plain and len(fields) > len(other_fields) and begins


def _of_any_language(fields: Iterable[tuple[str, object]]) -> list[str]:
    return [field.partition(".")[0] for field, _ in fields]


def _name(model: IndexModel) -> str:
    return str(model.document["name"])


def _model(index: Index) -> IndexModel:
    options: dict[str, Any] = {}
    name = "_".join(f"{field}_{way}" for field, way in index.fields)
    # Another locale, or other records, make another index of the same fields, of another name.
    if index.locale is not None:
        options |= {"collation": collation(index.locale), "name": f"{name}_{index.locale}"}
    if index.only is not None:
        options |= {"partialFilterExpression": dict(index.only), "name": f"{name}_of_few"}
    # A unique value only where there is one: a draft without a slug takes nobody's place.
    having = index.having or (index.fields[-1][0] if index.unique else None)
    if index.unique:
        options["unique"] = True
    if having is not None:
        options["partialFilterExpression"] = {having: {"$exists": True}}
    if index.expire_after is not None:
        options["expireAfterSeconds"] = index.expire_after
    return IndexModel(list(index.fields), **options)


# The snapshot history of an embedded MongoDB, in seconds.

_WINDOW = "minSnapshotHistoryWindowInSeconds"
USUAL = 300  # seconds, as MongoDB comes
# Most answers, each of one cluster time, take less. Where a thousand terms are counted four times
# a second, MongoDB would else write hundreds of kilobytes for each event that comes.
SHORT = 10
# A backup reads all documents as of one cluster time.
LONG = 4 * 3600


@contextmanager
def history(store: Store, seconds: int) -> Iterator[None]:
    """Let MongoDB keep earlier states for ``seconds`` within the block.

    Afterwards it keeps them as usual. What a process that was killed has set is set back too; at
    the latest MongoDB forgets it when it ends.
    https://www.mongodb.com/docs/manual/reference/parameters/
    """
    with translate_errors():
        _keep(store, seconds)
    try:
        yield
    finally:
        with suppress(PyMongoError):
            _keep(store, USUAL)


def _keep(store: Store, seconds: int) -> None:
    store.database.client.admin.command({"setParameter": 1, _WINDOW: seconds})
