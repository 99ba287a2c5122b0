"""Translations and fallbacks in four languages agree with a plain model."""

import json
import os
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calendar_app.settings import Settings

pytestmark = pytest.mark.timeout(0)

CASES = int(os.environ.get("LANGUAGE_CASES", "10"))
# One of them is written from right to left, one without spaces.
LANGUAGES = ["de", "rm", "ar", "ja"]
# Of each kind the name, and its other texts by markup.
KINDS = {
    "events": (["title"], ["description", "excerpt"], ["status_reason"]),
    "venues": (["venue"], ["description"], ["address", "city", "country", "province"]),
    "organizers": (["organizer"], ["description"]),
    "categories": (["name"], ["description"]),
    "tags": (["name"], ["description"]),
}
# Two of them differ in white space alone.
WORDS = [
    "Konzert im Park",
    "Konzert  im Park",
    "Concert sün via d\N{RIGHT SINGLE QUOTATION MARK}aua",
    "حفلة موسيقية",
    "קונצרט 12",
    "夜の音楽会",
    "日本語テキスト",
]
EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
numbers = count(1)


class Contract:
    """A model of the contract; ``sources`` has the language and words translated from."""

    def __init__(self, groups):
        self.groups, self.variants, self.origin, self.sources = groups, {}, None, {}

    def text_with_fallback(self, field, chain):
        tag = next((tag for tag in chain if field in self.variants.get(tag, {})), None)
        return (self.variants[tag][field], tag != chain[0]) if tag else ("", False)

    def says(self, tag):
        texts = self.variants[tag]
        words_by_group = {
            g[0]: [" ".join(texts.get(name, "").split()) for name in g] for g in self.groups
        }
        return {group: words for group, words in words_by_group.items() if any(words)}

    def translation_state(self, tag):
        source, read = self.sources.get(tag, (tag, None))
        texts = self.variants.get(tag, {})
        if self.groups[0][0] not in texts:
            return "missing"
        if source == tag:
            return "current"
        now = self.says(source)
        same = (now.get(name) == read.get(name) for [name] in self.groups if texts.get(name))
        return "current" if all(same) else "outdated"

    def become(self, variants, first_tags=()):
        before, stood = self.variants, {tag: self.translation_state(tag) for tag in self.sources}
        previous, self.sources = self.sources, {}
        self.variants = {tag: texts for tag, texts in variants.items() if texts}
        if self.origin not in self.variants:
            other_tags = sorted(self.variants, key=lambda tag: (stood.get(tag) != "current", tag))
            candidates = [*first_tags, *other_tags]
            self.origin = next(tag for tag in candidates if tag in self.variants)
        for tag, texts in self.variants.items():
            if tag == self.origin:
                continue
            source, read = previous.get(tag, (self.origin, None))
            if source not in self.variants:
                source = self.origin
                read = self.says(source) if stood[tag] == "current" else {}
            for group in self.groups:
                if any(before.get(tag, {}).get(name) != texts.get(name) for name in group):
                    read = {name: words for name, words in (read or {}).items() if name != group[0]}
                    now = self.says(source)
                    read |= {group[0]: now[group[0]]} if group[0] in now else {}
            self.sources[tag] = (source, read if tag in previous else self.says(source))

    def confirm(self, tag, source):
        source = source or self.sources.get(tag, (self.origin,))[0]
        if tag == self.origin:
            self.origin = source
            self.sources.pop(source, None)
        if tag != self.origin:
            self.sources[tag] = (source, self.says(source))


def stored(kind, field, text):
    """Return the stored form of a sent text."""
    if not text:
        return None
    if field in ("description", "excerpt"):
        return text if kind in ("categories", "tags") else f"<p>{text}</p>"
    return " ".join(text.split())


languages = st.sampled_from(LANGUAGES)
fallbacks = st.none() | st.just("none") | st.lists(languages, max_size=4).map(",".join)


@st.composite
def cases(draw):
    """Draw a kind, the texts of a new record of it, writes, and chains to read it by."""
    kind = draw(st.sampled_from(list(KINDS)))
    label, other_fields = KINDS[kind][0][0], [name for group in KINDS[kind][1:] for name in group]
    words = st.sampled_from(WORDS)
    texts = st.fixed_dictionaries(
        {}, optional={label: words} | dict.fromkeys(other_fields, st.none() | words)
    )
    several = st.dictionaries(languages, texts, max_size=3)
    named_texts = draw(
        st.fixed_dictionaries({label: words}, optional=dict.fromkeys(other_fields, words))
    )
    created = draw(several) | {draw(languages): named_texts}
    steps = st.one_of(
        st.tuples(st.just("write"), languages, fallbacks, texts),
        st.tuples(st.just("variants"), languages, fallbacks, several),
        st.tuples(st.just("remove"), languages, fallbacks, st.none()),
        st.tuples(st.just("confirm"), languages, fallbacks, st.none() | languages),
    )
    reads = st.lists(st.tuples(languages, fallbacks), min_size=2, max_size=2)
    return kind, draw(languages), created, draw(st.lists(st.tuples(steps, reads), max_size=5))


@pytest.fixture(name="settings")
def _four_languages():
    return Settings.load(environment={}, languages=LANGUAGES, default_language="de")


class Site:
    """One record of the service, and the model of it, which each write changes alike."""

    def __init__(self, client, kind):
        self.client, self.kind = client, kind
        self.label = KINDS[kind][0][0]
        self.fields = [name for group in KINDS[kind] for name in group]
        self.model, self.number, self.path = (
            Contract([[name] for group in KINDS[kind] for name in group]),
            next(numbers),
            f"/{kind}",
        )

    def send(self, method, language, fallback, body=None, **query):
        query["translation_language"] = language
        if fallback is not None:
            query["fallback"] = fallback
        # In the order in which it is written here: the first language is the source.
        data = None if body is None else json.dumps(body)
        options = {"data": data, "content_type": "application/json"} if data else {}
        return self.client.send(method, self.path, query_string=query, **options)

    def unique(self, texts):
        """Return the texts with a name that no other record has."""
        name = {self.label: f"{texts[self.label]} {self.number}"} if self.label in texts else {}
        return {**texts, **name}

    def merged(self, new_variants):
        """Return the texts of the model with others written over them."""
        merged = {tag: dict(texts) for tag, texts in self.model.variants.items()}
        for tag, texts in new_variants.items():
            both = merged.get(tag, {}) | {
                n: stored(self.kind, n, text) for n, text in texts.items()
            }
            merged[tag] = {name: text for name, text in both.items() if text}
        return merged

    def create(self, language, variants):
        new_variants = {tag: self.unique(texts) for tag, texts in variants.items()}
        shared = EVENING if self.kind == "events" else {}
        answer = self.send("POST", language, None, {**shared, "variants": new_variants})
        assert answer.status_code == 201, answer.json
        self.path = f"/{self.kind}/{answer.json['id']}"
        first = sorted(new_variants, key=lambda tag: tag != language)
        self.model.become(self.merged(new_variants), first)

    def write(self, language, fallback, texts):
        sent = self.unique(texts)
        answer = self.send("PATCH", language, fallback, sent)
        assert answer.status_code == 200, answer.json
        chain = chain_of(language, fallback)
        # What is shown already counts as not sent.
        new = {
            n: text
            for n, text in sent.items()
            if text != self.model.text_with_fallback(n, chain)[0]
        }
        self.model.become(self.merged({language: new}), [language])

    def variants(self, language, fallback, variants):
        new_variants = {tag: self.unique(texts) for tag, texts in variants.items()}
        answer = self.send("POST", language, fallback, {"variants": new_variants})
        assert answer.status_code == 200, answer.json
        self.model.become(self.merged(new_variants), list(new_variants))

    def remove(self, language, fallback, _):
        answer = self.send("DELETE", language, fallback, translation_only="true")
        remaining = {tag: texts for tag, texts in self.model.variants.items() if tag != language}
        nameless = not any(self.label in texts for texts in remaining.values())
        assert answer.status_code == (409 if nameless else 200)
        if not nameless:
            self.model.become(remaining)

    def confirm(self, language, fallback, source):
        source_field = {"translated_from": source} if source else {}
        answer = self.send(
            "PUT", language, fallback, {"translation_status": "current", **source_field}
        )
        existing = self.model.variants
        sensible = language in existing and source != language and source in (None, *existing)
        assert answer.status_code == (200 if sensible else 400), answer.json
        if sensible:
            self.model.confirm(language, source)

    def check(self, language, fallback):
        """Compare one response with the model."""
        answer = self.send("GET", language, fallback)
        chain, record = chain_of(language, fallback), answer.json
        expected = {name: self.model.text_with_fallback(name, chain) for name in self.fields}
        assert {n: record.get(n, "") for n in self.fields} == {
            n: t for n, (t, _) in expected.items()
        }
        elsewhere = {name for name, (_, borrowed) in expected.items() if borrowed}
        assert set(record["fallback_fields"]) - {"slug"} == elsewhere
        assert record["language"] == answer.headers["Content-Language"] == language
        standings = {tag: each["status"] for tag, each in record["translations"].items()}
        assert standings == {tag: self.model.translation_state(tag) for tag in LANGUAGES}

    def check_stored(self):
        variants = self.send("GET", "all", None).json["variants"]
        slugs = {tag: texts.pop("slug", None) for tag, texts in variants.items()}
        assert variants == self.model.variants
        assert {tag for tag, slug in slugs.items() if slug} == {
            tag for tag, texts in variants.items() if self.label in texts
        }

    def check_list(self, language):
        """A list of one language alone has the record if it has any text in it."""
        answer = self.client.get(
            f"/{self.kind}", translation_language=language, fallback="none", hide_empty=False
        )
        there = (
            [int(self.path.rpartition("/")[2])]
            if self.label in self.model.variants.get(language, {})
            else []
        )
        assert [record["id"] for record in answer.json[self.kind]] == there
        assert answer.json["total"] == len(there)


def chain_of(language, fallback):
    if fallback == "none":
        return [language]
    return [language, *(fallback.split(",") if fallback else LANGUAGES)]


@settings(
    max_examples=CASES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(case=cases())
def test_translations_agree_with_the_model(as_editor, case):
    kind, language, created, steps = case
    site = Site(as_editor, kind)
    site.create(language, created)
    site.check_stored()
    for (step, *arguments), reads in steps:
        getattr(site, step)(*arguments)
        site.check_stored()
        for read in reads:
            site.check(*read)
    site.check_list(language)
    as_editor.delete(site.path, force=True)
