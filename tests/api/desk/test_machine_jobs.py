"""A machine translates all that lacks: once, stored text by text, and never over what people do."""

from dataclasses import replace
from threading import Thread

import pytest
from desking import form_of
from machines import KEY, DeepLStub, LibreTranslateStub, reversed_words, serving

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.parts.memory.jobs import JobRuns
from calendar_app.parts.memory.lacking import Amount, GapScope

SERVICES = {"libretranslate": LibreTranslateStub, "deepl": DeepLStub}
HTML = '<p>Mehr <a href="https://example.org/">im Netz</a></p>'
FAULTS = ("403", "456", "400", "junk", "other_shape", "large", "redirect", "broken_html", "script")


@pytest.fixture(scope="module", params=["libretranslate"])
def running(request):
    with serving(SERVICES[request.param]) as stub:
        stub.name = request.param
        yield stub


@pytest.fixture
def stub(running):
    """Return the stub of a translation service in its working state."""
    running.fault, running.faults, running.translate = "", 10**6, reversed_words
    running.asked.clear()
    return running


@pytest.fixture
def settings(settings, stub, request):
    return replace(
        settings,
        languages=("de", "rm", "fr", "en"),
        translator=stub.name,
        translator_url=stub.address,
        translator_key=KEY,
        translator_timeout=5,
        **getattr(request, "param", {}),
    )


@pytest.fixture
def services(app):
    return get_services(app)


@pytest.fixture
def scope():
    return GapScope(("fr",), days=30)


@pytest.fixture
def run(services, scope, users):
    """Return a function that lets the machine translate, and returns how it ended."""
    jobs = services.translation.jobs

    def translate(gap_scope=scope):
        jobs.begin(gap_scope, users("editor"))
        jobs.run()
        return jobs.last()

    return translate


@pytest.fixture
def users(services):
    def caller(name):
        return services.accounts.caller(services.accounts.id_of(name))

    return caller


@pytest.fixture
def make_event(make_event):
    """Return a function that makes an event of next week."""
    soon = {"start_date": "2030-01-22 10:00:00", "end_date": "2030-01-22 11:00:00"}
    return lambda **fields: make_event(**soon | fields)


@pytest.fixture
def event(make_event):
    return make_event(title="Konzert", description=HTML)["id"]


@pytest.fixture
def with_parts(services, monkeypatch):
    """Return a function that lets jobs work with other parts."""
    jobs = services.translation.jobs
    return lambda **parts: monkeypatch.setattr(jobs, "parts", replace(jobs.parts, **parts))


def variants(client, event):
    return client.get(f"/events/{event}", translation_language="all").json["variants"]


def proposed(database, event):
    stored = database["machine_proposals"].find_one({"_id": f"events:{event}:fr"})
    return {name: text["text"] for name, text in (stored or {"texts": {}})["texts"].items()}


@pytest.mark.usefixtures("event")
def test_amount_is_told_before_anything_is_sent(services, scope, stub):
    assert services.translation.jobs.amount(scope) == Amount(2, len("Konzert") + len(HTML))
    assert stub.asked == []


def test_each_text_gets_a_proposal_that_no_reader_sees(run, event, database, as_admin):
    job = run()
    assert (job.state, job.done.texts, job.left_out) == ("done", 2, 0)
    assert proposed(database, event) == {
        "title": "treznoK",
        "description": HTML.replace("Mehr", "rheM").replace("im Netz", "mi zteN"),
    }
    assert "fr" not in variants(as_admin, event)


def test_what_has_a_proposal_is_not_sent_again(run, event, stub, as_admin):
    run()
    assert len(stub.asked) == 2
    assert run().done.texts == 0
    as_admin.patch(f"/events/{event}", title="Konzert und Tanz")
    assert run().done.texts == 1
    assert stub.sent[-1] == "Konzert und Tanz"
    assert len(stub.asked) == 3


@pytest.mark.parametrize("fault", FAULTS)
def test_service_that_misbehaves_publishes_nothing_and_loses_nothing(
    run, event, fault, as_admin, request
):
    stub, database = map(request.getfixturevalue, ("stub", "database"))
    before = as_admin.get(f"/events/{event}", translation_language="all").json
    stub.fault = fault
    assert run().state == ("failed" if fault in ("403", "456") else "done")
    assert as_admin.get(f"/events/{event}", translation_language="all").json == before
    stored = proposed(database, event)
    assert "<script" not in str(stored)
    assert stored.keys() <= {"title"}


@pytest.mark.usefixtures("event")
@pytest.mark.parametrize("fault", ["429", "503", "slow", "hang_up"])
def test_service_that_recovers_is_asked_again(run, stub, fault, with_parts):
    waited = []
    with_parts(pause=waited.append, patience=0.2)
    stub.fault, stub.faults = fault, 1
    job = run()
    assert (job.state, job.done.texts) == ("done", 2)
    assert waited


@pytest.mark.usefixtures("event")
def test_service_that_does_not_recover_ends_the_job(run, stub, with_parts):
    with_parts(pause=lambda _seconds: None)
    stub.fault = "429"
    job = run()
    assert (job.state, job.done.texts) == ("failed", 0)
    assert job.reason


@pytest.mark.parametrize("settings", [{"translator_budget": 10}], indirect=True)
def test_budget_ends_a_job_and_what_is_done_stays(run, event, database, services):
    job = run()
    assert job.state == "failed"
    assert proposed(database, event).keys() == {"title"}
    assert services.translation.machine.use.characters == len("Konzert")


@pytest.mark.usefixtures("event")
def test_stopped_job_ends_before_the_next_text(run, stub, services):
    stub.translate = lambda text: services.translation.jobs.stop() or text.upper()
    job = run()
    assert (job.state, job.done.texts) == ("stopped", 1)
    assert len(stub.asked) == 1


@pytest.mark.usefixtures("event")
def test_job_of_a_killed_process_goes_on_with_what_still_lacks(run, stub, services, with_parts):
    jobs = services.translation.jobs
    propose, texts_sent = jobs.parts.propose, []

    class Killed(BaseException):
        """The process is gone."""

    def die(texts, *rest):
        texts_sent.append(texts)
        if len(texts_sent) == 2:
            raise Killed
        return propose(texts, *rest)

    with_parts(propose=die)
    with pytest.raises(Killed):
        run()
    assert jobs.last().state == "running"
    with_parts(propose=propose)
    jobs.run()
    assert (jobs.last().state, jobs.last().done.texts) == ("done", 2)
    assert stub.sent == ["Konzert", HTML]


def test_processes_at_once_run_a_job_once(services, settings, make_event, request):
    database, clock, scope, users, stub = map(
        request.getfixturevalue, ("database", "clock", "scope", "users", "stub")
    )
    titles = [f"Markt {number}" for number in range(6)]
    for title in titles:
        make_event(title=title)
    services.translation.jobs.begin(scope, users("editor"))
    other_workers = [get_services(create_app(settings, database, clock)) for _ in range(3)]
    threads = [Thread(target=each.translation.jobs.run) for each in (services, *other_workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert services.translation.jobs.last().state == "done"
    assert sorted(stub.sent) == titles


@pytest.mark.parametrize("settings", [{"translator_publishes": True}], indirect=True)
class TestPublishing:
    """With translator_publishes the texts of a job are stored, unreviewed."""

    def test_texts_are_stored_as_of_a_machine_and_unreviewed(self, run, event, as_admin):
        run()
        record = as_admin.get(f"/events/{event}", translation_language="all").json
        assert record["variants"]["fr"]["title"] == "treznoK"
        assert record["translations"]["fr"]["origin"] == "machine"
        assert record["translations"]["fr"]["reviewed"] is False

    def test_save_of_an_editor_meanwhile_is_never_overwritten(self, run, event, stub, as_editor):
        def meanwhile(text):
            if text == "Konzert":
                as_editor.patch(f"/events/{event}", variants={"fr": {"title": "Le concert"}})
            return text.upper()

        stub.translate = meanwhile
        run()
        assert variants(as_editor, event)["fr"]["title"] == "Le concert"

    def test_text_whose_source_changed_is_left_to_people(self, run, event, as_editor, scope):
        as_editor.patch(f"/events/{event}", variants={"fr": {"title": "Le concert"}})
        as_editor.patch(f"/events/{event}", title="Konzert und Tanz")
        run(replace(scope, outdated=True))
        assert variants(as_editor, event)["fr"]["title"] == "Le concert"


def test_names_of_places_are_not_sent(run, make_venue, stub, scope):
    make_venue(
        venue="Gasthaus Krone", address="Dorfstrasse 1", city="Chur", description="<p>Saal</p>"
    )
    run(replace(scope, others=True))
    assert stub.sent == ["<p>Saal</p>"]


def test_series_is_translated_once_for_all_its_dates(run, make_event, stub):
    make_event(title="Wochenmarkt", recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"})
    assert run().done.texts == 1
    assert stub.sent == ["Wochenmarkt"]


def test_what_is_not_public_is_not_sent(run, make_event, stub):
    for status in ("draft", "pending", "private"):
        make_event(title=status, status=status)
    run()
    assert stub.asked == []


def test_events_beyond_the_period_are_left_out(run, make_event, stub):
    make_event(title="Fern", start_date="2030-06-01 10:00:00", end_date="2030-06-01 11:00:00")
    make_event(title="Vorbei", start_date="2029-06-01 10:00:00", end_date="2029-06-01 11:00:00")
    run()
    assert stub.asked == []


# The page


@pytest.mark.usefixtures("event")
def test_page_says_how_much_lacks_and_begins_a_job(desk, services):
    page = desk().get("/translations/machine?language=fr")
    assert "2 Texte" in page.text
    answer = desk().send("/translations/machine?language=fr", press="begin")
    assert answer.status == 303
    job = services.translation.jobs.last()
    assert (job.scope.languages, job.scope.days) == (("fr",), 30)
    page = desk().get("/translations/machine")
    assert page.tree.xpath("//progress/@max") == ["2"]
    services.translation.jobs.run()
    assert desk().get("/translations/machine/progress").answer.json["open"] is False


@pytest.mark.usefixtures("event")
def test_job_is_stopped_from_the_page(desk, services):
    desk().send("/translations/machine", press="begin")
    desk().send("/translations/machine", press="stop")
    services.translation.jobs.run()
    assert services.translation.jobs.last().state == "stopped"


@pytest.mark.usefixtures("event")
def test_second_job_does_not_begin_while_one_runs(desk, database):
    browser = desk()
    token = browser.token()
    for _ in range(2):
        browser.post("/translations/machine", csrf_token=token, press="begin")
    assert database["machine_jobs"].count_documents({}) == 1


def test_job_stores_its_user_by_number_alone(services, scope, users, database):
    services.translation.jobs.begin(scope, users("admin"))
    assert database["machine_jobs"].find_one()["author"] == {"id": 1, "role": "administrator"}


def test_of_jobs_that_begin_at_once_one_runs(services, scope, users, monkeypatch):
    jobs = services.translation.jobs
    amount = jobs.amount

    def meanwhile(gap_scope):
        monkeypatch.setattr(jobs, "amount", amount)
        jobs.begin(gap_scope, users("admin"))
        return amount(gap_scope)

    monkeypatch.setattr(jobs, "amount", meanwhile)
    with pytest.raises(JobRuns):
        jobs.begin(scope, users("editor"))
    assert jobs.last().author.id == users("admin").id


@pytest.mark.parametrize(
    ("user", "status"), [("editor", 200), ("author", 403), ("contributor", 403)]
)
def test_everything_at_once_is_for_those_who_edit_everything(desk, user, status):
    assert desk(user).get("/translations/machine").status == status


@pytest.mark.parametrize("settings", [{"translator_roles": ("administrator",)}], indirect=True)
def test_roles_of_the_settings_alone_may_use_the_machine(desk, event, stub):
    assert desk("editor").get("/translations/machine").status == 403
    assert desk("admin").get("/translations/machine").status == 200
    page = desk("editor").get(f"/events/{event}/translate/fr")
    assert "Maschine vorschlagen" not in page.text
    token = desk("editor").token()
    browser = desk("editor")
    answer = browser.post(
        f"/events/{event}/translate/fr", csrf_token=browser.token(), press="propose"
    )
    assert (answer.status, stub.asked, bool(token)) == (403, [], True)


class TestTranslatorsPage:
    """Proposals of a job wait beside their fields until somebody takes them over."""

    @pytest.fixture
    def path(self, run, event):
        run()
        return f"/events/{event}/translate/fr"

    @pytest.fixture
    def ledger(self, database, event):
        """Return a function that tells who wrote a French text, and whether it was checked."""

        def read(name="title"):
            entry = database["events"].find_one({"_id": event})["ledger"]["fr"][name]
            return entry["origin"], "reviewed" in entry

        return read

    def test_proposal_stands_beside_its_field(self, desk, path):
        page = desk().get(path)
        assert "treznoK" in page.tree.xpath('string(//*[@data-for="title"])')
        assert page.tree.xpath('//*[@id="title"]/@value') == [""]

    def test_proposal_that_is_taken_over_stays_of_the_machine_and_is_checked(
        self, desk, path, ledger, database
    ):
        browser = desk()
        answer = browser.send(path, take="proposal.title")
        browser.post(path, **dict(form_of(answer).form_values()))
        assert ledger() == ("machine", True)
        assert database["machine_proposals"].find_one()["texts"].keys() == {"description"}

    def test_own_text_beside_a_proposal_is_of_a_person(self, desk, path, ledger):
        desk().send(path, title="Le concert")
        assert ledger()[0] == "human"

    def test_proposal_of_a_changed_source_is_gone(self, desk, path, event, as_editor):
        as_editor.patch(f"/events/{event}", title="Konzert und Tanz")
        assert "treznoK" not in desk().get(path).text

    @pytest.mark.parametrize("settings", [{"translator_publishes": True}], indirect=True)
    def test_published_texts_are_listed_and_checked_by_one_press(self, desk, path, ledger):
        browser, listed = desk(), "/translations/?language=fr&kind=events&state=unreviewed"
        assert "Konzert" in browser.get(listed).text
        assert ledger() == ("machine", False)
        assert browser.get(path).tree.xpath('//button[@value="right"]')
        answer = browser.send(path, press="right")
        assert "/desk/translations/next" in answer.headers["Location"]
        assert ledger() == ledger("description") == ("machine", True)
        assert browser.get(listed).tree.xpath('//table[contains(@class, "as-cards")]') == []


def test_key_is_on_no_page(desk, event):
    for path in ("/translations/machine", f"/events/{event}/translate/fr"):
        assert KEY not in desk("admin").get(path).answer.text


@pytest.mark.usefixtures("event")
def test_job_of_somebody_who_may_not_any_more_ends(services, users, scope, stub):
    services.translation.jobs.begin(scope, users("editor"))
    services.accounts.change_role("editor", "author")
    services.translation.jobs.run()
    assert services.translation.jobs.last().state == "failed"
    assert stub.asked == []
