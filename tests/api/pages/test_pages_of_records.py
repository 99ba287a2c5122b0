"""Each record has a page at the address that the interface gives out."""

import pytest
from calling import SITE

pytestmark = pytest.mark.without_mongodb


def test_event_page_shows_date_venue_organizer_and_cost(browse, make_event):
    event = make_event(
        title="Concert & more",
        description="<p>With a <b>choir</b></p>",
        start_date="2030-03-10 19:00",
        end_date="2030-03-10 22:00",
        cost="CHF 25",
        venue={"venue": "Town Hall", "city": "Chur", "geo_lat": 46.85, "geo_lng": 9.53},
        organizer={"organizer": "The choir"},
    )
    page = browse(event["url"])
    assert page.status == 200
    for words in ("Concert & more", "With a choir", "10. März 2030", "Town Hall", "The choir"):
        assert words in page.text
    assert page.tree.xpath('//a[starts-with(@href, "geo:46.85,9.53")]')
    assert page.link("canonical") == [event["url"]]
    assert page.tree.xpath('//script[@type="application/ld+json"]')


def test_event_page_shows_custom_fields_with_their_labels(browse, make_event):
    event = make_event(
        title="Concert",
        custom_fields={
            "doors": {"label": "Doors & bar", "value": '<a href="https://bar.example/">18:30</a>'},
            "bring": {"value": "A <b>cup</b><script>alert(1)</script>"},
        },
    )
    facts = browse(event["url"]).tree.xpath("//aside//dl/div")
    texts = {fact[0].text_content(): fact[1] for fact in facts}
    assert (texts["Doors & bar"].text_content(), texts["bring"].text_content()) == (
        *("18:30", "A cup"),
    )
    assert texts["Doors & bar"].xpath("a/@href") == ["https://bar.example/"]


def test_event_page_says_in_which_language_a_custom_field_is(browse, make_event):
    make_event(
        title="Konzert",
        variants={
            "de": {"custom_fields": {"doors": {"value": "Um sieben"}}},
            "rm": {"title": "Concert", "slug": "concert"},
        },
    )
    page = browse("/rm/event/concert/")
    assert page.tree.xpath("//aside//dl/div[dt='doors']/dd/@lang") == ["de"]


def test_event_page_hides_custom_fields_behind_the_password(browse, make_event):
    event = make_event(password="tor", custom_fields={"doors": {"value": "18:30"}})
    assert "18:30" not in browse(event["url"]).text


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_a_venue_and_an_organizer_list_their_coming_events(browse, make_event, kind):
    event = make_event(title="Concert", **{kind: {kind: "Some name"}})
    linked = event[kind][0] if kind == "organizer" else event[kind]
    page = browse(linked["url"])
    assert page.status == 200
    assert "Some name" in page.text
    assert page.titles == ["Concert"]


def test_event_that_is_called_off_is_not_advertised(browse, make_event, as_admin):
    event = make_event(title="Concert")
    assert browse(event["url"]).tree.xpath("//a[contains(@href, '/poster/')]")
    as_admin.patch(f"/events/{event['id']}", event_status="canceled")
    page = browse(event["url"])
    assert page.tree.xpath("//a[contains(@href, '/poster/')]") == []
    assert page.tree.xpath("//aside//a[@class='button']") == []


def test_venue_page_names_other_places_alone(browse, make_event):
    event = make_event(title="Concert", venue={"venue": "Town Hall"})
    assert browse(event["venue"]["url"]).tree.xpath("//*[@class='event-place']") == []


def test_days_of_a_long_event_are_named_once(browse, make_event):
    days = {"start_date": "2030-03-10", "end_date": "2030-04-12", "all_day": True}
    event = make_event(title="Exhibition", venue={"venue": "Museum"}, **days)
    [time] = browse(event["venue"]["url"]).tree.find_class("event-time")
    assert time.text_content().count("10. März") == 1


def test_former_slug_redirects_to_the_page(browse, as_admin, make_event):
    event = make_event(title="Concert", slug="concert")
    as_admin.post(f"/events/{event['id']}", slug="recital")
    page = browse("/event/concert/")
    assert (page.status, page.headers["Location"]) == (301, "/event/recital/")


def test_feed_of_a_former_slug_leads_to_the_feed(browse, as_admin, make_event):
    event = make_event(title="Concert", slug="concert")
    as_admin.post(f"/events/{event['id']}", slug="recital")
    page = browse("/event/concert/?ical=1")
    assert (page.status, page.headers["Location"]) == (301, "/event/recital/?ical=1")


def test_a_trashed_event_is_gone(browse, as_admin, make_event):
    event = make_event(title="Concert", slug="concert")
    as_admin.delete(f"/events/{event['id']}")
    assert browse("/event/concert/").status == 410
    assert browse(f"/?p={event['id']}").status == 410


def test_id_redirects_to_the_page(browse, make_event):
    event = make_event(title="Concert", slug="concert")
    page = browse(f"/?p={event['id']}")
    assert (page.status, page.headers["Location"]) == (301, "/event/concert/")


def test_a_draft_is_hidden_from_strangers(browse, make_event):
    event = make_event(title="Concert", status="draft")
    assert browse(f"/?post_type=event&p={event['id']}").status == 404


def test_page_has_its_own_slug_in_each_language(browse, make_event):
    event = make_event(
        title="Konzert",
        variants={
            "de": {"title": "Konzert", "slug": "konzert"},
            "rm": {"title": "Concert", "slug": "concert"},
        },
    )
    page = browse(event["url"])
    assert page.link("alternate", hreflang="rm") == [f"{SITE}/rm/event/concert/"]
    assert "Concert" in browse("/rm/event/concert/").text
    assert browse("/rm/event/konzert/").headers["Location"] == "/rm/event/concert/"


def test_fallback_text_has_a_lang_attribute(browse, make_event):
    make_event(title="Concert", slug="concert", translation_language="rm")
    page = browse("/event/concert/")
    assert page.tree.xpath('//h1[@lang="rm"]')
    assert "Rätoromanisch" in page.text
    assert page.link("canonical") == [f"{SITE}/rm/event/concert/"]


def test_a_protected_event_asks_for_its_password(browse, make_event):
    event = make_event(title="Secret", description="Behind the door", password="sesame")
    page = browse(event["url"])
    assert page.status == 403
    assert "Behind the door" not in page.text
    opened = browse(event["url"], method="POST", data={"password": "sesame"})
    assert "Behind the door" in opened.text
    assert "no-store" in opened.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/events/?ical=1", "/events/month/2030-03/?ical=1"])
def test_ical_gives_the_feed_of_a_page(browse, make_event, path):
    event = make_event(title="Concert", start_date="2030-03-10 19:00")
    for address in (path, f"{event['url']}?ical=1"):
        answer = browse(address).answer
        assert (answer.status_code, answer.mimetype) == (200, "text/calendar")
        assert b"SUMMARY" in answer.data


def test_alternative_text_is_read_as_people_write_it(browse, make_event, upload):
    picture = upload(alt_text="Chor &amp; Orgel")
    make_event(title="Concert", slug="concert", image=picture["id"])
    page = browse("/event/concert/")
    assert page.tree.xpath("//figure//img/@alt") == ["Chor & Orgel"]


# Slugs of these are percent-encoded, in whole or in part.
TITLES = (
    *(
        "🎷",
        "Jazz 🎷 Night",
        "日本の祭り",
        "한국 축제",
        "Концерт",
        "Συναυλία",
        "קונצרט",
        "حفلة",
        "संगीत",
    ),
    *("คอนเสิร์ต", "Ünïcode 日本", "ქართული", "Հայերեն", "İstanbul gecesi", "Straße ☕"),
)


@pytest.mark.parametrize("title", TITLES)
def test_page_of_any_script_is_answered_at_its_own_address(browse, make_event, title):
    event = make_event(title=title, venue={"venue": title}, organizer={"organizer": title})
    for address in (event["url"], event["venue"]["url"], event["organizer"][0]["url"]):
        page = browse(address)
        assert (page.status, page.link("canonical")) == (200, [address])
    assert browse(f"{event['url']}poster/").status == 200
    assert "BEGIN:VEVENT" in browse(f"{event['url']}?ical=1").answer.text


@pytest.mark.parametrize("title", TITLES)
def test_page_of_a_date_of_any_script_is_answered_at_its_own_address(browse, make_event, title):
    event = make_event(
        title=title, start_date="2030-03-10 19:00", recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"}
    )
    assert browse(event["url"]).status == 200


@pytest.mark.parametrize("taxonomy", ["category", "tag"])
@pytest.mark.parametrize("name", TITLES)
def test_page_of_a_term_of_any_script_is_answered_at_its_own_address(
    browse, as_admin, taxonomy, name
):
    kinds = {"category": "categories", "tag": "tags"}
    term = as_admin.post(f"/{kinds[taxonomy]}", name=name).json
    for view in ("", "list/", "month/"):
        assert browse(f"/events/{taxonomy}/{term['slug']}/{view}").status == 200
    assert browse(f"/{taxonomy}/{term['slug']}/").status == 200


def test_translation_in_another_script_has_a_page(browse, as_admin, make_event):
    event = make_event(title="Concert")
    variants = {"rm": {"title": "Концерт 🎷"}}
    changed = as_admin.post(f"/events/{event['id']}", variants=variants).json
    address = changed["translations"]["rm"]["url"]
    assert browse(address).status == 200


def test_capital_letters_and_escapes_lead_to_the_address_of_a_page(browse, make_event):
    event = make_event(title="Концерт")
    assert browse(event["url"].replace("%d0", "%D0")).status == 200
    make_event(title="Recital")
    assert browse("/event/Recital/").headers["Location"] == "/event/recital/"


@pytest.mark.parametrize(
    ("page", "root"),
    [
        ("event", "/events/{event}"),
        ("venue", "/events/?venue={venue}"),
        ("organizer", "/events/?organizer={organizer}"),
        ("category", "/events/?categories=music"),
        ("tag", "/events/?tags=live"),
        ("calendar", "/"),
        ("missing", "/"),
    ],
)
def test_page_leads_programs_to_what_it_shows_in_the_interface(
    browse, make_event, settings, page, root
):
    event = make_event(
        title="Concert",
        venue={"venue": "Hall"},
        organizer={"organizer": "Choir"},
        categories=["Music"],
        tags=["Live"],
    )
    ids = {"event": event["id"], "venue": event["venue"]["id"]}
    ids["organizer"] = event["organizer"][0]["id"]
    paths = {
        "event": event["url"],
        "venue": event["venue"]["url"],
        "organizer": event["organizer"][0]["url"],
        "category": "/events/category/music/",
        "tag": "/events/tag/live/",
        "calendar": "/events/",
        "missing": "/nowhere/",
    }
    answer = browse(paths[page])
    address = f"{SITE}/{settings.namespace}{root.format(**ids)}"
    assert answer.headers["X-TEC-API-ROOT"] == address
    assert answer.headers["X-TEC-API-VERSION"] == "v1"
    assert answer.headers["X-TEC-API-ORIGIN"] == SITE
    assert answer.tree.xpath("//link[@rel='alternate'][@type='application/json']/@href") == [
        address
    ]
    assert answer.tree.xpath("//meta[@name='tec-api-origin']/@content") == [SITE]
    assert answer.tree.xpath("//link[@rel='https://api.w.org/']/@href") == [f"{SITE}/"]
