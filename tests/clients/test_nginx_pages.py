"""A shared cache varies pages by language and accepted type."""

import dataclasses

import pytest

pytestmark = pytest.mark.needs_nginx

PAGE = "text/html,application/xhtml+xml,*/*;q=0.8"
ROOT = "http://calendar/"


@pytest.fixture
def cached_settings(cached_settings):
    """Return settings that let the reader's browser choose the language."""
    return dataclasses.replace(cached_settings, negotiate_language=True)


def read(cache, path, language="de", accept=PAGE):
    headers = {"Accept": accept, "Accept-Language": language}
    return cache.get(f"{ROOT}{path}", headers=headers)


@pytest.mark.parametrize("path", ["events/list/", "events/month/2030-03/", ""])
def test_each_language_is_kept_for_itself(cache, make_event, path):
    make_event(title="Concert")
    for language in ("de", "rm", "de", "rm"):
        answer = read(cache, path, language)
        assert f'<html lang="{language}"' in answer.text
        assert answer.headers["Content-Language"] == language
    assert answer.headers["X-Cache"] == "HIT"
    assert "Accept-Language" in answer.headers["Vary"]


def test_programs_and_readers_never_get_the_root_of_each_other(cache, make_event):
    make_event(title="Concert")
    for accept in (PAGE, "application/json", PAGE, "application/json", "*/*"):
        answer = read(cache, "", accept=accept)
        kind = "text/html" if accept == PAGE else "application/json"
        assert answer.headers["Content-Type"].startswith(kind)


def test_protected_page_is_not_cached(cache, make_event):
    event = make_event(title="Closed", slug="closed", description="Confidential", password="pp")
    address = f"{ROOT}{event['url'].split('/', 3)[3]}"
    for _ in range(2):
        opened = cache.post(address, data={"password": "pp"}, headers={"Accept": PAGE})
        assert "Confidential" in opened.text
        closed = cache.get(address, headers={"Accept": PAGE})
        assert "Confidential" not in closed.text


def test_a_refused_or_missing_page_is_not_kept(cache):
    for path in ("events/list/?page=0", "event/nowhere/"):
        for _ in range(2):
            assert read(cache, path).headers["X-Cache"] == "MISS"
