"""A search in the order of relevance."""

import pytest

PAST, COMING, LATER = "2029-11-03", "2030-03-10", "2030-06-01"
ALWAYS = {"start_date": "2029-01-01", "end_date": "2031-01-01"}


@pytest.fixture
def make_titled(make_event):
    def make_titled(title, day=COMING, **fields):
        dates = {"start_date": f"{day} 19:00:00", "end_date": f"{day} 22:00:00"}
        return make_event(title=title, **dates, **fields)["id"]

    return make_titled


def relevant(client, search, **query):
    answer = client.get("/events", search=search, orderby="relevance", **ALWAYS, **query)
    assert answer.status_code == 200, answer.json
    return [event["id"] for event in answer.json["events"]]


def test_title_comes_before_text_and_coming_before_past(anyone, make_titled):
    in_text = make_titled("Abendmusik", description="Ein Orgelkonzert")
    past_beginning, older_beginning = (
        make_titled("Orgelkonzert", day) for day in (PAST, "2029-10-01")
    )
    past_title = make_titled("Großes Orgelkonzert", PAST)
    later_beginning = make_titled("Orgelkonzert", LATER)
    title = make_titled("Kleines Orgelkonzert")
    beginning = make_titled("«Orgelkonzert»")
    past_text = make_titled("Orgel", PAST, excerpt="Konzert, Orgelkonzert")

    assert relevant(anyone, "órgelKONZERT") == [
        *(beginning, later_beginning, past_beginning, older_beginning),
        *(title, past_title),
        *(in_text, past_text),
    ]


@pytest.mark.parametrize(
    ("search", "group"),
    [
        ("orgel", "beginning"),
        ("orgelkonz", "beginning"),
        ("konzert", "title"),
        ("bach orgel", "beginning"),  # begins with one word, and has the other
        ("bach", "title"),
        ("nacht", "text"),
        ("orgel nacht", "text"),  # one of them is in the text alone
        ('"orgelkonzert mit"', "beginning"),
        ('"mit bach"', "title"),
        ("orgel -messe", "beginning"),
    ],
)
def test_all_words_decide_the_group(anyone, make_titled, search, group):
    event_id = make_titled("Orgelkonzert mit Bach", LATER, description="Nacht")
    words = search.replace('"', "").replace("-messe", "")
    # Between events that surely belong to these groups, and begin earlier.
    first = make_titled(words, description=words)
    second = make_titled(f"Hier {words}", description=words)
    third = make_titled("Heute", description=words)
    expected = {
        "beginning": [first, event_id, second, third],
        "title": [first, second, event_id, third],
        "text": [first, second, third, event_id],
    }
    assert relevant(anyone, search) == expected[group]


def test_title_of_the_asked_language_counts(anyone, make_titled):
    both = make_titled("Orgelkonzert", variants={"rm": {"title": "Concert Orgelkonzert"}})
    german = make_titled("Orgelkonzert", LATER)

    assert relevant(anyone, "orgelkonzert") == [both, german]
    assert relevant(anyone, "orgelkonzert", translation_language="rm") == [german, both]


def test_pages_neither_skip_nor_repeat_an_event(anyone, make_titled):
    titles = ("Konzert", "Das Konzert", "Abend")
    days = (PAST, COMING, COMING, LATER)
    for day in days:
        for title in titles:
            make_titled(title, day, description="Konzert")
    whole = relevant(anyone, "konzert", per_page=50)
    pages = [relevant(anyone, "konzert", per_page=5, page=page) for page in (1, 2, 3)]

    assert [each for page in pages for each in page] == whole
    assert len(whole) == len(titles) * len(days)
    by_start = anyone.get("/events", search="konzert", **ALWAYS).json
    assert by_start["total"] == len(whole)
    assert [event["title"] for event in by_start["events"]] == [*titles] * len(days)


def test_what_begins_today_is_no_past_event(anyone, make_titled):
    today, yesterday = make_titled("Markt", "2030-01-15"), make_titled("Markt", "2030-01-14")
    coming, past = make_titled("Markt", LATER), make_titled("Markt", PAST)

    assert relevant(anyone, "markt") == [today, coming, yesterday, past]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ({"orderby": "relevance"}, "orderby"),
        ({"orderby": "relevance", "search": "a", "order": "asc"}, "order"),
        ({"orderby": "relevance", "search": "a", "order": "desc"}, "order"),
    ],
)
@pytest.mark.parametrize("path", ["/events", "/events.ics", "/events.csv"])
def test_relevance_without_a_search_or_with_a_way_is_refused(anyone, path, query, name):
    answer = anyone.get(path, **query)

    assert answer.status_code == 400
    assert answer.invalid_params == [name]


def test_links_to_pages_keep_the_order(anyone, make_titled):
    for day in (COMING, LATER):
        make_titled("Konzert", day)
    answer = anyone.get("/events", search="konzert", orderby="relevance", per_page=1)

    assert "orderby=relevance" in answer.json["next_rest_url"]


def test_locked_events_stand_by_their_titles(anyone, make_titled):
    open_event = make_titled("Das Konzert", LATER)
    locked = make_titled("Konzert", password="tor")

    assert relevant(anyone, "konzert") == [locked, open_event]
