"""Pages ask no other host, and leave nothing on the reader's machine."""

import pytest

VIEWS = ["list/", "month/", "week/", "today/", "photo/", "map/"]


@pytest.mark.parametrize("view", VIEWS)
def test_no_request_to_another_host_and_nothing_is_stored(site, chromium, view):
    context = chromium.new_context()
    page = context.new_page()
    hosts, failures = set(), []
    page.on("request", lambda request: hosts.add("/".join(request.url.split("/")[:3])))
    page.on("console", lambda message: failures.append(message.text))
    page.goto(f"{site}/events/{view}")
    assert hosts == {site}
    assert failures == []
    assert context.cookies() == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    context.close()
