"""A date of a series as it was before the trash."""

from calendar_app.calendar.series.occurrences import restored

DATE = {"status": "publish", "variants": {"de": {"title": "Chor", "slug": "chor/2030-03-06"}}}


def test_date_outside_the_trash_stays_as_it_is():
    assert restored(DATE) == DATE


def test_date_in_the_trash_has_its_slugs_again():
    trashed = DATE | {
        "status": "trash",
        "variants": {"de": {"title": "Chor", "slug": "chor-trashed"}, "rm": {"slug": "x"}},
        "slugs_before_trash": {"de": "chor/2030-03-06"},
    }
    assert restored(trashed)["variants"] == DATE["variants"] | {"rm": {}}
