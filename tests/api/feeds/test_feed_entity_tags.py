"""An entity tag of a feed holds exactly as long as the feed reads the same."""

from dataclasses import replace

import pytest
from keeping import kept

from calendar_app.settings import Settings

SUFFIXES = ["ics", "atom", "geojson", "csv"]


@kept
def event(make_event):
    return make_event(
        title="Concert",
        categories=["Music"],
        tags=["new"],
        venue={"venue": "Hall", "geo_lat": 46, "geo_lng": 9},
        organizer=[{"organizer": "Choir"}],
    )


@pytest.fixture(params=SUFFIXES)
def read_feed(request, anyone, event):
    """Return a function that reads a feed: its text and its tag."""
    assert event

    def feed(client=anyone, **query):
        answer = client.get(f"/events.{request.param}", **query)
        assert answer.status_code == 200
        return answer.text, answer.headers["ETag"]

    return feed


CHANGES = {
    "the event": lambda event: (f"/events/{event['id']}", {"title": "Opera"}),
    "the venue": lambda event: (f"/venues/{event['venue']['id']}", {"city": "Chur"}),
    "the place": lambda event: (f"/venues/{event['venue']['id']}", {"geo_lat": 1, "geo_lng": 2}),
    "its state": lambda event: (f"/venues/{event['venue']['id']}", {"status": "private"}),
    "the organizer": lambda event: (
        f"/organizers/{event['organizer'][0]['id']}",
        {"organizer": "Band"},
    ),
    "the category": lambda event: (
        f"/categories/{event['categories'][0]['id']}",
        {"name": "Dance"},
    ),
    "a translation": lambda event: (
        f"/events/{event['id']}?translation_language=rm",
        {"title": "Concert"},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_of_a_feed_changes_its_etag(read_feed, as_admin, event, change):
    before, old = read_feed()
    path, body = CHANGES[change](event)
    assert as_admin.patch(path, **body).status_code == 200
    after, new = read_feed()
    # It may change with what this format does not show; never the other way round.
    assert after == before or new != old


@pytest.mark.parametrize("change", ["the event", "the venue"])
def test_change_that_every_format_shows_changes_feed_and_etag(read_feed, as_admin, event, change):
    before, old = read_feed()
    path, body = CHANGES[change](event)
    as_admin.patch(path, **body)
    after, new = read_feed()
    assert (after != before, new != old) == (True, True)


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_permanent_deletion_changes_the_etag(read_feed, as_admin, event, kind):
    linked = event[kind][0] if kind == "organizer" else event[kind]
    before, old = read_feed()
    assert as_admin.delete(f"/{kind}s/{linked['id']}", force=True).status_code == 200
    after, new = read_feed()
    assert after == before or new != old


def test_created_and_removed_events_change_the_etag(read_feed, make_event, as_admin):
    tags = [read_feed()[1]]
    number = make_event()["id"]
    tags.append(read_feed()[1])
    as_admin.delete(f"/events/{number}")
    tags.append(read_feed()[1])
    assert tags[0] != tags[1] != tags[2]


def test_an_event_that_leaves_the_window_changes_it(read_feed, clock):
    before, old = read_feed()
    clock.advance(days=120)
    after, new = read_feed()
    assert (after != before, new != old) == (True, True)


def test_it_does_not_hold_for_another_language_or_reader(read_feed, as_admin, event):
    as_admin.patch(f"/events/{event['id']}", password="sesame")
    tags = {
        read_feed()[1],
        read_feed(translation_language="rm")[1],
        read_feed(password="sesame")[1],
        read_feed(as_admin)[1],
        read_feed(fallback="none")[1],
    }
    assert len(tags) == 5


def test_tag_tells_nothing_of_a_wrong_password(read_feed, as_admin, event):
    as_admin.patch(f"/events/{event['id']}", password="sesame")
    assert read_feed(password="wrong") == read_feed()


# Another value of each setting: of those that feeds show, and of all others.
SHOWN_SETTINGS = {
    "site_name": "Agenda",
    "site_url": "https://agenda.example",
    "namespace": "agenda/v1",
    "api_prefix": "/wp-json",
    "default_language": "rm",
    "timezone": "America/New_York",
    "feed_color": "navy",
    "page_template": "https://agenda.example/{slug}",
    "machine_text": "never",
    "websub_hub": "https://hub.example/",
    "custom_fields": {"doors": {"de": "Türöffnung"}},
}
OTHER_SETTINGS = {
    "wordpress": False,
    "open_data": False,
    "translation_memory": False,
    "plugins": {"jsonfeed": {"key": "x"}},
    "page_feed_recurrence": "flat",
    "day_ends": "04:00",
    "source_guard": 30,
    "doubles": "wait",
    "certain_doubles": "unite",
    "source_dates": 100,
    "source_time": 60,
    "source_computing": 30,
    "source_memory": 500,
    "metrics_bind": "127.0.0.1:9999",
    "data_license": "https://creativecommons.org/publicdomain/zero/1.0/",
    "webhook_networks": ("192.0.2.0/24",),
    "changes_days": 9,
    "memory_fills": True,
    "translator_publishes": True,
    "translation_parameter": "wpml_language",
    "languages": ("de", "rm", "fr"),
    "fallback": ("rm", "de"),
    "negotiate_language": True,
    "collations": ("rm=it",),
    "title_bar": "both",
    "per_page": 13,
    "max_per_page": 60,
    "feed_limit": 9,
    "currency_symbol": "€",
    "currency_code": "CHF",
    "currency_position": "postfix",
    "strict": True,
    "max_body": 9999,
    "max_upload": 9999,
    "trusted_proxies": ("192.0.2.1",),
    "import_networks": ("192.0.2.0/24",),
    "source_networks": ("192.0.2.0/24",),
    "mongodb_uri": "mongodb://user:hunter2@example.org/",
    "data": "elsewhere",
    "mongod": "/elsewhere",
    "query_timeout": 9999,
    "text_limit": 9999,
    "remember_secrets": 9,
    "cache_memory": 9,
    "cache_answers": False,
    "feeds_at_once": 9,
    "mongodb_reads": "secondary",
    "read_rate": "9999/minute",
    "feed_rate": "9999/minute",
    "cache_control": ("*: no-cache",),
    "cors_origins": ("https://agenda.example",),
    "metrics": True,
    "publish_interval": 9,
    "jobs": "process",
    "recurrence_horizon": 9,
    "recurrence_limit": 9,
    "recurrence_past": 9,
    "history_days": 9,
    "pages": False,
    "default_view": "month",
    "theme": "valley",
    "logo": "logo.svg",
    "map_tiles": "https://tiles.example/{z}/{x}/{y}.png",
    "map_attribution": "Everybody",
    "directions": "https://maps.example/{latitude},{longitude}",
    "children": "tag/kids",
    "footer_links": ("Imprint=https://agenda.example/imprint",),
    "embed_origins": ("*",),
    "oidc_issuer": "https://login.example",
    "oidc_client_id": "calendar",
    "oidc_client_secret": "hunter2",
    "oidc_role": "author",
    "smtp_url": "smtp://user:hunter2@mail.example",
    "mail_from": "calendar@agenda.example",
    "desk": False,
    "session_hours": 9,
    "translator": "json:loads",
    "translator_url": "https://translate.example",
    "translator_key": "hunter2",
    "translator_timeout": 9,
    "translator_budget": 9,
    "translator_roles": ("editor",),
    "desk_settings": ("logo",),
    "fixed": frozenset({"logo"}),
    "footer_text": {"de": "Gemeinde"},
    "submissions": True,
    "submission_days": 9,
    "submission_rate": "9/hour",
    "mistake_reports": True,
}


@pytest.fixture
def read_feeds(worker, settings, as_admin, event):
    """Return a function that reads all feeds under other settings: their texts and tags."""
    changes = {"cost": "12", "custom_fields": {"doors": {"value": "19:00"}}}
    assert as_admin.patch(f"/events/{event['id']}", **changes).status_code == 200
    romansh = {"title": "Concert en il parc", "translation_origin": "machine"}
    as_admin.patch(f"/events/{event['id']}?translation_language=rm", **romansh)

    def read(**changed):
        site = replace(settings, **changed)
        client, base = worker(**changed), f"{site.api_prefix}/{site.namespace}"
        feeds = [
            client.send("GET", f"/events.{suffix}", base=f"{segment}{base}")
            for suffix in SUFFIXES
            for segment in ("", "/rm")
        ]
        assert {answer.status_code for answer in feeds} == {200}
        return [answer.text for answer in feeds], [answer.headers["ETag"] for answer in feeds]

    return read


@pytest.mark.without_mongodb
def test_it_changes_with_each_setting_that_feeds_show(read_feeds):
    texts, tags = read_feeds()
    for name, value in SHOWN_SETTINGS.items():
        changed_texts, changed_tags = read_feeds(**{name: value})
        assert changed_texts != texts, name
        assert changed_tags != tags, name


@pytest.mark.without_mongodb
def test_no_other_setting_changes_it(read_feeds):
    assert SHOWN_SETTINGS.keys() | OTHER_SETTINGS.keys() == Settings.__annotations__.keys()
    assert read_feeds(**OTHER_SETTINGS) == read_feeds()


def test_no_write_no_change(read_feed, as_admin, event):
    before = read_feed()
    assert as_admin.patch(f"/events/{event['id']}", title="Concert").status_code == 200
    assert read_feed() == before


def test_feed_shows_the_records_at_the_time_of_the_request(anyone, as_admin, make_event):
    # More than are read together, and than are sent at once.
    *_, last = [make_event(description="word " * 100) for _ in range(101)]
    feeds_before = [anyone.get(f"/events.{suffix}") for suffix in SUFFIXES]
    as_admin.patch(f"/events/{last['id']}", title="Late")
    for suffix, before in zip(SUFFIXES, feeds_before, strict=True):
        after = anyone.get(f"/events.{suffix}")
        assert (b"Late" in before.data, b"Late" in after.data) == (False, True), suffix
        assert before.headers["ETag"] != after.headers["ETag"], suffix


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_change_of_a_hidden_record_changes_neither_feed_nor_etag(read_feed, as_admin, event, kind):
    linked = event[kind][0] if kind == "organizer" else event[kind]
    path = f"/{kind}s/{linked['id']}"
    as_admin.patch(path, status="draft")
    before = read_feed()
    changed = as_admin.patch(path, description="Otherwise", phone="1", **{kind: "Secret"})
    assert changed.status_code == 200
    assert read_feed() == before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_weak_etag_matches_if_none_match_but_never_if_match(anyone, suffix):
    tag = anyone.get(f"/events.{suffix}").headers["ETag"]
    for read_feed in (tag, tag.removeprefix("W/")):
        again = anyone.send("GET", f"/events.{suffix}", headers={"If-None-Match": read_feed})
        guarded = anyone.send("GET", f"/events.{suffix}", headers={"If-Match": read_feed})
        assert (again.status_code, guarded.status_code) == (304, 412)
    anything = anyone.send("GET", f"/events.{suffix}", headers={"If-Match": "*"})
    assert anything.status_code == 200


def test_etag_of_a_single_event_feed_is_strong(anyone, event):
    tag = anyone.get(f"/events/{event['id']}.ics").headers["ETag"]
    guarded = anyone.send("GET", f"/events/{event['id']}.ics", headers={"If-Match": tag})
    assert guarded.status_code == 200
