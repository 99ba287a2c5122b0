"""html-validate finds no error, and every link leads somewhere."""

import json
import subprocess
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import httpx
from lxml import html

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"

_BROWSER = {"Accept": "text/html"}
_MOST = 400
_LEADING = "//a/@href | //link/@href | //img/@src | //script/@src | //form/@action"


def crawl(site, client):
    """Follow every link of the site from its first page on; return the pages by address."""
    waiting, pages, seen = [f"{site}/"], {}, set()
    while waiting and len(seen) < _MOST:
        address = waiting.pop(0)
        if address in seen:
            continue
        seen.add(address)
        answer = client.get(address, headers=_BROWSER)
        if answer.is_redirect:
            answer = client.get(urljoin(address, answer.headers["Location"]), headers=_BROWSER)
        pages[address] = answer
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            tree = html.fromstring(answer.content)
            links = (urldefrag(urljoin(address, link))[0] for link in tree.xpath(_LEADING))
            waiting += [link for link in links if link.startswith(f"{site}/")]
    return pages


def test_every_link_leads_to_something(site):
    with httpx.Client(timeout=20) as client:
        pages = crawl(site, client)
    assert len(pages) > 100
    assert {url: page.status_code for url, page in pages.items() if page.status_code != 200} == {}


def test_html_is_valid(site, tmp_path):
    paths = ["events/list/", "events/month/", "events/week/", "events/today/", "events/photo/"]
    paths += ["events/map/", "events/list/?page=0", "rm/events/list/", "nowhere"]
    listed = httpx.get(f"{site}/calendar/events/v1/events").json()["events"]
    places = [event["venue"]["url"] for event in listed if event["venue"]]
    addresses = [*(f"{site}/{path}" for path in paths), listed[0]["url"], places[0]]
    for number, address in enumerate(addresses):
        answer = httpx.get(address, headers=_BROWSER)
        (tmp_path / f"{number}.html").write_bytes(answer.content)
    program = MODULES / ".bin" / "html-validate"
    config = HERE / "htmlvalidate.json"
    command = [program, "--config", config, "--formatter", "json", tmp_path]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [
        (addresses[int(each["filePath"].split("/")[-1].removesuffix(".html"))], message["ruleId"])
        for each in json.loads(judged.stdout)
        for message in each["messages"]
    ]
    assert found == []
