from hypothesis import given, settings
from hypothesis import strategies as st

from calendar_app.domain.richtext import decoded, escape, paragraphs, plain, without_tags
from calendar_app.domain.texts.sanitizing import (
    clean_html,
    clean_line,
    clean_name,
    clean_url,
    is_url,
)

_TAGS = (
    "<b>", "</b>", "<p>", "</p>", "<pre>", "</pre>", "<br>", "<br />", "<div>", "</div>",
    '<a href="x">', "</a>", "<table>", "<td>", "</table>", "<li>", "<ul>", "</ul>", "<h1>", "</h2>",
    "<script>", "</script>", "<style>", "<svg>", "<!--", "-->", "\n", "\n\n", "  ", "text", "&amp;",
    "&lt;", "<", ">", '"', "'", "\\", "<hr>", "<form>", "<select>", "<option>", "<video>", "&#1;",
    '<iframe src="/a">', '<iframe src="//b" title="</iframe>">', "</iframe>",
    "<textarea>", "<i class='a'>", "</i>", "<p style='color:red'>", "&#13;", "\r",
)  # fmt: skip
soup = st.lists(st.sampled_from(_TAGS) | st.text(max_size=3), max_size=20).map("".join)
texts = st.text(max_size=100) | soup


@settings(max_examples=200)
@given(texts)
def test_paragraphs_are_made_once(html):
    assert paragraphs(paragraphs(html)) == paragraphs(html)


@settings(max_examples=200)
@given(texts)
def test_escaped_text_is_that_text(text):
    assert decoded(escape(text)) == text
    assert plain(escape(text)) == " ".join(text.split())


@settings(max_examples=200)
@given(texts)
def test_tags_are_dropped_once(text):
    assert without_tags(without_tags(text)) == without_tags(text)


@settings(max_examples=200)
@given(texts, st.booleans())
def test_clean_html_is_clean(html, trusted):
    cleaned = clean_html(html, trusted=trusted)
    assert clean_html(cleaned, trusted=trusted) == cleaned


@settings(max_examples=200)
@given(st.lists(texts.map(lambda text: text.replace("<", "")), min_size=1, max_size=3))
def test_paragraphs_do_not_depend_on_the_case_of_tags(parts):
    html = "\n".join(f"<p>{part}</p>" for part in parts)
    assert clean_html(html, trusted=True) == clean_html(html.replace("<p>", "<P>"), trusted=True)
    assert clean_html(f"{html}\n", trusted=False) == clean_html(html, trusted=True)


@settings(max_examples=200)
@given(texts, st.booleans())
def test_no_script_survives(html, trusted):
    cleaned = clean_html(html, trusted=trusted).lower()
    for forbidden in ("<script", "<style", "<svg", "<form", "<!--"):
        assert forbidden not in cleaned
    assert cleaned.count("<iframe") == cleaned.count('<iframe src="/a"></iframe>') * trusted


@settings(max_examples=200)
@given(texts)
def test_name_sent_back_is_unchanged(text):
    name = clean_name(text)
    assert clean_name(escape(name)) == name


@settings(max_examples=200)
@given(texts)
def test_line_and_address_are_cleaned_once(text):
    assert clean_line(clean_line(text)) == clean_line(text)
    assert clean_url(clean_url(text)) == clean_url(text)


@settings(max_examples=100)
@given(texts)
def test_cleaned_url_stays_a_url(text):
    address = f"https://example.org/{text}"
    if is_url(address):
        assert is_url(clean_url(address))
