"""Nothing that was typed is lost, whatever happens to the session, the line or the page."""

import time
from urllib.parse import urlsplit

import pytest
from serving import wait_for

LONG = "Ein langer Text. " * 400

_DRAFTS = "() => Object.keys(sessionStorage).filter((name) => name.startsWith('desk-draft'))"
_HAS_DRAFT = "(text) => Object.values(sessionStorage).some((draft) => draft.includes(text))"
_TYPE_AND_SAVE_AT_ONCE = """
() => {
  const title = document.querySelector('[name="title"]');
  title.value = 'Kurz vor dem Speichern';
  title.dispatchEvent(new Event('input', { bubbles: true }));
  document.querySelector('.form-foot .button').click();
}
"""


@pytest.fixture
def form(at_desk):
    """Return a form for a new event with a long text in it."""
    page = at_desk("/desk/events/new", role="editor")
    page.fill("[name='title']", "Lange Nacht")
    page.fill("[name='start_date']", "12.5.2027 19:30")
    page.click(".rich-source")
    page.fill("[name='description']", f"<p>{LONG}</p>")
    return page


def log_in(page):
    page.fill("#name", "editor")
    page.fill("#password", "correct horse battery")
    page.click("main button")


def hold(route):
    """Let the draft of the last key press fall due before the form arrives."""
    time.sleep(1)
    route.continue_()


def test_text_survives_a_session_that_ended_meanwhile(form):
    form.context.clear_cookies()
    form.get_by_role("button", name="Veröffentlichen").first.click()
    form.wait_for_selector("#password")
    log_in(form)
    # The page before has such a button too.
    form.locator("main form:not(:has(#password)) button").click()
    form.wait_for_selector(".notice-done")
    assert LONG.strip() in form.input_value("[name='description']")


def test_text_survives_a_lost_connection(form):
    form.context.set_offline(True)
    form.get_by_role("button", name="Veröffentlichen").first.click()
    form.wait_for_selector(".is-offline")
    assert form.input_value("[name='title']") == "Lange Nacht"
    form.context.set_offline(False)
    form.get_by_role("button", name="Veröffentlichen").first.click()
    form.wait_for_selector(".notice-done")
    assert LONG.strip() in form.input_value("[name='description']")


def test_lost_connection_is_told_of_until_more_is_typed(form):
    form.context.set_offline(True)
    form.evaluate(_TYPE_AND_SAVE_AT_ONCE)
    wait_for(lambda: form.evaluate(_HAS_DRAFT, "Kurz vor dem Speichern"))
    assert form.locator(".is-offline").is_visible()
    form.fill("[name='title']", "Danach")
    wait_for(lambda: form.evaluate(_HAS_DRAFT, "Danach"))
    assert form.locator(".is-offline").count() == 0


def test_text_survives_a_reload_and_can_be_dropped(form):
    form.reload()
    assert form.input_value("[name='title']") == "Lange Nacht"
    assert LONG.strip() in form.input_value("[name='description']")
    with form.expect_navigation():
        form.locator(".notice-warning button").click()
    assert form.input_value("[name='title']") == ""


def test_text_survives_leaving_and_coming_back(form):
    form.goto("/desk/")
    form.go_back()
    assert form.input_value("[name='title']") == "Lange Nacht"
    assert LONG.strip() in form.input_value("[name='description']")


def test_saved_text_is_no_draft_any_more(form):
    form.get_by_role("button", name="Veröffentlichen").first.click()
    form.wait_for_selector(".notice-done")
    form.goto("/desk/events/new")
    assert form.input_value("[name='title']") == ""


def test_two_editors_see_both_versions(at_desk, form):
    form.get_by_role("button", name="Veröffentlichen").first.click()
    form.wait_for_selector(".notice-done")
    editor_page = at_desk(urlsplit(form.url).path, "editor")
    editor_page.fill("[name='title']", "Kurze Nacht")
    editor_page.get_by_role("button", name="Speichern").last.click()
    editor_page.wait_for_selector(".notice-done")
    form.fill("[name='title']", "Längste Nacht")
    form.get_by_role("button", name="Speichern").last.click()
    form.wait_for_selector(".conflict")
    assert "Kurze Nacht" in form.inner_text(".conflict")
    assert "Längste Nacht" in form.inner_text(".conflict")
    form.get_by_role("button", name="Speichern").last.click()
    form.wait_for_selector(".notice-done")
    assert form.input_value("[name='title']") == "Längste Nacht"


def test_text_on_its_way_is_no_draft(form):
    form.route("**/desk/events/new*", hold)
    with form.expect_navigation(url="**/desk/events/*"):
        form.evaluate(_TYPE_AND_SAVE_AT_ONCE)
    form.unroute_all()
    form.goto("/desk/events/new")
    assert form.input_value("[name='title']") == ""


def test_draft_that_comes_back_leaves_the_changes_of_others(at_desk, form):
    form.get_by_role("button", name="Veröffentlichen").first.click()
    form.wait_for_selector(".notice-done")
    form.fill("[name='cost']", "20")
    wait_for(lambda: form.evaluate(_DRAFTS))
    editor_page = at_desk(urlsplit(form.url).path, "editor")
    editor_page.fill("[name='title']", "Kurze Nacht")
    editor_page.get_by_role("button", name="Speichern").last.click()
    editor_page.wait_for_selector(".notice-done")
    form.reload()
    form.get_by_role("button", name="Speichern").last.click()
    form.wait_for_selector(".notice-done")
    assert form.input_value("[name='title']") == "Kurze Nacht"
    assert "20" in form.input_value("[name='cost']")


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/desk/venues/new", "#venue-de"),
        ("/desk/events/new", "[name='title']"),
        ("/desk/users/new", "#name"),
    ],
)
def test_form_asks_before_it_is_left_with_something_unsaved(at_desk, path, field):
    page, dialogs = at_desk("/desk/"), []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    page.goto(path)
    page.goto("/desk/me/")
    assert dialogs == []
    page.goto(path)
    page.locator(field).press_sequentially("Alphorn")
    page.goto("/desk/me/")
    assert dialogs == ["beforeunload"]


def test_event_with_a_picture_is_left_unasked(at_desk):
    page, dialogs = at_desk("/desk/events/"), []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    address = page.locator(
        "tr:has(img) a[href*='/desk/events/'], li:has(img) a[href*='/desk/events/']"
    )
    page.goto(address.first.get_attribute("href"))
    page.locator("[name='image_pick']").last.wait_for(state="attached")
    # Browsers ask only where something was pressed.
    page.locator("h1").first.click()
    page.goto("/desk/me/")
    assert urlsplit(page.url).path == "/desk/me/"
    assert dialogs == []


def test_text_survives_a_look_at_another_language(form):
    address = form.url
    form.set_viewport_size({"width": 360, "height": 780})
    form.locator(".language-tab[data-language='rm']").click()
    assert form.locator("[name='title']").is_hidden()
    form.fill("[name='variants[rm][title]']", "Notg lunga")
    form.locator(".language-tab[data-language='de']").click()
    assert form.url == address
    assert form.input_value("[name='title']") == "Lange Nacht"
    form.get_by_role("button", name="Veröffentlichen").first.click()
    form.wait_for_selector(".notice-done")
    assert form.input_value("[name='variants[rm][title]']") == "Notg lunga"
    assert form.input_value("[name='title']") == "Lange Nacht"
    assert LONG.strip() in form.input_value("[name='description']")


def test_a_record_has_one_draft_whichever_language_comes_first(form):
    form.fill("[name='variants[rm][title]']", "Notg lunga")
    wait_for(lambda: form.evaluate(_HAS_DRAFT, "Notg lunga"))
    form.goto("/desk/events/new?translation_language=rm")
    form.wait_for_selector(".notice-warning")
    assert form.input_value("[name='title']") == "Notg lunga"
    assert form.input_value("[name='variants[de][title]']") == "Lange Nacht"
    form.get_by_role("button", name="Veröffentlichen").first.click()
    form.wait_for_selector(".notice-done")
    form.goto("/desk/events/new")
    assert form.input_value("[name='title']") == ""


def test_texts_of_a_place_survive_a_lost_connection_and_a_reload(at_desk):
    page = at_desk("/desk/venues/new", role="editor")
    page.fill("#venue-de", "Alte Mühle")
    page.fill("#venue-rm", "Mulin vegl")
    page.context.set_offline(True)
    page.locator(".form-foot .button").click()
    page.wait_for_selector(".is-offline")
    page.context.set_offline(False)
    page.reload()
    page.wait_for_selector(".notice-warning")
    assert page.input_value("#venue-rm") == "Mulin vegl"
    page.locator(".form-foot .button").click()
    page.wait_for_selector(".notice-done")
    assert page.input_value("#venue-de") == "Alte Mühle"


def test_draft_goes_at_logout(form):
    form.goto("/desk/")
    with form.expect_navigation():
        form.locator("form[data-logout] button").last.click()
    assert form.evaluate(_DRAFTS) == []


def test_draft_is_not_shown_to_the_next_user_of_the_tab(form, desk_user):
    desk_user("author", "author")
    form.goto("/desk/")
    form.context.clear_cookies()
    form.goto("/desk/login")
    form.fill("#name", "author")
    form.fill("#password", "correct horse battery")
    form.click("main button")
    form.wait_for_selector("form[data-logout]", state="attached")
    form.goto("/desk/events/new")
    assert form.input_value("[name='title']") == ""
    assert not form.evaluate(_HAS_DRAFT, "Lange Nacht")


def test_enter_in_a_new_event_publishes_nothing(form):
    form.focus("[name='title']")
    form.keyboard.press("Enter")
    form.wait_for_selector(".notice-done")
    assert "Entwurf" in form.inner_text(".foot-state")
