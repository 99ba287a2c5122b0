"""What assistants do with a calendar, by the client of the SDK."""

import asyncio
import json
import os
import sys
from importlib.metadata import version

import pytest
from calendar_client import AsyncCalendar
from calendar_mcp import calendar_server
from mcp import Client, MCPError, StdioServerParameters

READING = {"search_events", "get_event", "whats_on", "list_places", "list_categories"}
WRITING = {"create_event", "update_event", "translate_event"}
CONCERT = {"title": "Probe des Chors", "start": "2031-05-04 19:00", "end": "2031-05-04 21:00"}


class Assistant:
    """Calls tools, and reads the JSON of their answers."""

    def __init__(self, client):
        self._client = client

    async def call(self, tool, **arguments):
        """Return what a tool answers."""
        text, is_error = await self._text(tool, arguments)
        assert not is_error, text
        assert len(text.encode()) <= 4096
        return json.loads(text)

    async def reason(self, tool, **arguments):
        """Return why a tool refuses."""
        text, is_error = await self._text(tool, arguments)
        assert is_error, text
        return text

    async def read(self, address):
        """Return a resource."""
        result = await self._client.read_resource(address)
        return json.loads(result.contents[0].text)

    async def tools(self):
        return {each.name: each for each in (await self._client.list_tools()).tools}

    async def version(self):
        """Return the version of the server."""
        return self._client.server_info.version

    async def _text(self, tool, arguments):
        result = await self._client.call_tool(tool, arguments)
        return result.content[0].text, result.is_error


def asked(server, work):
    async def whole():
        async with Client(server, read_timeout_seconds=60) as client:
            return await work(Assistant(client))

    return asyncio.run(whole())


@pytest.fixture
def ask(service):
    """Return a function that lets an assistant do something, with ``may_write`` as a user."""

    def asking(work, *, may_write=False):
        auth = ("admin", service.password) if may_write else None
        calendar = AsyncCalendar(service.base, auth=auth)
        return asked(calendar_server(calendar, may_write=may_write), work)

    return asking


def test_assistants_start_it_as_a_process(service):
    user = {"CALENDAR_USER": "admin", "CALENDAR_PASSWORD": service.password}
    command = ["-m", "calendar_mcp", service.base, "--language", "rm"]
    process = StdioServerParameters(command=sys.executable, args=command, env=os.environ | user)

    async def work(it):
        return await it.tools(), await it.call("search_events", words="orgla")

    tools, answer = asked(process, work)
    assert tools.keys() == READING | WRITING
    assert answer["events"][0]["title"].startswith("Concert d'orgla")


def test_server_says_its_version(ask):
    assert ask(lambda it: it.version()) == version("calendar-app-mcp")


def test_strangers_have_the_tools_that_read(ask):
    tools = ask(lambda it: it.tools())
    assert tools.keys() == READING
    assert all(each.annotations.read_only_hint for each in tools.values())
    assert all(each.description for each in tools.values())


def test_users_have_those_that_write_too(ask):
    tools = ask(lambda it: it.tools(), may_write=True)
    assert tools.keys() == READING | WRITING
    assert not any(tools[name].annotations.read_only_hint for name in WRITING)


def test_events_are_found_by_words(ask):
    answer = ask(lambda it: it.call("search_events", words="orgelkonzert"))
    (event,) = answer["events"]
    assert event["title"] == "Orgelkonzert bei Kerzenlicht"
    assert event["place"].startswith("Kirche St. Martin")
    assert event["url"].startswith("http")
    assert "not instructions" in answer["notice"]


def test_long_lists_are_cut_and_go_on_without_a_gap(ask):
    async def work(it):
        answers = [await it.call("search_events")]
        while "next" in answers[-1]:
            answers.append(await it.call("search_events", skip=answers[-1]["next"]))
        return answers

    answers = ask(work)
    ids = [each["id"] for answer in answers for each in answer["events"]]
    assert len(answers) > 3
    assert len(set(ids)) == len(ids) == answers[0]["total"]


def test_what_is_on_near_a_town_begins_with_the_nearest(ask):
    answer = ask(lambda it: it.call("whats_on", when="month", near="Dorta", radius_km=50))
    distances = [each.get("distance_km", 0) for each in answer["events"]]
    assert distances
    assert distances == sorted(distances)


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("whats_on", {"when": "someday"}, "today, tomorrow, weekend"),
        ("whats_on", {"near": "Atlantis"}, "Atlantis"),
        ("search_events", {"category": "no-such-category"}, "categories"),
        ("search_events", {"first_day": "never"}, "first_day: "),
        ("get_event", {"event_id": 4711000}, ""),
    ],
)
def test_refusals_say_what_is_wrong(ask, tool, arguments, reason):
    assert reason in ask(lambda it: it.reason(tool, **arguments))


@pytest.mark.parametrize("tool", sorted(READING | WRITING))
def test_arguments_of_other_names_are_refused(ask, tool):
    async def work(it):
        return (await it.tools())[tool].input_schema, await it.reason(tool, wrods="konzert")

    schema, reason = ask(work, may_write=True)
    assert schema["additionalProperties"] is False
    assert "wrods" in reason


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("calendar://event/4711000", "4711000"),
        ("calendar://event/abc", "event_id: abc is not a number."),
        ("calendar://day/someday", "first_day: "),
    ],
)
def test_resources_that_do_not_exist_are_refused_with_a_reason(ask, address, reason):
    async def work(it):
        with pytest.raises(MCPError) as refused:
            await it.read(address)
        return str(refused.value)

    assert reason in ask(work)


def test_places_and_categories_have_the_ids_that_other_tools_take(ask):
    async def work(it):
        (place, *_) = (await it.call("list_places", words="Kirche"))["places"]
        categories = (await it.call("list_categories"))["categories"]
        at_place = await it.call("search_events", venue=place["id"])
        of_kind = await it.call("search_events", category=categories[0]["slug"])
        return at_place, of_kind

    at_place, of_kind = ask(work)
    assert at_place["total"] > 0
    assert of_kind["total"] > 0


def test_an_event_is_written_as_a_draft_changed_and_translated(ask, service):
    async def work(it):
        event = await it.call("create_event", **CONCERT, description="Alle sind willkommen.")
        await it.call("update_event", event_id=event["id"], title="Offene Probe")
        await it.call("translate_event", event_id=event["id"], language="rm", title="Prova averta")
        return await it.call("get_event", event_id=event["id"], language="rm")

    event = ask(work, may_write=True)
    assert (event["title"], event["status"]) == ("Prova averta", "draft")
    assert event["translations"]["rm"] == "current"
    stored = service.send("GET", f"/events/{event['id']}?translation_language=all&context=edit")
    assert stored["text_origins"]["rm"]["title"]["origin"] == "machine"
    assert stored["text_origins"]["rm"]["title"]["reviewed"] is False


def test_a_change_of_nothing_is_refused(ask):
    reason = ask(lambda it: it.reason("update_event", event_id=1), may_write=True)
    assert "Give at least one field to change." in reason


def test_texts_come_without_markup_and_hidden_characters(ask, service):
    text = "<p>Eintritt\u200b frei<br>Kollekte</p><script>x()</script>\u202e"
    event = service.send(
        "POST", "/events", title="Rein\u2066", description=text, status="publish",
        start_date="2031-05-05 19:00", end_date="2031-05-05 21:00",
    )  # fmt: skip
    answer = ask(lambda it: it.call("get_event", event_id=event["id"]))
    assert answer["title"] == "Rein"
    assert answer["description"].startswith("Eintritt frei\nKollekte")
    assert "<" not in answer["description"]
    service.send("DELETE", f"/events/{event['id']}?force=true")


def test_resources_are_an_event_and_a_day(ask, service):
    (event,) = service.get("/events", search="orgelkonzert")["events"]

    async def work(it):
        day = event["start_date"][:10]
        return await it.read(f"calendar://event/{event['id']}"), await it.read(
            f"calendar://day/{day}"
        )

    one, day = ask(work)
    assert one["id"] == event["id"]
    assert event["id"] in {each["id"] for each in day["events"]}
