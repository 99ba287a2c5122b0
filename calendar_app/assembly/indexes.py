"""The indexes of all collections."""

from collections.abc import Mapping, Sequence

from calendar_app.accounts.users import ACCOUNT_INDEXES
from calendar_app.calendar.contributed_pictures import SUBMISSIONS
from calendar_app.calendar.history import HISTORY, history_indexes
from calendar_app.calendar.import_runs import IMPORT_RUN_INDEXES, IMPORT_RUNS
from calendar_app.calendar.inbox import CONVERSATION_INDEXES, CONVERSATIONS
from calendar_app.calendar.mistakes import MISTAKE_INDEXES, MISTAKES
from calendar_app.calendar.reading.feed_versions import FEED_VERSION_INDEXES, FEED_VERSIONS
from calendar_app.calendar.reading.languages import standing_indexes
from calendar_app.calendar.search.vocabulary import VOCABULARY_INDEXES
from calendar_app.calendar.several import UNDO, UNDO_INDEXES
from calendar_app.calendar.slugs import FORMER_SLUG_INDEXES, FORMER_SLUGS
from calendar_app.calendar.submissions import SUBMISSION_INDEXES
from calendar_app.calendar.unions import (
    UNION_INDEXES,
    UNION_LINK_INDEXES,
    UNION_LINKS,
    UNIONS,
)
from calendar_app.calendar.writing.attempts import IDEMPOTENCY_INDEXES, IDEMPOTENCY_KEYS
from calendar_app.calendar.writing.before import OUTBOX_INDEXES
from calendar_app.changes.webhooks.deliveries import DELIVERIES, DELIVERY_INDEXES
from calendar_app.changes.webhooks.managing import WEBHOOK_INDEXES
from calendar_app.changes.webhooks.webhook import WEBHOOKS
from calendar_app.domain.kind import Index
from calendar_app.domain.kinds import EVENT, KINDS, MEDIA, SERIES
from calendar_app.domain.kinds.events import by_title
from calendar_app.domain.words import collations
from calendar_app.parts.part import chosen_parts
from calendar_app.settings import Settings
from calendar_app.sources.doubles import DOUBLE_INDEXES, SOURCE_DOUBLES
from calendar_app.sources.managing import SOURCE_INDEXES
from calendar_app.sources.register import REGISTER_INDEXES, SOURCE_REGISTER
from calendar_app.sources.reports import READING_INDEXES
from calendar_app.sources.source import SOURCES
from calendar_app.storage.query.words import VOCABULARY

# What every collection has, whatever the settings; each kind says which query an index serves.
INDEXES: Mapping[str, Sequence[Index]] = {
    **{kind.name: kind.indexes for kind in (*KINDS, SERIES, MEDIA)},
    **ACCOUNT_INDEXES,
    IDEMPOTENCY_KEYS: IDEMPOTENCY_INDEXES,
    FORMER_SLUGS: FORMER_SLUG_INDEXES,
    VOCABULARY: VOCABULARY_INDEXES,
    SUBMISSIONS: SUBMISSION_INDEXES,
    IMPORT_RUNS: IMPORT_RUN_INDEXES,
    **OUTBOX_INDEXES,
    FEED_VERSIONS: FEED_VERSION_INDEXES,
    UNDO: UNDO_INDEXES,
    UNIONS: UNION_INDEXES,
    UNION_LINKS: UNION_LINK_INDEXES,
    CONVERSATIONS: CONVERSATION_INDEXES,
    MISTAKES: MISTAKE_INDEXES,
    SOURCES: SOURCE_INDEXES,
    SOURCE_DOUBLES: DOUBLE_INDEXES,
    SOURCE_REGISTER: REGISTER_INDEXES,
    **READING_INDEXES,
    WEBHOOKS: WEBHOOK_INDEXES,
    DELIVERIES: DELIVERY_INDEXES,
}

_OF_A_LIST = "status_1_hidden_1_start_local_1__id_1_end_local_1"
_OF_A_CELL = "location.latitude_1_location.longitude_1_featured_1_ticketed_1"
# The names of indexes of former versions that nothing needs any more.
RETIRED_INDEXES: Mapping[str, Sequence[str]] = {
    EVENT.name: (
        "status_1_published_1",
        "author_1_start_local_1",
        "author_1_status_1__id_1",
        f"parent_1_{_OF_A_LIST}",
        f"featured_1_{_OF_A_LIST}",
        "location_2dsphere_status_1_hidden_1_start_local_1_end_local_1",
        "status_1_hidden_1_end_local_1__id_1_start_local_1",
        f"location.cell_1_{_OF_A_LIST}_{_OF_A_CELL}",
        f"event_status_1_{_OF_A_LIST}",
        f"attendance_mode_1_{_OF_A_LIST}",
        f"audience.min_age_1_{_OF_A_LIST}_audience.max_age_1",
        f"featured_1_{_OF_A_LIST}_of_few",
        "published_1_of_few",
    ),
}


def declared_indexes(settings: Settings) -> Mapping[str, Sequence[Index]]:
    """Return all declared indexes: ``INDEXES``, and those that depend on settings."""
    of_parts = {name: own for part in chosen_parts(settings) for name, own in part.indexes.items()}
    titles = by_title(collations(settings.languages, settings.collations))
    states = {
        kind.name: (*kind.indexes, *standing_indexes(kind, settings.languages))
        for kind in (*KINDS, SERIES, MEDIA)
    }
    events = (*states[EVENT.name], *titles)
    history = history_indexes(settings.history_days)
    return {**INDEXES, **of_parts, **states, EVENT.name: events, HISTORY: history}
