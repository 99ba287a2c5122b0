import pytest

from calendar_app.domain.slugs import numbered, slugify, trashed


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Spring Concert", "spring-concert"),
        ("My Slug With Spaces!", "my-slug-with-spaces"),
        ("<b>x</b>/y", "x-y"),
        ("Zürich été", "zurich-ete"),
        ("Château d\u2019Œx 🏰", "chateau-doex-%f0%9f%8f%b0"),
        ("Straße, Ærø, Łódź", "strasse-aero-lodz"),
        ("日本", "%e6%97%a5%e6%9c%ac"),
        ("Ünïcode 日本", "unicode-%e6%97%a5%e6%9c%ac"),
        (
            "Fête de la Musique \u2013 “Zürich” &#038; <em>más</em> 🎷",
            "fete-de-la-musique-zurich-mas-%f0%9f%8e%b7",
        ),
        ('SM"true"', "smtrue"),
        ("5 < 6", "5-6"),
        ("HTML &lt;table&gt; workshop", "html-table-workshop"),
        ("&lt;b&gt;", "b"),
        ("&amp;lt;b&amp;gt;", "ltbgt"),
        ("a--b  c", "a-b-c"),
        ("77", "77"),
        ("!?", ""),
        ("", ""),
    ],
)
def test_slug_is_made_as_wordpress_makes_it(text, slug):
    assert slugify(text) == slug


def test_escaped_and_plain_name_give_the_same_slug():
    assert slugify("Théâtre &amp; Danse") == slugify("Théâtre & Danse") == "theatre-danse"


@pytest.mark.parametrize("sent", ["日本", "%E6%97%A5%E6%9C%AC", "%e6%97%a5%e6%9c%ac"])
def test_raw_and_encoded_slug_are_the_same(sent):
    assert slugify(sent) == "%e6%97%a5%e6%9c%ac"


def test_percent_sign_that_encodes_nothing_is_dropped():
    assert slugify("20%ab morgen") == "20ab-morgen"


def test_letter_that_does_not_fit_is_left_out_whole():
    assert slugify("x" * 199 + "日") == "x" * 199


def test_half_a_character_is_no_part_of_a_slug():
    assert slugify("a\ud800b") == "ab"


def test_used_slug_gets_a_number():
    assert numbered("concert", 2) == "concert-2"


def test_number_fits_into_the_longest_slug():
    longest = slugify("日" * 100)
    assert len(numbered(longest, 12)) <= 200
    assert numbered("x" * 200, 12) == "x" * 197 + "-12"


def test_number_alone_is_the_slug_of_a_nameless_record():
    assert numbered("", 2) == "2"


@pytest.mark.parametrize(("slug", "marked"), [("concert", "concert__trashed"), ("", "__trashed")])
def test_trash_marks_the_slug(slug, marked):
    assert trashed(slug) == marked
    assert slugify(marked) == marked
