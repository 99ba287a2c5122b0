"""Who writes in one language at the moment when another is written loses nothing."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from api.resources.five_collections import PLURALS


@pytest.mark.parametrize("kind", PLURALS)
def test_concurrent_writes_in_two_languages_lose_nothing(
    as_admin, as_editor, make_kind, stored_texts, kind
):
    plural, label = PLURALS[kind]
    record = make_kind(kind, **{label: "Konzert"})
    path = f"/{plural}/{record['id']}"
    rounds = 10
    together = Barrier(2)

    def write(client, language):
        statuses = set()
        for number in range(rounds):
            together.wait()
            texts = {label: f"{language} {number}", "description": f"{language} {number}"}
            answer = client.post(path, translation_language=language, **texts)
            statuses.add(answer.status_code)
        return statuses

    with ThreadPoolExecutor(2) as threads:
        results = threads.map(write, (as_admin, as_editor), ("de", "rm"))
        assert list(results) == [{200}, {200}]
    texts = stored_texts(path)
    for language in ("de", "rm"):
        assert texts[language][label] == f"{language} {rounds - 1}"
        assert f"{language} {rounds - 1}" in texts[language]["description"]


def test_a_shared_field_and_a_text_written_at_once_are_both_kept(as_admin, as_editor, make_event):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    together = Barrier(2)

    def write(client, body):
        together.wait()
        return client.post(path, **body).status_code

    bodies = ({"cost": "25"}, {"translation_language": "rm", "title": "Concert"})
    with ThreadPoolExecutor(2) as threads:
        assert set(threads.map(write, (as_admin, as_editor), bodies)) == {200}
    record = as_admin.get(path, translation_language="rm").json
    assert record["title"] == "Concert"
    assert "25" in record["cost"]
