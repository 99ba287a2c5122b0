"""Every address that the service gives out answers itself, without a redirect."""

import re
from urllib.parse import urldefrag, urljoin

import httpx
import pytest
from lxml import html

BROWSER = {"Accept": "text/html"}
OK = 200
BASE = "/calendar/events/v1"
# So many pages are read; each page of a calendar leads to the ones before and after it.
MOST = 500
LEADING = "//a/@href | //link/@href | //img/@src | //script/@src | //form/@action | //@srcset"
PAGES = [f"/events?per_page=50&page={number}" for number in (1, 2)]
MACHINES = {
    "JSON": [*PAGES, "/venues?per_page=50", "/organizers?per_page=50", "/categories", "/tags"],
    "iCalendar": ["/events.ics"],
    "Atom": ["/events.atom"],
    "CSV": ["/events.csv"],
    "GeoJSON": ["/events.geojson"],
}


@pytest.fixture(scope="module")
def client(site):
    with httpx.Client(base_url=site, timeout=30) as client:
        yield client


def addresses_in(site, text):
    """Return the addresses of the site that stand in a text of any format."""
    unfolded = text.replace("\r\n ", "").replace("\\/", "/").replace("&amp;", "&")
    # In iCalendar a backslash, in JSON and XML a quote or bracket ends an address.
    return set(re.findall(rf"{re.escape(site)}[^\s\"'<>\\;,)|{{}}]*", unfolded))


def links_of(site, address, answer):
    links = []
    for link in html.fromstring(answer.content).xpath(LEADING):
        # A source set names several pictures, each with its width.
        several = [part.split()[0] for part in link.split(", ")] if " " in link else [link]
        links += [urldefrag(urljoin(address, each))[0] for each in several]
    return [link for link in links if link.startswith(f"{site}/")]


def crawl(site, client):
    """Follow the links of the site from its first page on; return the status of each address."""
    waiting, statuses = [f"{site}/"], {}
    while waiting and len(statuses) < MOST:
        address = waiting.pop(0)
        if address in statuses:
            continue
        answer = client.get(address, headers=BROWSER)
        statuses[address] = answer.status_code
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            waiting += links_of(site, address, answer)
    return statuses


def test_every_link_leads_to_something(site, client, record_property):
    statuses = crawl(site, client)
    record_property("addresses", len(statuses))
    assert len(statuses) >= MOST
    assert {address: status for address, status in statuses.items() if status != OK} == {}


def failures(client, addresses):
    statuses = {each: client.get(each, headers=BROWSER).status_code for each in addresses}
    return {address: status for address, status in statuses.items() if status != OK}


@pytest.mark.parametrize("language", ["", "/rm"])
@pytest.mark.parametrize("name", MACHINES)
def test_every_address_in_a_format_leads_to_something(
    site, client, name, language, record_property
):
    texts = [client.get(f"{language}{BASE}{path}").text for path in MACHINES[name]]
    addresses = {address for text in texts for address in addresses_in(site, text)}
    record_property("addresses", len(addresses))
    pages = {address for address in addresses if "/event/" in address}
    assert len(pages) > 10
    assert failures(client, addresses) == {}
    # What is a page is answered as one.
    kinds = {client.get(page, headers=BROWSER).headers["Content-Type"] for page in pages}
    assert kinds == {"text/html; charset=utf-8"}


def test_every_address_of_the_sitemap_is_a_page(site, client, record_property):
    index = client.get("/sitemap.xml").text
    parts = [client.get(part).text for part in re.findall("<loc>(.*?)</loc>", index)]
    addresses = {address for part in parts for address in addresses_in(site, part)}
    record_property("addresses", len(addresses))
    assert len(addresses) > 50
    assert failures(client, addresses) == {}


def test_every_address_of_structured_data_leads_to_something(site, client):
    events = client.get(f"{BASE}/events?per_page=50").json()["events"]
    addresses = set()
    for event in events:
        tree = html.fromstring(client.get(event["url"], headers=BROWSER).content)
        texts = tree.xpath("//script[@type='application/ld+json']/text()")
        assert texts, event["url"]
        addresses |= addresses_in(site, "".join(texts))
    assert failures(client, addresses) == {}
