"""The records of a calendar; made by ``scripts/typed_records.py``, not to be edited."""

from typing import Any, Literal, NotRequired, TypedDict

ImageSize = TypedDict(
    "ImageSize",
    {
        "width": int | None,
        "height": int | None,
        "mime-type": NotRequired[str],
        "filesize": NotRequired[int],
        "url": str,
    },
)


class Image(TypedDict):
    url: str
    id: int
    extension: str
    width: int | None
    height: int | None
    filesize: int | None
    alt_text: NotRequired[str]
    ai_disclosure: NotRequired[Literal["ai-autonomous", "ai-assisted"]]
    credit: NotRequired[str]
    license: NotRequired[str]
    focus: NotRequired[str]
    sizes: NotRequired[dict[str, ImageSize]]


class DateDetails(TypedDict):
    year: str
    month: str
    day: str
    hour: str
    minutes: str
    seconds: str


class CostDetails(TypedDict):
    currency_symbol: str
    currency_code: str
    currency_position: Literal["prefix", "postfix", ""]
    values: list[str]


class TextOrigin(TypedDict):
    origin: Literal["human", "machine", "memory", "import"]
    reviewed: bool
    by: NotRequired[int | str]
    at: NotRequired[str]
    reviewed_by: NotRequired[int]
    reviewed_at: NotRequired[str]
    based_on: NotRequired[Any]


class TermInEvent(TypedDict):
    name: str
    slug: str
    term_group: int
    term_taxonomy_id: int
    taxonomy: str
    description: str
    parent: int
    count: int
    filter: str
    id: int
    urls: dict[str, str]
    language: str
    fallback_fields: list[str]
    ai_disclosure: NotRequired[Literal["ai-autonomous", "ai-assisted"]]
    variants: NotRequired[dict[str, Any]]
    text_origins: NotRequired[dict[str, dict[str, TextOrigin]]]


class Translation(TypedDict):
    status: Literal["current", "outdated", "missing"]
    origin: NotRequired[Literal["human", "machine", "mixed"]]
    reviewed: NotRequired[bool]
    url: str
    rest_url: str


class Venue(TypedDict):
    id: int
    author: str
    status: Literal[
        "publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit"
    ]
    date: str
    date_utc: str
    modified: str
    modified_utc: str
    url: str
    venue: str
    description: NotRequired[str]
    slug: str
    image: NotRequired[Image]
    address: NotRequired[str]
    city: NotRequired[str]
    country: NotRequired[str]
    province: NotRequired[str]
    state: NotRequired[str]
    zip: NotRequired[str]
    phone: NotRequired[str]
    website: NotRequired[str]
    stateprovince: NotRequired[str]
    geo_lat: NotRequired[float]
    geo_lng: NotRequired[float]
    distance: NotRequired[float]
    show_map: bool
    show_map_link: bool
    global_id: str
    global_id_lineage: list[str]
    language: str
    fallback_fields: list[str]
    ai_disclosure: NotRequired[Literal["ai-autonomous", "ai-assisted"]]
    translations: dict[str, Translation]
    variants: NotRequired[dict[str, Any]]
    text_origins: NotRequired[dict[str, dict[str, TextOrigin]]]
    json_ld: NotRequired[Any]


class Organizer(TypedDict):
    id: int
    author: str
    status: Literal[
        "publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit"
    ]
    date: str
    date_utc: str
    modified: str
    modified_utc: str
    url: str
    organizer: str
    description: NotRequired[str]
    slug: str
    image: NotRequired[Image]
    phone: NotRequired[str]
    website: NotRequired[str]
    email: NotRequired[str]
    global_id: str
    global_id_lineage: list[str]
    language: str
    fallback_fields: list[str]
    ai_disclosure: NotRequired[Literal["ai-autonomous", "ai-assisted"]]
    translations: dict[str, Translation]
    variants: NotRequired[dict[str, Any]]
    text_origins: NotRequired[dict[str, dict[str, TextOrigin]]]
    json_ld: NotRequired[Any]


class Audience(TypedDict):
    min_age: int | None
    max_age: int | None
    groups: list[
        Literal[
            "families",
            "children",
            "young_people",
            "adults",
            "seniors",
            "women",
            "men",
            "lgbtiq",
            "newcomers",
            "visitors",
            "students",
            "schools",
            "professionals",
        ]
    ]


class Registration(TypedDict):
    url: str
    opens: str | None
    closes: str | None
    required: bool | None


class EventSource(TypedDict):
    id: int
    uid: str
    url: str
    read: str | None
    missing: bool
    edited: list[str]
    said: Any


class Provenance(TypedDict):
    name: str
    url: str
    license: str
    attribution: str


class SeriesInEvent(TypedDict):
    id: int
    rest_url: str
    rrule: str | list[str]
    rdate: list[str | Any]
    exdate: list[str]
    text: str
    next: str | None
    count: int
    dates_from: str | None


class Event(TypedDict):
    id: int
    global_id: str
    global_id_lineage: list[str]
    author: str
    status: Literal[
        "publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit"
    ]
    date: str
    date_utc: str
    modified: str
    modified_utc: str
    url: str
    rest_url: str
    title: str
    description: str
    excerpt: str
    slug: str
    image: Image | bool
    all_day: bool | None
    start_date: str
    start_date_details: DateDetails
    end_date: str
    end_date_details: DateDetails
    utc_start_date: str
    utc_start_date_details: DateDetails
    utc_end_date: str
    utc_end_date_details: DateDetails
    timezone: str
    timezone_abbr: str
    cost: str
    cost_details: CostDetails
    website: str
    show_map: bool | None
    show_map_link: bool | None
    hide_from_listings: bool | None
    sticky: bool | None
    featured: bool | None
    categories: list[TermInEvent]
    tags: list[TermInEvent]
    venue: Venue | list[Venue]
    organizer: list[Organizer]
    custom_fields: dict[str, Any] | list[Any]
    ticketed: bool | None
    event_status: Literal["scheduled", "canceled", "postponed"]
    status_reason: str
    attendance_mode: Literal["offline", "online", "mixed"] | None
    online_url: str
    is_virtual: bool
    virtual_url: str
    accessibility: list[
        Literal[
            "wheelchair",
            "accessible_toilet",
            "accessible_parking",
            "seating",
            "companion",
            "assistance_dog",
            "hearing_loop",
            "sign_language",
            "captions",
            "audio_description",
            "tactile",
            "braille",
            "large_print",
            "plain_language",
            "quiet",
        ]
    ]
    in_language: list[str]
    audience: Audience | None
    registration: Registration | None
    feeds: Any
    language: str
    fallback_fields: list[str]
    ai_disclosure: NotRequired[Literal["ai-autonomous", "ai-assisted"]]
    translations: dict[str, Translation]
    variants: NotRequired[dict[str, Any]]
    text_origins: NotRequired[dict[str, dict[str, TextOrigin]]]
    source: NotRequired[EventSource | list[EventSource]]
    provenance: NotRequired[Provenance | list[Provenance]]
    recurrence_id: NotRequired[str | None]
    overrides: NotRequired[list[str]]
    series: NotRequired[SeriesInEvent | None]
    json_ld: NotRequired[Any]
    distance: NotRequired[float]


class Category(TypedDict):
    id: int
    count: int
    description: str
    name: str
    slug: str
    taxonomy: str
    parent: int
    meta: list[Any]
    url: str
    urls: dict[str, str]
    language: str
    fallback_fields: list[str]
    ai_disclosure: NotRequired[Literal["ai-autonomous", "ai-assisted"]]
    translations: dict[str, Translation]
    variants: NotRequired[dict[str, Any]]
    text_origins: NotRequired[dict[str, dict[str, TextOrigin]]]
    _links: NotRequired[Any]


class Tag(TypedDict):
    id: int
    count: int
    description: str
    name: str
    slug: str
    taxonomy: str
    meta: list[Any]
    url: str
    urls: dict[str, str]
    language: str
    fallback_fields: list[str]
    ai_disclosure: NotRequired[Literal["ai-autonomous", "ai-assisted"]]
    translations: dict[str, Translation]
    variants: NotRequired[dict[str, Any]]
    text_origins: NotRequired[dict[str, dict[str, TextOrigin]]]
    _links: NotRequired[Any]
