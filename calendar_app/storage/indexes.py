"""Creates the indexes that each kind declares, and tells what is there."""

from collections.abc import Iterable, Mapping

from pymongo import IndexModel

from calendar_app.domain.kind import Index
from calendar_app.storage.refusing import refusing
from calendar_app.storage.store import Store

Declared = Mapping[str, Iterable[Index]]


def ensure_indexes(store: Store, declared: Declared) -> None:
    """Create what is missing; safe to run again, and at the same time elsewhere.

    ``declared`` maps a collection to its indexes.
    """
    with refusing():
        for name, indexes in declared.items():
            models = [_model(index) for index in indexes]
            if models:
                store.database[name].create_indexes(models)


def drop_bulky(store: Store, declared: Declared) -> None:
    """Drop the indexes through which many writes would be slow, until ``ensure_indexes``."""
    with refusing():
        for name, indexes in declared.items():
            there = store.database[name].index_information()
            bulky = [str(_model(index).document["name"]) for index in indexes if index.bulky]
            for index in there.keys() & bulky:
                store.database[name].drop_index(index)


def missing_indexes(store: Store, declared: Declared) -> list[str]:
    """Return the names, ``collection.index``, of what is declared and not there."""
    missing = []
    with refusing():
        for name, indexes in declared.items():
            there = store.database[name].index_information()
            wanted = [str(_model(index).document["name"]) for index in indexes]
            missing += [f"{name}.{index}" for index in wanted if index not in there]
    return missing


def _model(index: Index) -> IndexModel:
    options: dict[str, object] = {}
    # A unique value only where there is one: a draft without a slug takes nobody's place.
    having = index.fields[-1][0] if index.unique else index.having
    if index.unique:
        options["unique"] = True
    if having is not None:
        options["partialFilterExpression"] = {having: {"$exists": True}}
    if index.expire_after is not None:
        options["expireAfterSeconds"] = index.expire_after
    return IndexModel(list(index.fields), **options)
