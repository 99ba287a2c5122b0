"""Pages ask no other host, and leave nothing on the reader's machine."""

import httpx

VIEWS = ["list/", "month/", "week/", "today/", "photo/", "map/"]


def record_paths(site):
    """Return the path of an event, of its venue and of its organizer."""
    events = httpx.get(f"{site}/calendar/events/v1/events").json()["events"]
    event = next(event for event in events if event["venue"] and event["organizer"])
    records = (event, event["venue"], event["organizer"][0])
    return [record["url"].removeprefix(f"{site}/") for record in records]


def test_no_request_to_another_host_and_nothing_is_stored(site, chromium):
    views = [f"events/{view}" for view in VIEWS]
    for path in (*views, *record_paths(site), "rm/", "embed/month/"):
        leaves_no_trace(site, chromium, path)


def leaves_no_trace(site, chromium, path):
    context = chromium.new_context()
    page = context.new_page()
    hosts, failures = set(), []
    page.on("request", lambda request: hosts.add("/".join(request.url.split("/")[:3])))
    page.on("console", lambda message: failures.append(message.text))
    page.goto(f"{site}/{path}", wait_until="load")
    assert hosts == {site}
    assert failures == []
    assert context.cookies() == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    context.close()
