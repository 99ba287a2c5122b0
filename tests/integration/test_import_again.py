"""``import tec`` again: what changed on the site comes along, what was done here stays."""

from import_report import missing, outcome
from small_calendar import BAND, CHOIR, FAMILY, HALL, calendar, event, stored, term


def test_repeated_import_changes_nothing(import_calendar, database):
    import_calendar(calendar())
    before = list(database["events"].find().sort("_id"))
    assert outcome(import_calendar(calendar())) == (0, 0, 9, 0)
    assert list(database["events"].find().sort("_id")) == before


def test_only_changed_records_are_updated(import_calendar, database):
    import_calendar(calendar())
    moved = event(62, "Talk", start_date="2027-05-01 20:00:00", website="https://talk.example/")
    assert outcome(import_calendar(calendar(events=[moved]))) == (0, 1, 6, 0)
    talk = stored(database, "events", 62)
    assert talk["start_local"].hour == 20
    assert talk["variants"]["de"]["website"] == "https://talk.example/"
    assert talk["variants"]["de"]["slug"] == "talk"


def test_venue_that_moved_takes_its_events_along(import_calendar, database):
    import_calendar(calendar())
    import_calendar(calendar(venues=[{**HALL, "geo_lat": 47.0}]))
    assert stored(database, "events", 60)["location"]["coordinates"] == [9.25, 47.0]


def test_edits_here_stay_while_the_record_is_unchanged_at_the_site(import_calendar, database):
    import_calendar(calendar())
    database["events"].update_one({"_id": 62}, {"$set": {"featured": True}})
    database["events"].update_one({"_id": 61}, {"$set": {"status": "trash"}})
    assert outcome(import_calendar(calendar())) == (0, 0, 9, 0)
    assert stored(database, "events", 62)["featured"]
    assert stored(database, "events", 61)["status"] == "trash"


def test_event_in_the_trash_stays_as_it_is_whatever_changes_at_the_site(import_calendar, database):
    import_calendar(calendar())
    database["events"].update_one({"_id": 61}, {"$set": {"status": "trash"}})
    before = stored(database, "events", 61)
    import_calendar(calendar(events=[event(62, "Talk"), event(61, "Night market")]))
    after = stored(database, "events", 61)
    # What the site says meanwhile is noted.
    assert after | {"from_sources": 0} == before | {"from_sources": 0}


def test_event_status_follows_the_site(import_calendar, database):
    fields = {"event_status": "canceled", "status_reason": "Storm", "is_virtual": True}
    import_calendar(calendar(events=[event(62, "Talk", **fields), event(61, "Market")]))
    talk = stored(database, "events", 62)
    assert (talk["event_status"], talk["attendance_mode"]) == ("canceled", "online")
    assert talk["variants"]["de"]["status_reason"] == "Storm"

    again = {"event_status": "scheduled", "status_reason": "", "is_virtual": False}
    assert outcome(import_calendar({"events": [event(62, "Talk", **again)]})) == (0, 1, 0, 0)
    assert not {"event_status", "attendance_mode"} & stored(database, "events", 62).keys()


def test_cancellation_here_stays_if_the_site_has_no_status(import_calendar, database):
    import_calendar(calendar())
    database["events"].update_one({"_id": 62}, {"$set": {"event_status": "canceled"}})
    assert outcome(import_calendar({"events": [event(62, "Talk", cost="20")]})) == (0, 1, 0, 0)
    assert stored(database, "events", 62)["event_status"] == "canceled"


def test_imported_picture_keeps_its_sizes(import_calendar, anyone, as_admin):
    medium = {"url": "https://site.example/a-300.png", "width": 300, "height": 200}
    image = {"url": "https://site.example/a.png", "id": 9, "width": 600, "height": 400}
    talk = event(62, "Talk", image={**image, "sizes": {"medium": {**medium, "filesize": 7}}})
    import_calendar(calendar(events=[talk]))
    imported = as_admin.get("/events/62").json
    assert (imported["image"]["width"], imported["image"]["height"]) == (600, 400)
    whole = {"url": image["url"], "width": 600, "height": 400}
    assert imported["image"]["sizes"] == {"thumbnail": whole, "medium": medium, "large": whole}

    assert as_admin.put("/events/62", **imported).json["image"] == imported["image"]
    assert outcome(import_calendar({"events": [talk]})) == (0, 0, 1, 0)
    assert anyone.get("/events/62").json["image"] == imported["image"]
    new_image = as_admin.patch("/events/62", image="https://site.example/b.png").json["image"]
    assert (new_image["width"], new_image["sizes"]["medium"]["url"]) == (None, new_image["url"])


def test_imported_custom_fields_are_replaced(import_calendar, anyone):
    doors, seats = {"label": "Doors", "value": "19:00"}, {"label": "Seats", "value": "80"}

    def import_fields(fields):
        site = {"events": [event(62, "Talk", custom_fields=fields)]}
        return outcome(import_calendar(site)), anyone.get("/events/62").json["custom_fields"]

    import_calendar(calendar(events=[event(62, "Talk", custom_fields=[])]))
    both = {"_ecp_custom_2": doors, "_ecp_custom_3": seats}
    assert import_fields(both) == ((0, 1, 0, 0), both)
    assert import_fields(both) == ((0, 0, 1, 0), both)
    assert import_fields({"_ecp_custom_3": seats}) == ((0, 1, 0, 0), {"_ecp_custom_3": seats})
    unusable = {"a.b": doors, "c": "text", "d": {"label": "Empty", "value": ""}}
    assert import_fields(unusable) == ((0, 1, 0, 0), [])


def test_fields_that_the_site_lacks_stay_in_an_update(import_calendar, database, as_admin):
    fields = {"id": 41, "venue": "Square", "slug": "square"}
    square = {**HALL, **fields, "global_id": "site.example?id=41", "phone": "1"}
    square = {name: value for name, value in square.items() if not name.startswith("geo_")}
    import_calendar(calendar(venues=[square]))
    as_admin.patch("/venues/41", geo_lat=46.5, geo_lng=9.25)
    as_admin.patch("/events/62", ticketed=True)
    again = {"venues": [{**square, "phone": "2"}], "events": [event(62, "Talk", cost="20")]}
    assert outcome(import_calendar(again)) == (0, 2, 0, 0)
    assert stored(database, "venues", 41)["phone"] == "2"
    assert stored(database, "venues", 41)["location"]["coordinates"] == [9.25, 46.5]
    assert stored(database, "events", 62)["ticketed"]


def test_deleted_records_come_back_with_their_links(import_calendar, database, as_admin):
    import_calendar(calendar())
    before = {number: stored(database, "events", number) for number in (60, 61)}
    for path in ("categories/21", "categories/22", "tags/30", "venues/40", "organizers/50"):
        assert as_admin.delete(f"/{path}", force=True).status_code == 200
    for options, outcomes in (
        (["--dry-run"], (5, 1, 3, 0)),
        ([], (5, 1, 3, 0)),
        ([], (0, 0, 9, 0)),
    ):
        assert outcome(import_calendar(calendar(), *options)) == outcomes
    for number, then in before.items():
        now = stored(database, "events", number)
        for name in ("categories", "tags", "venues", "organizers", "location", "ancestors"):
            assert now.get(name) == then.get(name)
    assert stored(database, "categories", 22)["ancestors"] == [20, 21]
    assert [stored(database, "categories", number)["count"] for number in (20, 22)] == [1, 1]


def test_categories_move_back_below_a_deleted_parent(import_calendar, database, as_admin):
    import_calendar(calendar())
    as_admin.delete("/categories/21")
    assert stored(database, "categories", 22)["parent"] == 20
    assert outcome(import_calendar(calendar())) == (1, 1, 7, 0)
    assert stored(database, "categories", 22)["ancestors"] == [20, 21]


def test_links_that_people_removed_here_stay_removed(import_calendar, database, as_admin):
    import_calendar(calendar())
    as_admin.patch("/events/60", organizer=[])
    import_calendar(calendar())
    assert stored(database, "events", 60)["organizers"] == []


def test_records_missing_from_the_site_stay_and_are_reported(import_calendar, database):
    import_calendar(calendar())
    fewer = calendar(events=[event(62, "Talk")], tags=[term(31, "Young", "tags")])
    for options in (["--dry-run"], []):
        assert missing(import_calendar(fewer, *options)) == [
            'tags: 1 here that the site no longer has: 30 "Family"',
            'events: 2 here that the site no longer has: 60 "Concert", 61 "Market"',
        ]
    assert database["events"].count_documents({"status": "publish"}) == 3


def test_report_of_missing_records_is_one_line(import_calendar):
    import_calendar({"events": [event(number, "Talk") for number in range(1, 60)]})
    (line,) = missing(import_calendar({"events": [event(59, "Talk")]}))
    assert line.startswith("events: 58 here")
    assert line.endswith("and 38 others")


def test_refused_trashed_and_foreign_records_are_not_reported_missing(import_calendar, database):
    import_calendar(calendar())
    foreign = event(90, "Elsewhere", global_id="other.example?id=90")
    import_calendar({"events": [foreign]})
    database["events"].update_one({"_id": 61}, {"$set": {"status": "trash"}})
    fields = [
        event(60, "Concert", venue=HALL, organizer=[BAND], categories=[CHOIR], tags=[FAMILY]),
        event(62, "Talk", timezone="Mars/Olympus"),
    ]
    assert (
        missing(import_calendar(calendar(events=fields, venues=[], organizers=[], tags=[]))) == []
    )


def test_event_that_got_a_password_at_the_site_is_refused_and_stays(import_calendar, database):
    import_calendar(calendar())
    before = stored(database, "events", 60)
    protected = calendar(events=[event(60, "Concert", all_day=None), event(62, "Talk")])
    result = import_calendar(protected)
    refused = [line for line in result.stdout.splitlines() if line.startswith("Refused event 60")]
    assert ["password" in line for line in refused] == [True]
    assert stored(database, "events", 60) == before


def test_translation_missing_from_the_site_is_reported(import_calendar, database):
    import_calendar(calendar())
    events = [event(60, "Concerta"), event(61, "Martgà")]
    import_calendar({"events": events}, "--language", "rm")
    fallback = {"language": "rm", "fallback_fields": ["title", "description", "slug"]}
    withdrawn = [event(60, "Concerta"), event(61, "Market", **fallback)]
    result = import_calendar({"events": withdrawn}, "--language", "rm")
    assert missing(result) == ['events: 1 here that the site no longer has in rm: 61 "Martgà"']
    assert stored(database, "events", 61)["variants"]["rm"]["title"] == "Martgà"


def test_second_language_joins_the_same_records(import_calendar, database):
    import_calendar(calendar())
    site = calendar(events=[event(60, "Concerta", venue=HALL, organizer=[BAND])], tags=[])
    assert outcome(import_calendar(site, "--language", "rm")) == (0, 1, 5, 0)
    variants = stored(database, "events", 60)["variants"]
    assert (variants["de"]["title"], variants["rm"]["title"]) == ("Concert", "Concerta")
    assert outcome(import_calendar(site, "--language", "rm")) == (0, 0, 6, 0)


def test_reserved_slug_gets_a_number_and_keeps_it(import_calendar, database):
    for text in ("One", "Two"):
        events = [event(number, "Feed", slug="feed", description=text) for number in (61, 62)]
        import_calendar(calendar(events=events))
        slugs = [stored(database, "events", n)["variants"]["de"]["slug"] for n in (61, 62)]
        assert slugs == ["feed-2", "feed-3"]
