"""Two editors on one event: nobody's work is lost."""

import pytest
from desking import form_of


@pytest.fixture
def event(make_event, as_editor):
    return make_event(
        by=as_editor,
        title="Markt",
        start_date="2031-05-12 10:00:00",
        end_date="2031-05-12 12:00:00",
        description="<p>Alt</p>",
    )


@pytest.fixture
def send_opened(desk):
    """Return a function that sends a form as it was opened, with changes."""
    browser = desk("editor")

    def open_form(number):
        form = form_of(browser.get(f"/events/{number}"))
        opened = dict(form.form_values())
        return lambda **changes: browser.post(form.action, **{**opened, **changes})

    return open_form


def test_changes_of_different_fields_are_both_kept(event, send_opened, as_editor):
    send = send_opened(event["id"])
    as_editor.post(f"/events/{event['id']}", cost="20")
    assert send(title="Markttag").status == 303
    after = as_editor.get(f"/events/{event['id']}").json
    assert (after["title"], after["cost"]) == ("Markttag", "$20")


def test_changes_of_the_same_field_show_both(event, send_opened, as_editor):
    send = send_opened(event["id"])
    as_editor.post(f"/events/{event['id']}", title="Markt im Mai", cost="20")
    page = send(title="Markttag", description="<p>Neu</p>")
    assert page.status == 409
    assert "Markt im Mai" in page.text
    assert page.tree.xpath("//input[@name='title']/@value") == ["Markttag"]
    assert as_editor.get(f"/events/{event['id']}").json["title"] == "Markt im Mai"


@pytest.mark.parametrize(("side", "title"), [("mine", "Markttag"), ("theirs", "Markt im Mai")])
def test_chosen_side_is_saved(event, send_opened, as_editor, side, title):
    path = f"/events/{event['id']}"
    send = send_opened(event["id"])
    as_editor.post(path, title="Markt im Mai")
    both = form_of(send(title="Markttag", description="<p>Neu</p>"))
    assert send(**{**dict(both.form_values()), "keep_title": side}).status == 303
    after = as_editor.get(path).json
    assert after["title"] == title
    assert "Neu" in after["description"]
